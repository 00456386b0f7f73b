import type { Context } from "../context.ts";
import { ApiError } from "../domain/errors.ts";
import { exhaustWaiting } from "./delivery-store.ts";
import { lockEndpoint, markEndpointDeleted } from "./endpoint-store.ts";

/**
 * Deletes an endpoint softly: its row and its delivery log stay, its secret is gone, and what still waits ends as
 * `endpoint_deleted`. An attempt under way may still arrive; it is not repeated. Refuses NOT_FOUND.
 */
export async function deleteEndpoint(
  context: Pick<Context, "db">,
  input: { merchantId: string; id: string },
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, input.merchantId, input.id);
    if (!endpoint) throw new ApiError("NOT_FOUND");
    await markEndpointDeleted(tx, endpoint.id);
    await exhaustWaiting(tx, endpoint.id, "endpoint_deleted");
  });
}
