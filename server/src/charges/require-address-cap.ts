import { ApiError } from "../domain/errors.ts";
import type { MerchantId } from "../domain/ids.ts";
import { countListed } from "../totals/list-store.ts";
import type { IssuingContext } from "./context.ts";

/**
 * Refuses one more standing address to a merchant who has as many as there may be. They are counted by the totals of the
 * list, so that it costs the same however many there are. Creates of the same moment do not see each other: so many more
 * than the cap there may be.
 *
 * @throws MAX_ACTIVE_ADDRESSES where there is no room.
 */
export async function requireAddressCap(
  { config, db, metrics }: Pick<IssuingContext, "config" | "db" | "metrics">,
  merchantId: MerchantId,
): Promise<void> {
  const count = await countListed(db, "deposit_addresses", { merchantId, facets: ["receive"] });
  metrics.customerAddresses.set(count);
  if (count < config.charges.maxCustomerAddresses) return;
  throw new ApiError("MAX_ACTIVE_ADDRESSES", {
    message: `There are ${count} standing addresses already, and a new customerRef gets none: ask the operator for a higher cap.`,
  });
}
