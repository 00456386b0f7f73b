import { ApiError } from "../../domain/errors.ts";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";
import type { ApiContext } from "./context.ts";
import { newEndpointSecret } from "./endpoint-secret.ts";
import { type RotatedEndpoint, replaceSecret } from "./endpoint-store.ts";

/**
 * Gives an endpoint a new secret, which is returned here and never again. For `overlapSeconds` deliveries are signed with
 * the one before too; of 0 it counts no more from now on. The one before that, where a rotation was under way, counts no
 * more either.
 *
 * @throws NOT_FOUND when the merchant has no such endpoint.
 */
export async function rotateSecret(
  context: Pick<ApiContext, "config" | "db">,
  endpoint: { merchantId: MerchantId; id: EndpointId; overlapSeconds: number },
): Promise<RotatedEndpoint & { secret: string }> {
  const { merchantId, id: endpointId } = endpoint;
  const { secret, sealedSecret } = newEndpointSecret(context, { merchantId, endpointId });
  const rotated = await replaceSecret(context.db, { sealedSecret, ...endpoint });
  if (rotated === undefined) throw new ApiError("NOT_FOUND");
  return { ...rotated, secret };
}
