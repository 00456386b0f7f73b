import { type ChargeRef, type RefKey, refKey } from "@daric/domain/ids";
import { isSettled } from "@daric/domain/order";
import type { Queryable } from "@daric/postgres/sql";
import { loadCharges } from "../charge.ts";
import { selectTwins } from "../rest-store.ts";

/** Of these charges, those whose reference has another paid charge of the same merchant. */
export async function findPaidElsewhere(
  db: Queryable,
  charges: readonly (ChargeRef & { readonly orderRef: string | null })[],
): Promise<ReadonlySet<RefKey<"charge">>> {
  const twins = await selectTwins(db, charges);
  const loaded = await loadCharges(db, twins);
  const isPaid = (twin: ChargeRef) => {
    const charge = loaded.get(refKey(twin));
    return charge !== undefined && isSettled(charge);
  };
  return new Set(twins.filter(isPaid).map(({ of }) => of));
}
