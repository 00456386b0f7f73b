import { joinedOf, type Queryable, sql } from "@daric/postgres/sql";
import { addressToHex } from "@daric/tron/address";
import { unconfirmedDepositStatuses } from "../domain/deposit.ts";
import type { DepositId } from "../domain/ids.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";
import type { Purse } from "./movement-store.ts";

/** What else waits at a purse in one block of ours, added up, however many they are. */
export type Others = {
  readonly blockNumber: number;
  readonly blockId: string;
  readonly isStuck: boolean;
  readonly units: bigint;
  /** those of them that whoever told the block shows in it; all of them where nobody has told it */
  readonly shownUnits: bigint;
  /** as that of a deposit, of the earliest */
  readonly readAt: Date;
};

/** What was told of our blocks: which, and the transfers in them by their keys (`shown-transfers.ts`). */
export type ToldTransfers = { readonly blockIds: readonly string[]; readonly keys: readonly string[] };

type OthersOf<P> = {
  readonly network: string;
  readonly purses: readonly P[];
  /** the deposits that are seen one by one */
  readonly but: readonly DepositId[];
  readonly told: ToldTransfers;
};

/** What waits at these purses beside these deposits, block by block, the oldest first, in the order of the purses. */
export async function findOthers<P extends Purse>(
  db: Queryable,
  { purses, ...asked }: OthersOf<P>,
): Promise<Map<P, readonly Others[]>> {
  const found = new Map<P, Others[]>(purses.map((purse) => [purse, []]));
  for (const list of inMerchantLists(purses))
    for (const { place, ...others } of await selectOthers(db, { ...asked, purses: list })) {
      const purse = list[Number(place) - 1];
      if (purse !== undefined) found.get(purse)?.push(toOthers(others));
    }
  return found;
}

type OthersRow = Omit<Others, "blockNumber" | "units" | "shownUnits"> & {
  readonly blockNumber: bigint;
  readonly units: string;
  readonly shownUnits: string;
};

function toOthers({ blockNumber, units, shownUnits, ...others }: OthersRow): Others {
  return {
    ...others,
    blockNumber: Number(blockNumber),
    units: BigInt(units),
    shownUnits: BigInt(shownUnits),
  };
}

/**
 * Of 200 merchants at most. What is open of them is gone through once, whatever the number of purses, and found by its key, to
 * which the limit of one keeps the planner.
 */
function selectOthers(
  db: Queryable,
  { network, purses, but, told }: OthersOf<Purse>,
): Promise<(OthersRow & { place: bigint })[]> {
  const ofPurses = purses.map(({ merchantId }) => merchantId);
  const chargeIds = purses.map(({ chargeId }) => chargeId);
  const hexes = purses.map(({ address }) => addressToHex(address));
  const merchantIds = [...new Set(ofPurses)];
  return db.query(sql`
    with waiting as materialized (
      select paid_in.* from unnest(${merchantIds}::uuid[]) as paid (merchant_id)
      join open_deposits o on ${joinedOf(sql`o.merchant_id`, merchantIds)} and o.merchant_id = paid.merchant_id
        and o.network = ${network} and not o.is_covered and o.status = any(${unconfirmedDepositStatuses})
        and o.deposit_id <> all(${but}::uuid[])
      cross join lateral (
        select d.merchant_id, d.deposit_address_id, d.currency, d.block_number, d.block_id, d.units,
          d.status = 'STUCK' as is_stuck, least(d.created_at, d.block_time) as read_at,
          concat_ws('/', d.tx_id, d.source, d.event_index) as place_in_block
        from deposits d
        where ${joinedOf(sql`d.merchant_id`, merchantIds)} and d.merchant_id = o.merchant_id and d.id = o.deposit_id limit 1
      ) paid_in
      where paid_in.deposit_address_id = any(${chargeIds}::uuid[])
    )
    select purse.place, waiting.block_number as "blockNumber", waiting.block_id as "blockId",
      waiting.is_stuck as "isStuck", min(waiting.read_at) as "readAt", sum(waiting.units)::text as units,
      coalesce(sum(waiting.units) filter (
        where waiting.block_id <> all(${told.blockIds}::text[])
          or concat_ws('/', waiting.place_in_block, purse.hex, waiting.currency, waiting.units) = any(${told.keys}::text[])
      ), 0)::text as "shownUnits"
    from unnest(${ofPurses}::uuid[], ${chargeIds}::uuid[], ${purses.map(({ currency }) => currency)}::text[], ${hexes}::text[])
      with ordinality as purse (merchant_id, charge_id, currency, hex, place)
    join waiting on waiting.merchant_id = purse.merchant_id and waiting.deposit_address_id = purse.charge_id
      and waiting.currency = purse.currency
    group by purse.place, waiting.block_number, waiting.block_id, waiting.is_stuck
    order by waiting.block_number`);
}
