import { ApiError } from "@daric/domain/errors";
import type { EndpointId, MerchantId } from "@daric/domain/ids";
import type { ApiContext } from "./context.ts";
import { findEndpointsAt, markEndpointDeleted } from "./endpoint-store.ts";

/**
 * Deletes an endpoint softly: its row and log stay, its secret is erased, and nothing more is claimed.
 * `expireAbandonedDeliveries` ends its deliveries; a claimed delivery may still arrive.
 * @throws NOT_FOUND when the merchant has no such endpoint.
 */
export async function deleteEndpoint(
  context: Pick<ApiContext, "db">,
  endpoint: { merchantId: MerchantId; id: EndpointId },
): Promise<void> {
  if (!(await markEndpointDeleted(context.db, endpoint))) throw new ApiError("NOT_FOUND");
}

/** Deletes the live endpoints of a merchant with this URL, softly as {@link deleteEndpoint}. */
export async function deleteEndpointsAt(
  context: Pick<ApiContext, "db">,
  { merchantId, url }: { merchantId: MerchantId; url: string },
): Promise<void> {
  for (const id of await findEndpointsAt(context.db, { merchantId, url }))
    await markEndpointDeleted(context.db, { merchantId, id });
}
