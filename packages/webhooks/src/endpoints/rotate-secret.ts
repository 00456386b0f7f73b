import { ApiError } from "@daric/domain/errors";
import type { EndpointId, MerchantId } from "@daric/domain/ids";
import type { ApiContext } from "./context.ts";
import { newEndpointSecret, sealAsPrevious } from "./endpoint-secret.ts";
import { lockSecret, type RotatedEndpoint, replaceSecret } from "./endpoint-store.ts";

/**
 * Replaces an endpoint's secret; the new one is returned here and never again. The previous one also signs for
 * `overlapSeconds`; older ones are dropped at once.
 * @throws NOT_FOUND when the merchant has no such endpoint.
 */
export async function rotateSecret(
  context: Pick<ApiContext, "config" | "db">,
  endpoint: { merchantId: MerchantId; id: EndpointId; overlapSeconds: number },
): Promise<RotatedEndpoint & { secret: string }> {
  const { merchantId, id: endpointId, overlapSeconds } = endpoint;
  return context.db.transaction(async (tx) => {
    const held = await lockSecret(tx, endpoint);
    if (held === undefined) throw new ApiError("NOT_FOUND");
    const generation = held.generation + 1;
    const { secret, sealedSecret } = newEndpointSecret(context, { merchantId, endpointId, generation });
    const before = { merchantId, endpointId, generation: held.generation };
    const previousSecret =
      overlapSeconds === 0 ? null : (sealAsPrevious(context, before, held.sealedSecret) ?? null);
    const rotated = await replaceSecret(tx, { ...endpoint, generation, sealedSecret, previousSecret });
    return { ...rotated, secret };
  });
}
