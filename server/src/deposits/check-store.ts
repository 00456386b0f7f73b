import { joinedOf, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import type { DepositId, MerchantId } from "../domain/ids.ts";
import { inMerchantLists } from "../runtime/fair-rounds.ts";

/** What a deposit must pass before it is confirmed: its block is solid, nodes tell it alike, its address holds it. */
export type CheckName = "solidity" | "quorum" | "balance";

/** What a check found of one deposit. */
export type Check = {
  readonly merchantId: MerchantId;
  readonly depositId: DepositId;
  readonly name: CheckName;
  readonly result: "passed" | "waiting";
  /** in words for an operator */
  readonly detail: string;
};

/** Writes what checks found of deposits in one block, one row per deposit and check; of what is CONFIRMED they say why it was. */
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
        block_id = excluded.block_id, result = excluded.result, detail = excluded.detail, checked_at = now(),
        since = case when deposit_checks.result = excluded.result and deposit_checks.block_id = excluded.block_id
          then deposit_checks.since else now() end`);
  }
}

const names = ["quorum", "balance"] as const satisfies readonly CheckName[];

/** What deposits with these checks waited for before in this block, and need no more: they have all that they need here. */
export async function passNeedless(
  tx: Transaction,
  { blockId, checks }: { blockId: string; checks: readonly Check[] },
): Promise<void> {
  const given = new Set(checks.map(({ depositId, name }) => `${depositId}/${name}`));
  const others = checks.flatMap(({ merchantId, depositId, name: one }) =>
    one === "solidity" ? names.map((name) => ({ merchantId, depositId, name })) : [],
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

/** Condition on d, of these merchants: every check that it needs is passed in the block that it is in. */
export function isChecked(merchantIds: readonly MerchantId[]): Sql {
  const check = (found: Sql) => sql`
    select from deposit_checks c
    where ${joinedOf(sql`c.merchant_id`, merchantIds)} and c.merchant_id = d.merchant_id and c.deposit_id = d.id
      and c.block_id = d.block_id and ${found}`;
  return sql`(d.decision is not distinct from 'accepted' or (
    (d.source = 'transfer' and d.is_merkle_proven or exists (${check(
      sql`c.result = 'passed' and c.name = case d.source when 'transfer' then 'balance' else 'quorum' end`,
    )}))
    and not exists (${check(sql`c.name <> 'solidity' and c.result = 'waiting'`)})))`;
}

/** Condition on d: it waits for this check in the block that it is in. */
export function waitsFor(name: CheckName): Sql {
  return sql`d.decision is distinct from 'accepted' and exists (
    select from deposit_checks c
    where c.merchant_id = d.merchant_id and c.deposit_id = d.id and c.block_id = d.block_id and c.name = ${name} and c.result = 'waiting')`;
}

/** A check as it is shown. */
export type ListedCheck = Omit<Check, "merchantId"> & { readonly since: Date; readonly checkedAt: Date };

/** What the checks of a merchant's deposits found last, in the blocks that these are in now. */
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
