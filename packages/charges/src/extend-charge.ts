import { isTooLong, MAX_LIFE_DAYS } from "@daric/domain/charge";
import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { ChargeRef } from "@daric/domain/ids";
import type { Database } from "@daric/postgres/sql";
import { type Charge, getCharge } from "./charge.ts";
import { extendLifetime, lockLifetime } from "./lifetime-store.ts";

const STANDING = { path: "id", message: "is a reusable receive address, which never expires" };
const TOO_LONG = {
  path: "seconds",
  message: `must not move expires_at more than ${MAX_LIFE_DAYS} days behind created_at`,
  rule: fieldRule("openDays", MAX_LIFE_DAYS),
};

/**
 * Extends an order or an open address: `expires_at` and the end of its late window move by these seconds, the
 * quote does not. Refused once the scanned chain is past `expires_at`, so that no late deposit becomes on
 * time.
 *
 * @throws in this order, NOT_FOUND if the row is not the merchant's; VALIDATION_ERROR if it is a receive
 * address; ORDER_CLOSED if it is not ACTIVE or its time is over; VALIDATION_ERROR if it would live too long.
 */
export async function extendCharge(
  { db }: { db: Pick<Database, "transaction"> },
  { seconds, ...ref }: ChargeRef & { seconds: number },
): Promise<Charge> {
  return db.transaction(async (tx) => {
    const locked = await lockLifetime(tx, ref);
    if (locked === undefined) throw new ApiError("NOT_FOUND");
    if (locked.kind === "receive") throw new ApiError("VALIDATION_ERROR", { details: [STANDING] });
    if (!(await extendLifetime(tx, { seconds, ...ref }))) throw new ApiError("ORDER_CLOSED");
    const extended = await getCharge(tx, ref);
    if (isTooLong(extended)) throw new ApiError("VALIDATION_ERROR", { details: [TOO_LONG] });
    return extended;
  });
}
