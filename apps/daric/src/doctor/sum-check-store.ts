import { depositMachine, offChainDepositStatuses, openDepositStatuses } from "@daric/domain/deposit";
import { literals, maybeOne, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import type { CheckScope } from "./deposit-check-store.ts";
import type { ChargeRange } from "./id-range.ts";
import type { Violation } from "./invariant.ts";
import { findViolations } from "./violation-store.ts";

const isConfirmed = sql`status = ${literals(depositMachine.edge("finalized").to)}`;
const isOpen = sql`status in (${literals(...openDepositStatuses)})`;
const isOffChain = sql`status in (${literals(...offChainDepositStatuses)})`;

/** The last charge of the next range; undefined if fewer are left. */
export async function findRangeEnd(
  db: Queryable,
  { merchantIds, after, limit }: Pick<CheckScope, "merchantIds"> & { after: string; limit: number },
): Promise<string | undefined> {
  const row = maybeOne(
    await db.query<{ id: string }>(sql`
      select id from deposit_addresses
      where merchant_id ${oneOf(merchantIds)} and id > ${after}::uuid
      order by id offset ${limit - 1} limit 1`),
  );
  return row?.id;
}

/** Compares the sums of a range of charges, recomputed from the deposits, with the stored ones. */
export function findMiscounted(
  db: Queryable,
  { merchantIds }: CheckScope,
  { after, upTo }: ChargeRange,
): Promise<Violation[]> {
  const inRange = sql`deposit_address_id > ${after}::uuid and deposit_address_id <= ${upTo}::uuid`;
  return findViolations(db, {
    sample: sql`deposit_address_id`,
    faults: [
      [
        "I2",
        "charge whose sums differ from those of its deposits",
        sql`coalesce(kept.confirmed, 0) <> coalesce(counted.confirmed, 0)
          or coalesce(kept.pending, 0) <> coalesce(counted.pending, 0)
          or coalesce(kept.confirmed_share, 0) <> coalesce(counted.confirmed_share, 0)
          or coalesce(kept.pending_share, 0) <> coalesce(counted.pending_share, 0)
          or coalesce(kept.dust, 0) <> coalesce(counted.dust, 0)
          or coalesce(kept.dust_pending, 0) <> coalesce(counted.dust_pending, 0)
          or coalesce(kept.unmatched, 0) <> coalesce(counted.unmatched, 0)`,
      ],
    ],
    from: sql`(
      select merchant_id, deposit_address_id, confirmed, pending, confirmed_share, pending_share, dust, dust_pending, unmatched
      from charge_sums
      where merchant_id ${oneOf(merchantIds)} and ${inRange} and (confirmed <> 0 or pending <> 0 or unmatched <> 0
        or confirmed_share <> 0 or pending_share <> 0)
    ) kept full join (
      select merchant_id, deposit_address_id,
        coalesce(sum(units) filter (where ${isConfirmed} and not unmatched), 0) as confirmed,
        coalesce(sum(units) filter (where ${isOpen} and not unmatched), 0) as pending,
        coalesce(sum(share) filter (where ${isConfirmed} and dust is not true), 0) as confirmed_share,
        coalesce(sum(share) filter (where ${isOpen} and dust is not true), 0) as pending_share,
        coalesce(sum(units) filter (where ${isConfirmed} and not unmatched and dust), 0) as dust,
        coalesce(sum(units) filter (where ${isOpen} and not unmatched and dust), 0) as dust_pending,
        coalesce(sum(units) filter (where unmatched and not ${isOffChain}), 0) as unmatched
      from deposits where merchant_id ${oneOf(merchantIds)} and ${inRange}
      group by merchant_id, deposit_address_id
    ) counted using (merchant_id, deposit_address_id)`,
  });
}
