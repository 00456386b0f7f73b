import { chargeStateOf, chargeStates } from "@daric/domain/charge-state";
import type { ChargeId } from "@daric/domain/ids";
import { paymentState } from "@daric/domain/order";
import type { Queryable } from "@daric/postgres/sql";
import { listPage, type Page } from "@daric/totals/list-store";
import { type Charge, findCharge, toCharge } from "./charge.ts";
import type { BrowsedFilter, ChargeFilter, CountedFilter } from "./list-filter-store.ts";
import { countCharges, selectPage } from "./list-store.ts";

/** One page of a merchant's charges, and the number of all matches. The exact counts of some filters read all their rows. */
export function listCharges(
  db: Queryable,
  filter: CountedFilter,
  page: Page<ChargeId>,
): Promise<{ rows: Charge[]; total: number }> {
  return listPage(page, {
    rows: async (part) => (await readPage(db, filter, part)).rows,
    total: () => countCharges(db, filter),
    find: (id) => findCharge(db, { merchantId: filter.merchantId, id }),
  });
}

/** Like {@link listCharges}, with `next`, the row after which to read on, until the list ends. The total is null where it would read rows. */
export async function listPayments(
  db: Queryable,
  filter: BrowsedFilter,
  page: Omit<Page<ChargeId>, "offset">,
): Promise<{ rows: Charge[]; total: number | null; next: ChargeId | undefined }> {
  const { merchantId, kind, status, createdBy, ...narrower } = filter;
  const isCounted = Object.values(narrower).every((value) => value === undefined);
  let next: ChargeId | undefined;
  const { rows, total } = await listPage(
    { ...page, offset: 0 },
    {
      rows: async (part) => {
        const read = await readPage(db, filter, part);
        next = read.next;
        return read.rows;
      },
      total: async () => (isCounted ? countCharges(db, { merchantId, kind, status, createdBy }) : null),
      find: (id) => findCharge(db, { merchantId, id }),
    },
  );
  return { rows, total, next };
}

async function readPage(db: Queryable, filter: ChargeFilter, page: Page<ChargeId>) {
  const { rows, next } = await selectPage(db, filter, page);
  const { payment } = filter;
  const charges = rows.map(toCharge);
  return { rows: payment === undefined ? charges : charges.filter((charge) => isOf(charge, payment)), next };
}

/** The statement has sums, and no states. */
function isOf(charge: Charge, payment: NonNullable<ChargeFilter["payment"]>): boolean {
  const { paymentStatus } = chargeStates[chargeStateOf(charge)];
  if (payment === "paid") return paymentStatus === "paid";
  return paymentStatus !== "paid" && paymentState(charge.terms, charge.confirmed.total) === "under";
}
