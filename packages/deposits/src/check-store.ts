import type { StuckReason } from "@daric/domain/deposit";
import type { DepositId, MerchantId } from "@daric/domain/ids";
import { joinedOf, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { inMerchantLists } from "@daric/runtime/fair-rounds";

/** The checks before a deposit is confirmed: its block is solid, enough nodes agree, and its address holds the money. */
export type CheckName = StuckReason;

export type Check = {
  readonly merchantId: MerchantId;
  readonly depositId: DepositId;
  readonly name: CheckName;
  readonly result: "passed" | "waiting";
  readonly detail: string;
};

/** Writes the results of checks in one block, one row per deposit and check. Rows of CONFIRMED deposits stay as they are. */
export async function saveChecks(
  tx: Transaction,
  { blockId, checks }: { blockId: string; checks: readonly Check[] },
): Promise<void> {
  for (const list of inMerchantLists(checks)) {
    await tx.query(sql`
      insert into deposit_checks (merchant_id, deposit_id, name, block_id, result, detail)
      select merchant_id, deposit_id, name, ${blockId}, result, detail
      from unnest(
        ${list.map(({ merchantId }) => merchantId)}::uuid[], ${list.map(({ depositId }) => depositId)}::uuid[],
        ${list.map(({ name }) => name)}::text[], ${list.map(({ result }) => result)}::text[],
        ${list.map(({ detail }) => detail)}::text[]
      ) as found (merchant_id, deposit_id, name, result, detail)
      where not exists (
        select from deposits d
        where ${joinedOf(
          sql`d.merchant_id`,
          list.map(({ merchantId }) => merchantId),
        )} and d.merchant_id = found.merchant_id and d.id = found.deposit_id and d.status = 'CONFIRMED')
      order by merchant_id, deposit_id, name
      on conflict (merchant_id, deposit_id, name) do update set
        block_id = excluded.block_id, result = excluded.result, detail = excluded.detail, checked_at = excluded.checked_at,
        since = case when deposit_checks.result = excluded.result and deposit_checks.block_id = excluded.block_id
          then deposit_checks.since else excluded.since end`);
  }
}

const names = ["quorum", "balance"] as const satisfies readonly CheckName[];

/** Marks waiting checks in this block as passed if the deposit no longer needs them. */
export async function passNeedless(
  tx: Transaction,
  { blockId, checks }: { blockId: string; checks: readonly Check[] },
): Promise<void> {
  const given = new Set(checks.map(({ depositId, name }) => `${depositId}/${name}`));
  const others = checks.flatMap(({ merchantId, depositId, name: checkName }) =>
    checkName === "solidity" ? names.map((name) => ({ merchantId, depositId, name })) : [],
  );
  const needless = others.filter(({ depositId, name }) => !given.has(`${depositId}/${name}`));
  for (const list of inMerchantLists(needless)) {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    await tx.query(sql`
      update deposit_checks c
      set result = 'passed', detail = 'it is not needed any more', since = now(), checked_at = now()
      from unnest(${merchantIds}::uuid[], ${list.map(({ depositId }) => depositId)}::uuid[],
        ${list.map(({ name }) => name)}::text[]) as needless (merchant_id, deposit_id, name)
      where ${joinedOf(sql`c.merchant_id`, merchantIds)} and c.merchant_id = needless.merchant_id
        and c.deposit_id = needless.deposit_id and c.name = needless.name
        and c.block_id = ${blockId} and c.result = 'waiting'`);
  }
}

/** SQL condition on d: the deposit has passed every check that it needs in its current block. */
export function isChecked(merchantIds: readonly MerchantId[]): Sql {
  const check = (condition: Sql) => sql`
    select from deposit_checks c
    where ${joinedOf(sql`c.merchant_id`, merchantIds)} and c.merchant_id = d.merchant_id and c.deposit_id = d.id
      and c.block_id = d.block_id and ${condition}`;
  return sql`(d.decision is not distinct from 'accepted' or (
    (d.source = 'transfer' and d.is_merkle_proven or exists (${check(
      sql`c.result = 'passed' and c.name = case when d.source = 'transfer' then 'balance' else 'quorum' end`,
    )}))
    and not exists (${check(sql`c.name <> 'solidity' and c.result = 'waiting'`)})))`;
}

/** SQL condition on d: the deposit waits for this check in its current block. */
export function waitsFor(name: CheckName, merchantIds: readonly MerchantId[]): Sql {
  return sql`d.decision is distinct from 'accepted' and exists (
    select from deposit_checks c
    where ${joinedOf(sql`c.merchant_id`, merchantIds)} and c.merchant_id = d.merchant_id and c.deposit_id = d.id
      and c.block_id = d.block_id and c.name = ${name} and c.result = 'waiting')`;
}

export type ListedCheck = Omit<Check, "merchantId"> & { readonly since: Date; readonly checkedAt: Date };

/** The latest checks of a merchant's deposits, for their current blocks. */
export async function listChecks(
  db: Queryable,
  { merchantId, depositIds }: { merchantId: MerchantId; depositIds: readonly DepositId[] },
): Promise<ListedCheck[]> {
  return db.query<ListedCheck>(sql`
    select c.deposit_id as "depositId", c.name, c.result, c.detail, c.since, c.checked_at as "checkedAt"
    from deposit_checks c
    join deposits d on d.merchant_id = ${merchantId} and d.id = c.deposit_id and d.block_id = c.block_id
    where c.merchant_id = ${merchantId} and c.deposit_id = any(${depositIds}::uuid[])
    order by c.deposit_id, c.checked_at, c.name desc`);
}
