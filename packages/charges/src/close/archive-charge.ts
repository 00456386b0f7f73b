import { ApiError } from "@daric/domain/errors";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import type { ContextOf } from "@daric/runtime/context";
import { type Charge, getCharge } from "../charge.ts";
import { archiveByMerchant, lockCharge } from "../status-store.ts";

const STANDING = { path: "id", message: "a reusable receive address cannot be archived" };

/**
 * Archives an order or an open address for its merchant, and returns the ARCHIVED row, also a second time.
 * The address stays watched: later money is recorded and announced. A receive address is refused, because
 * find-or-create could never replace it.
 *
 * @throws NOT_FOUND if the row is not the merchant's; VALIDATION_ERROR if it is a receive address.
 */
export async function archiveCharge(
  context: Pick<ContextOf, "db">,
  input: { merchantId: MerchantId; id: ChargeId },
): Promise<Charge> {
  return context.db.transaction(async (tx) => {
    const locked = await lockCharge(tx, input);
    if (locked === undefined) throw new ApiError("NOT_FOUND");
    if (locked.kind === "receive") throw new ApiError("VALIDATION_ERROR", { details: [STANDING] });
    await archiveByMerchant(tx, input);
    return getCharge(tx, input);
  });
}
