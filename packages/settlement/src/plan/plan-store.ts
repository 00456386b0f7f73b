import { type Currency, perCurrency } from "@daric/domain/asset";
import type { ChargeId, MerchantId, SettlementAccountId, SettlementId, SweepId } from "@daric/domain/ids";
import type { SweepRecipient } from "@daric/domain/ledger";
import { type Amount, amountFromUnits } from "@daric/domain/money";
import { IMPORT_PREFIX } from "@daric/domain/rate";
import { endedSweepStatuses, type SweepStatus, sweepMachine, yieldingStatuses } from "@daric/domain/sweep";
import type { SweepPrice, SweepResources } from "@daric/domain/sweep-price";
import { literals, type Queryable, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";
import { listedEntries } from "../wallet-store.ts";
import { unitsAbove } from "./contents-store.ts";

const isOpen = (sweep: Sql) => sql`${sweep}.status not in (${literals(...endedSweepStatuses)})`;

/** The content of an address that may be swept, and its destination. */
export type Candidate = {
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly address: string;
  readonly currency: Currency;
  readonly units: Amount;
  readonly oldestAt: Date;
  readonly settlementAccountId: SettlementAccountId;
  /** the wallet of the settlement account, which the signer's list names too */
  readonly destination: string;
};

/**
 * The amounts and ages that are worth a sweep: `full` units of any age, `old` units from before `oldBefore`, or
 * `asked` units from before `askedBefore`.
 */
export type Bounds = {
  readonly full: bigint;
  readonly old: bigint;
  readonly oldBefore: Date;
  readonly asked: bigint;
  readonly askedBefore: Date;
};

/** SQL condition on address_contents (c): these units of it are within the bounds. */
function isWorth({ full, old, oldBefore, asked, askedBefore }: Bounds, units = sql`c.units`): Sql {
  const min = [full, old, asked].reduce((a, b) => (a < b ? a : b));
  return sql`c.units >= ${min}::numeric and ${units} > 0 and (${units} >= ${full}::numeric
    or (${units} >= ${old}::numeric and c.oldest_at <= ${oldBefore})
    or (${units} >= ${asked}::numeric and c.oldest_at <= ${askedBefore}))`;
}

/**
 * SQL: the settlement accounts whose wallet is in the signer's list. The newest entry that is not additional replaces
 * all before it; later ones add to it. The service learns an offline signer's list from its first signed file. Before
 * that, all accounts count, and the signer refuses those that it does not know.
 */
const approvedAccounts = (isOffline: boolean) => sql`
  select account.merchant_id, account.id, account.address, account.is_default
  from settlement_accounts account
  where (account.merchant_id::text, account.address) in (
      select merchant_id, address from (${listedEntries}) listed where counter >= coalesce(newest, 0) and address is not null)
    or (${isOffline} and account.merchant_id::text not in (select merchant_id from (${listedEntries}) listed))`;

/**
 * SQL: whether an open sweep (s) of an address leaves it to a sweep of another coin. It waits or is frozen, and
 * nothing of it is under way. The signer moves no TRX of an address before gas that was sent there is used.
 */
const isYielding = sql`(s.status in (${literals(...yieldingStatuses)}) and not s.is_offline and not exists (
  select from sweep_transactions t where t.merchant_id = s.merchant_id and t.sweep_id = s.id and (t.outcome is null or (t.outcome = 'landed' and t.purpose = 'top_up'))))`;

/**
 * The next contents of all merchants to sweep, the largest first, up to a height. Their addresses have no open sweep,
 * or only one of another coin that waits. A row without a time is left out, and the doctor names it (I25). Their signed transactions expire before `signedUntil`, because until then
 * the signer refuses another one.
 */
export async function findCandidates(
  db: Queryable,
  { currency, bounds, height, signedUntil, isOffline, pausedWallets, limit }: CandidateQuery,
): Promise<Candidate[]> {
  const settled = sql`(c.units - ${unitsAbove(height)})`;
  const rows = await db.query<Omit<Candidate, "units"> & { units: string }>(
    globally(
      "contents-to-sweep",
      sql`
        with approved as materialized (${approvedAccounts(isOffline)})
        select c.merchant_id as "merchantId", c.deposit_address_id as "chargeId", a.address, c.currency, ${settled}::text as units,
          c.oldest_at as "oldestAt", account.id as "settlementAccountId", account.address as destination
        from address_contents c
        join deposit_addresses a on a.merchant_id = c.merchant_id and a.id = c.deposit_address_id
        join approved account on account.merchant_id = a.merchant_id
          and (account.id = a.settlement_account_id or (a.settlement_account_id is null and account.is_default))
        where c.merchant_id in (select merchant_id from approved) and c.currency = ${currency} and c.oldest_at is not null
          and ${isWorth(bounds, settled)} and account.merchant_id || ' ' || account.address <> all(${pausedWallets}::text[])
          and not exists (
            select from sweeps s
            where s.merchant_id = c.merchant_id and s.deposit_address_id = c.deposit_address_id
              and ((${isOpen(sql`s`)} and (s.currency = c.currency or not ${isYielding})) or exists (
                select from sweep_transactions t
                where t.merchant_id = s.merchant_id and t.sweep_id = s.id and t.purpose = 'sweep'
                  and (t.tx_id is not null or s.is_offline) and t.expires_at >= ${signedUntil})))
        order by ${settled} desc limit ${limit}`,
    ),
  );
  return rows.map((row) => ({ ...row, units: amountFromUnits(BigInt(row.units)) }));
}

/** Contents without an open sweep that a plan leaves out. */
export type UnplannedContents = {
  readonly reason: "uneconomic" | "no_rate" | "no_approved_wallet";
  readonly addresses: number;
  readonly units: Amount;
  readonly oldestAt: Date;
};

/** The contents of all merchants that a plan within these bounds leaves out, by reason. Without a rate there are no bounds. */
export async function sumUnplanned(
  db: Queryable,
  { currency, bounds }: { readonly currency: Currency; readonly bounds: Bounds | undefined },
): Promise<UnplannedContents[]> {
  const rows = await db.query<Omit<UnplannedContents, "units"> & { units: string }>(
    globally(
      "contents-left",
      sql`
        with approved as materialized (${approvedAccounts(false)}), found as (
          select c.units, c.oldest_at, ${bounds === undefined ? sql`false` : isWorth(bounds)} as is_worth, exists (
              select from approved account where account.merchant_id = a.merchant_id
                and (account.id = a.settlement_account_id or (a.settlement_account_id is null and account.is_default))
            ) as is_approved
          from address_contents c
          join deposit_addresses a on a.merchant_id = c.merchant_id and a.id = c.deposit_address_id
          where c.currency = ${currency} and c.units > 0 and c.oldest_at is not null and not exists (
            select from sweeps s where s.merchant_id = c.merchant_id and s.deposit_address_id = c.deposit_address_id and ${isOpen(sql`s`)}))
        select case when is_approved then ${bounds ? "uneconomic" : "no_rate"} else 'no_approved_wallet' end as reason, count(*)::float8 as addresses,
          sum(units)::text as units, min(oldest_at) as "oldestAt"
        from found where not (is_worth and is_approved) group by 1 order by 1`,
    ),
  );
  return rows.map((row) => ({ ...row, units: amountFromUnits(BigInt(row.units)) }));
}

type CandidateQuery = {
  readonly currency: Currency;
  readonly bounds: Bounds;
  /** what came in later blocks is not settled yet */
  readonly height: number;
  readonly signedUntil: Date;
  /** for a signer without a network */
  readonly isOffline: boolean;
  /** wallets that nothing is sent to, by `walletKey` */
  readonly pausedWallets: readonly string[];
  readonly limit: number;
};

/** A sweep of a new plan. */
export type PlannedSweep = SweepPrice & {
  readonly id: SweepId;
  readonly settlementId: SettlementId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  readonly currency: Currency;
  readonly recipient: SweepRecipient;
  readonly destination: string;
  readonly resources: SweepResources;
  readonly status: SweepStatus;
  readonly reason: string | null;
  readonly waitMs: number;
  /** a signer without a network signs it */
  readonly isOffline: boolean;
};

export type PlannedSettlement = {
  readonly id: SettlementId;
  readonly merchantId: MerchantId;
  readonly currency: Currency;
  readonly settlementAccountId: SettlementAccountId;
};

export type StoredPlan = {
  readonly settlements: readonly PlannedSettlement[];
  readonly sweeps: readonly PlannedSweep[];
};

/** Stores a plan. Returns its sweeps, without those whose address has another open sweep. */
export async function insertPlan(
  tx: Transaction,
  { settlements, sweeps }: StoredPlan,
): Promise<PlannedSweep[]> {
  await dropYielding(
    tx,
    sweeps.filter(({ status }) => status === "PLANNED"),
  );
  await tx.query(sql`
    insert into settlements (merchant_id, id, currency, settlement_account_id, status)
    select *, 'OPEN' from unnest(
      ${settlements.map(({ merchantId }) => merchantId)}::uuid[], ${settlements.map(({ id }) => id)}::uuid[],
      ${settlements.map(({ currency }) => currency)}::text[],
      ${settlements.map(({ settlementAccountId }) => settlementAccountId)}::uuid[])`);
  const stored = await tx.query<{ id: SweepId }>(sql`
    insert into sweeps (merchant_id, id, settlement_id, deposit_address_id, currency, recipient, destination, units, resources,
      price, top_up_units, energy, fee_limit, status, reason, due_at, is_offline)
    select merchant_id, id, settlement_id, charge_id, currency, recipient, destination, units, resources, price, top_up, energy,
      fee_limit, status, reason, now() + wait_ms * interval '1 millisecond', is_offline
    from unnest(
      ${sweeps.map(({ merchantId }) => merchantId)}::uuid[], ${sweeps.map(({ id }) => id)}::uuid[],
      ${sweeps.map(({ settlementId }) => settlementId)}::uuid[], ${sweeps.map(({ chargeId }) => chargeId)}::uuid[],
      ${sweeps.map(({ currency }) => currency)}::text[], ${sweeps.map(({ recipient }) => recipient)}::text[],
      ${sweeps.map(({ destination }) => destination)}::text[], ${sweeps.map(({ units }) => units)}::bigint[],
      ${sweeps.map(({ resources }) => resources)}::text[], ${sweeps.map(({ price }) => price)}::bigint[],
      ${sweeps.map(({ topUp }) => topUp)}::bigint[], ${sweeps.map(({ energy }) => energy)}::bigint[],
      ${sweeps.map(({ feeLimit }) => feeLimit)}::bigint[], ${sweeps.map(({ status }) => status)}::text[],
      ${sweeps.map(({ reason }) => reason)}::text[], ${sweeps.map(({ waitMs }) => waitMs)}::float8[],
      ${sweeps.map(({ isOffline }) => isOffline)}::boolean[]
    ) as planned (merchant_id, id, settlement_id, charge_id, currency, recipient, destination, units, resources, price, top_up,
      energy, fee_limit, status, reason, wait_ms, is_offline)
    on conflict (merchant_id, deposit_address_id) where status not in (${literals(...endedSweepStatuses)}) do nothing
    returning id`);
  const ids = new Set(stored.map(({ id }) => id));
  return sweeps.filter(({ id }) => ids.has(id));
}

/** Drops the waiting sweeps of these addresses: another coin is sent first, and then their coin is planned anew. */
async function dropYielding(tx: Transaction, sweeps: readonly PlannedSweep[]): Promise<void> {
  await tx.query(sql`
    update sweeps s set status = ${sweepMachine.edge("dropped").to}, updated_at = now(),
      reason = 'another coin of its address is sent first, then it is planned anew'
    from unnest(
      ${sweeps.map(({ merchantId }) => merchantId)}::uuid[], ${sweeps.map(({ chargeId }) => chargeId)}::uuid[]
    ) as planned (merchant_id, charge_id)
    where s.merchant_id = planned.merchant_id and s.deposit_address_id = planned.charge_id and ${isYielding}`);
}

/**
 * The newest rates of the last three days, in 10^-8 USD. They decide whether a sweep is worth its price, and value no
 * payment.
 */
export async function findRates(db: Queryable): Promise<ReadonlyMap<Currency, bigint>> {
  const rows = await db.query<{ currency: Currency; usdE8: bigint }>(sql`
    select distinct on (currency) currency, usd_e8 as "usdE8" from rates
    where usd_e8 is not null and minute > now() - interval '3 days' and not starts_with(source, ${IMPORT_PREFIX})
    order by currency, minute desc`);
  return new Map(rows.map(({ currency, usdE8 }) => [currency, usdE8]));
}

/** The sweeps under way of each coin, without those in a `waiting` status and without exported ones. */
export async function countUnderWay(
  db: Queryable,
  waiting: readonly SweepStatus[],
): Promise<Readonly<Record<Currency, number>>> {
  const rows = await db.query<{ currency: Currency; count: bigint }>(
    globally(
      "sweeps-under-way",
      sql`
        select s.currency, count(*) from sweeps s
        where ${isOpen(sql`s`)} and not s.is_offline and s.status not in (${literals(...waiting)}) group by 1`,
    ),
  );
  const counts = new Map(rows.map(({ currency, count }) => [currency, Number(count)]));
  return perCurrency((currency) => counts.get(currency) ?? 0);
}

/** The operator's wallet for its fees, by the newest entry of the signer's list; undefined if none is approved. */
export async function findOperatorWallet(db: Queryable): Promise<string | undefined> {
  const rows = await db.query<{ address: string | null }>(sql`
    select address from signer_destinations where merchant_id = 'operator' and acts_from <= now()
    order by counter desc limit 1`);
  return rows[0]?.address ?? undefined;
}

/**
 * The units that the operator may still take from a merchant's money this month (UTC). That is the ceiling in the
 * merchant's entry less the units that were signed.
 */
export async function findFeeAllowance(
  db: Queryable,
  { merchantId, currency }: { merchantId: MerchantId; currency: Currency },
): Promise<Amount> {
  const rows = await db.query<{ left: string }>(sql`
    select (coalesce((
        select (listed.fee_ceiling ->> ${currency})::numeric from signer_destinations listed
        where listed.merchant_id = ${merchantId}::uuid::text and listed.acts_from <= now()
        order by listed.counter desc limit 1), 0)
      - coalesce((
        select sum(s.units) from sweeps s
        join sweep_transactions t on t.merchant_id = s.merchant_id and t.sweep_id = s.id and t.purpose = 'sweep'
          and t.tx_id is not null and t.created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
        where s.merchant_id = ${merchantId} and s.currency = ${currency} and s.recipient = 'operator'), 0))::text as left`);
  return amountFromUnits(BigInt(rows[0]?.left ?? "0"));
}

/** Since when an address has held money of a currency; undefined if it holds none. */
export async function findOldestAt(
  db: Queryable,
  { merchantId, chargeId, currency }: Pick<Candidate, "merchantId" | "chargeId" | "currency">,
): Promise<Date | undefined> {
  const rows = await db.query<{ oldestAt: Date | null }>(sql`
    select oldest_at as "oldestAt" from address_contents
    where merchant_id = ${merchantId} and deposit_address_id = ${chargeId} and currency = ${currency}`);
  return rows[0]?.oldestAt ?? undefined;
}
