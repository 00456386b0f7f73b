import type { Queryable } from "@daric/postgres/sql";
import { type Charge, findCharge, loadCharges } from "../../charges/charge.ts";
import { countCharges } from "../../charges/list-store.ts";
import { chargeStateOf, chargeStates } from "../../domain/charge-state.ts";
import { ApiError } from "../../domain/errors.ts";
import { type ChargeId, refKey } from "../../domain/ids.ts";
import { paymentState } from "../../domain/order.ts";
import { findPlaces, type PaymentFilter } from "./list-store.ts";

type Payments = {
  readonly charges: readonly Charge[];
  /** of the whole list; undefined if only a read of the whole list gives it */
  readonly total: number | undefined;
  readonly next: ChargeId | undefined;
};

/**
 * One page of payments. It may have fewer rows than were asked for, or none: `next` leads on until the list ends.
 *
 * @throws VALIDATION_ERROR if the merchant has no charge `after`.
 */
export async function listPayments(
  db: Queryable,
  filter: PaymentFilter,
  page: { readonly limit: number; readonly after: ChargeId | undefined },
): Promise<Payments> {
  const { merchantId, kind, status, payment, reference, from, to } = filter;
  const isCounted = [payment, reference, from, to].every((value) => value === undefined);
  const [{ ids, next }, total] = await Promise.all([
    findPlaces(db, filter, page),
    isCounted ? countCharges(db, { merchantId, kind, status }) : undefined,
  ]);
  if (ids.length === 0 && page.after !== undefined) await refuseUnknown(db, { merchantId, id: page.after });
  const refs = ids.map((id) => ({ merchantId, id }));
  const found = await loadCharges(db, refs);
  const charges = refs
    .flatMap((ref) => found.get(refKey(ref)) ?? [])
    .filter((charge) => payment === undefined || isOf(charge, payment));
  return { charges, next, total };
}

async function refuseUnknown(db: Queryable, ref: Parameters<typeof findCharge>[1]): Promise<void> {
  if ((await findCharge(db, ref)) === undefined)
    throw new ApiError("VALIDATION_ERROR", {
      details: [{ path: "after", message: "must be the id of a row of this list" }],
    });
}

function isOf(charge: Charge, payment: NonNullable<PaymentFilter["payment"]>): boolean {
  const { paymentStatus } = chargeStates[chargeStateOf(charge)];
  if (payment === "paid") return paymentStatus === "paid";
  return paymentStatus !== "paid" && paymentState(charge.terms, charge.confirmed.total) === "under";
}
