import { ApiError } from "../../domain/errors.ts";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";
import type { ApiContext } from "./context.ts";
import { markEndpointDeleted } from "./endpoint-store.ts";

/**
 * Deletes an endpoint softly, in a transaction of its row alone: the row and its delivery log stay, its secret is
 * gone, and nothing is sent to it any more. What still waits is ended by `expireAbandonedDeliveries`. An attempt under
 * way may still arrive; it is not repeated.
 *
 * @throws NOT_FOUND when the merchant has no such endpoint.
 */
export async function deleteEndpoint(
  context: Pick<ApiContext, "db">,
  endpoint: { merchantId: MerchantId; id: EndpointId },
): Promise<void> {
  if (!(await markEndpointDeleted(context.db, endpoint))) throw new ApiError("NOT_FOUND");
}
