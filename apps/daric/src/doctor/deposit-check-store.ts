import { depositMachine, offChainDepositStatuses, unconfirmedDepositStatuses } from "@daric/domain/deposit";
import type { MerchantId } from "@daric/domain/ids";
import { WHOLE_SHARE } from "@daric/domain/money";
import { literals, oneOf, type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { BUCKET_BLOCKS, type BucketCount } from "./bucket.ts";
import { parseChecksums } from "./chain-check-store.ts";
import { type IdRange, txIdsOf } from "./id-range.ts";
import type { Violation } from "./invariant.ts";
import { byKey, findViolations } from "./violation-store.ts";

/** The merchants and the network of a check; 200 merchants at most. */
export type CheckScope = { readonly network: string; readonly merchantIds: readonly MerchantId[] };

/** Their deposits with ids in a range, or only the named ones. */
export type DepositScope = CheckScope & { readonly ids: IdRange; readonly only?: readonly string[] };

/** The condition that the id of a deposit or of an event's subject is in the scope. */
export function isAmong(id: Sql, { ids, only }: Pick<DepositScope, "ids" | "only">): Sql {
  if (only !== undefined) return sql`${id} = any(${only}::uuid[])`;
  return sql`${id} between ${ids.from}::uuid and ${ids.to}::uuid`;
}

const isConfirmed = sql`status = ${literals(depositMachine.edge("finalized").to)}`;
const isUnconfirmed = sql`status in (${literals(...unconfirmedDepositStatuses)})`;
const isOffChain = sql`status in (${literals(...offChainDepositStatuses)})`;

/** Contradictions between deposits and other tables. */
export async function findDepositViolations(db: Queryable, scope: DepositScope): Promise<Violation[]> {
  return [...(await findMisplaced(db, scope)), ...(await findForgotten(db, scope))];
}

/**
 * Transfers that are credited twice, by the unique key alone; transactions with several deposits are checked.
 */
export function findRepeated(db: Queryable, { merchantIds, ids }: DepositScope): Promise<Violation[]> {
  const txIds = txIdsOf(ids);
  return findViolations(db, {
    sample: sql`tx_id || '/' || event_index`,
    faults: [["I1", "transfer that is credited more than once", sql`true`]],
    from: sql`(
      select merchant_id, tx_id, network, source, event_index, min(address) = max(address) as is_same from deposits
      where merchant_id ${oneOf(merchantIds)} and tx_id between ${txIds.from} and ${txIds.to}
      group by merchant_id, tx_id, network, source, event_index having count(*) > 1
    ) several
    where is_same or 1 < (
      select count(*) from deposits d
      where d.merchant_id = several.merchant_id and d.tx_id = several.tx_id and d.network = several.network
        and d.source = several.source and d.event_index = several.event_index and not ${isOffChain})`,
  });
}

/** Contradictions between deposits and their blocks and charges. */
function findMisplaced(
  db: Queryable,
  { network, merchantIds, ...scope }: DepositScope,
): Promise<Violation[]> {
  // While a server of a distributed database hangs, the watcher confirms payments of solid blocks above its cursor.
  const wasSolid = sql`exists (
    select from deposit_checks c
    where c.merchant_id ${oneOf(merchantIds)} and c.merchant_id = d.merchant_id and c.deposit_id = d.id
      and c.name = 'solidity' and c.block_id = d.block_id and c.result = 'passed')`;
  return findViolations(db, {
    sample: sql`id`,
    faults: [
      [
        "I4",
        "confirmed deposit whose block is not in our chain",
        sql`${isConfirmed} and not is_in_chain and not is_unread`,
      ],
      [
        "I4",
        "confirmed deposit above the block that is final",
        sql`${isConfirmed} and block_number > solid_number and not was_solid`,
      ],
      [
        "I4",
        "confirmed deposit with too few confirmations",
        sql`${isConfirmed} and coalesce(final_confirmations, 0) < required_confirmations`,
      ],
      [
        "I5",
        "deposit with a status on our chain and a block off it",
        sql`${isUnconfirmed} and not is_in_chain and not is_unread`,
      ],
      [
        "I5",
        "deposit with a status off our chain and a block on it",
        // A quorum may have shown that the block, which stays in our chain, has no such payment.
        sql`${isOffChain} and is_in_chain and unpaid_block_id is distinct from block_id`,
      ],
      [
        "I2",
        "deposit whose credited share differs from its quote",
        sql`(share is null) <> (due is null) or share * due < units * ${WHOLE_SHARE}::numeric
          or (share - 1) * due >= units * ${WHOLE_SHARE}::numeric`,
      ],
      [
        "I13",
        "deposit to another address than that of its charge",
        sql`own_address is distinct from address`,
      ],
    ],
    from: sql`(
      select d.id, d.status, d.block_number, d.address, d.final_confirmations, d.required_confirmations,
        d.block_id, d.unpaid_block_id, d.units, d.share, applicable.due, position.solid_number, charge.address as own_address,
        ${isSharded() ? sql`d.block_number > position.number` : sql`false`} as is_unread,
        ${isSharded() ? wasSolid : sql`false`} as was_solid,
        block.id is not null and block.orphaned_at is null and block.number = d.block_number as is_in_chain
      from deposits d
      join scan_cursors position on position.network = d.network
      left join lateral (
        select id, orphaned_at, number from blocks where id = d.block_id ${byKey}
      ) block on true
      left join lateral (
        select address from deposit_addresses charge
        where charge.merchant_id = d.merchant_id and charge.id = d.deposit_address_id ${byKey}
      ) charge on true
      left join lateral (
        select coalesce(pay_units, expected_units) as due from quotes
        where quotes.merchant_id = d.merchant_id and quotes.id = d.quote_id ${byKey}
      ) applicable on true
      where d.merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`d.id`, scope)} and d.network = ${network}) placed`,
  });
}

/** Every open deposit is in the watcher's directory, and no other is. */
function findForgotten(
  db: Queryable,
  { network, merchantIds, ...scope }: DepositScope,
): Promise<Violation[]> {
  return findViolations(db, {
    sample: sql`coalesce(d.id, o.deposit_id)`,
    faults: [
      [
        "I5",
        "open deposit that is missing in open_deposits, or a final one in it",
        sql`d.id is null or o.deposit_id is null or (o.status, o.block_number) <> (d.status, d.block_number)`,
      ],
    ],
    from: sql`(
      select merchant_id, id, status, block_number from deposits
      where merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`id`, scope)}
        and network = ${network} and confirmed_at is null and failed_at is null
    ) d full join (
      select merchant_id, deposit_id, status, block_number from open_deposits
      where network = ${network} and merchant_id ${oneOf(merchantIds)} and ${isAmong(sql`deposit_id`, scope)}
    ) o on o.merchant_id = d.merchant_id and o.deposit_id = d.id`,
  });
}

/** The transfers of these merchants' deposits in our blocks, by bucket. */
export async function countTransfersOfDeposits(
  db: Queryable,
  { network, merchantIds, ids }: DepositScope,
): Promise<BucketCount[]> {
  return parseChecksums(
    await db.query(sql`
      select block_number / ${BUCKET_BLOCKS} as bucket, count(*) as transfers,
        sum(hashtextextended(block_id, 0)) as checksum
      from deposits
      where merchant_id ${oneOf(merchantIds)} and id between ${ids.from}::uuid and ${ids.to}::uuid
        and network = ${network} and not ${isOffChain} and ${isRead(network)} group by 1`),
  );
}

/** A distributed database may have deposits of blocks that are not read for all merchants yet. */
function isRead(network: string): Sql {
  if (!isSharded()) return sql`true`;
  return sql`block_number <= (select number from scan_cursors where network = ${network})`;
}

/** The blocks in these buckets with these merchants' deposits, and their number. */
export async function listTransfersOfDeposits(
  db: Queryable,
  { network, merchantIds, buckets }: CheckScope & { buckets: readonly bigint[] },
): Promise<{ id: string; number: bigint; transfers: bigint }[]> {
  return db.query(sql`
    select block_id as id, min(block_number) as number, count(*) as transfers from deposits
    where merchant_id ${oneOf(merchantIds)} and network = ${network} and not ${isOffChain}
      and block_number / ${BUCKET_BLOCKS} = any(${buckets}::bigint[]) and ${isRead(network)}
    group by block_id`);
}
