import { findChargesByToken, findRefsByToken, type ShownCharge } from "@daric/charges/charge";
import { tokenBytes } from "@daric/charges/checkout-token";
import type { Currency } from "@daric/domain/asset";
import type { Branding, CheckoutDeposit, CheckoutRecord, OtherPage } from "@daric/domain/checkout";
import { amountFromUnits } from "@daric/domain/money";
import { isSettled } from "@daric/domain/order";
import { joinedOf, type Naming, oneOf, type Queryable, type Sql, sql, unnamed } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";
import { byMerchantLists } from "@daric/runtime/fair-rounds";
import { isInChain, standingRest } from "@daric/totals/sums-store";

/**
 * The other page of an ended order that is not paid at its own address, as JSON. That of an accepted order is its rest. That of another
 * one is its first order if that is accepted or paid too late. Before that it is the rest that stands for the first order.
 */
const otherPage = (of: Naming): Sql => sql`
  case when charge.kind = 'order' and charge.status <> 'ACTIVE' and charge.paid_at is null then (
    select json_build_object(
      'token', case when charge.accepted_at is not null or coalesce(first.accepted_at, first.paid_at) is null
        then coalesce(rest.checkout_token, first.checkout_token) else first.checkout_token end,
      'received', case when charge.accepted_at is not null then (
        select sum(got.confirmed - got.dust) from deposit_addresses paying
        join charge_sums got on ${of(sql`got.merchant_id`)}
          and got.merchant_id = paying.merchant_id and got.deposit_address_id = paying.id
        where ${of(sql`paying.merchant_id`)} and paying.merchant_id = charge.merchant_id and paying.rest_of = charge.id) end::text)
    from deposit_addresses first
    left join lateral (${standingRest(sql`rest.checkout_token`, {
      merchantId: sql`charge.merchant_id`,
      first: sql`first.id`,
      of,
    })}) rest on true
    where ${of(sql`first.merchant_id`)} and first.merchant_id = charge.merchant_id and first.id = coalesce(charge.rest_of, charge.id)
  ) end`;

/**
 * The version of a `charge` with its `sums`, its `merchant` and the `chain`. It has the last writers of the
 * rows and the effects of time: confirmations of pending deposits, the expiry, and the end of the rate. Every
 * change of a deposit writes its sums; every valid quote writes its charge. It has the other page too.
 */
const checkoutVersion = (of: Naming): Sql => sql`
  concat_ws(' ', charge.xmin, merchant.xmin, sums.xmin, case when sums.open > 0 then chain.number end,
    chain.time > charge.expires_at, case when charge.quote_expires_at <= now() then 'lapsed' end, ${otherPage(of)})`;

/** The newest read block. */
const CHAIN_PLACE: Sql = sql`(select max(number) as number, max(time) as time from scan_cursors) chain`;

/**
 * The tokens whose checkout no longer has the given version: one statement, which reads three rows of each and no deposit. Of an
 * ended order it also reads the family.
 */
export async function findChangedTokens(
  db: Queryable,
  tokens: readonly string[],
  versions: readonly string[],
): Promise<string[]> {
  if (isSharded()) return findChangedOnServers(db, tokens, versions);
  // A limit keeps the planner on the tables' keys, whatever length of the list it expects.
  const rows = await db.query<{ token: string }>(sql`
    select now_shown.token
    from unnest(${tokens.map(tokenBytes)}::bytea[], ${versions}::text[]) as known (token, version)
    cross join ${CHAIN_PLACE}
    cross join lateral (
      select charge.checkout_token as token, ${checkoutVersion(unnamed)} as version
      from token_directory directory
      join deposit_addresses charge
        on charge.merchant_id = directory.merchant_id and charge.id = directory.charge_id
      join merchants merchant on merchant.id = directory.merchant_id
      left join charge_sums sums
        on sums.merchant_id = directory.merchant_id and sums.deposit_address_id = directory.charge_id
      where directory.token = known.token limit 1
    ) now_shown
    where now_shown.version <> known.version`);
  return rows.map(({ token }) => token);
}

/**
 * As {@link findChangedTokens}: on a distributed database every server is asked for the tokens first, then the server of
 * each merchant. A token on a server that does not answer counts as changed, so no old state is shown as the present one.
 */
async function findChangedOnServers(
  db: Queryable,
  tokens: readonly string[],
  versions: readonly string[],
): Promise<string[]> {
  const refs = await findRefsByToken(db, tokens);
  const shown = await byMerchantLists(refs, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    const of = (column: Sql) => joinedOf(column, merchantIds);
    return db.query<{ token: string; version: string }>(sql`
      select charge.checkout_token as token, ${checkoutVersion(of)} as version
      from deposit_addresses charge
      join merchants merchant on ${of(sql`merchant.id`)} and merchant.id = charge.merchant_id
      left join charge_sums sums
        on ${of(sql`sums.merchant_id`)} and sums.merchant_id = charge.merchant_id and sums.deposit_address_id = charge.id
      cross join ${CHAIN_PLACE}
      where charge.merchant_id ${oneOf(merchantIds)} and charge.id = any(${list.map(({ id }) => id)}::uuid[])`);
  });
  const now = new Map(shown.map(({ token, version }) => [token, version]));
  return tokens.filter((token, index) => now.get(token) !== versions[index]);
}

/** The most deposits of a page. The sums come from the charge, not from these. */
const MAX_DEPOSITS = 10;
/** A page looks past at most so many deposits of dust for those that it shows. */
const MAX_DUST = 1_000;
/** The newest unmatched deposits, dust included, of which each coin is summed. */
const MAX_SUMMED = 1_000;

/** A deposit as JSON: units and time are text. */
type DepositColumns = Omit<CheckoutDeposit, "amount" | "sentAt" | "confirmedAt"> & {
  units: string;
  sentAt: string;
  confirmedAt: string | null;
};
type Columns = Branding & {
  readonly version: string;
  readonly dustDeposits: number;
  readonly now: Date;
  readonly databaseNow: Date;
  readonly createdAt: Date;
  readonly link: CheckoutRecord["link"];
  readonly otherPage: { readonly token: string; readonly received: string | null } | null;
  /** null without deposits */
  readonly deposits: readonly DepositColumns[] | null;
  readonly unmatchedDeposits: readonly DepositColumns[] | null;
  /** null without unmatched money */
  readonly unmatched: readonly { readonly currency: Currency; readonly units: string }[] | null;
};

/** The data for the holder of a checkout token. While `version` is the same, so is the data. */
export type Checkout = {
  readonly charge: ShownCharge;
  readonly record: CheckoutRecord;
  readonly version: string;
};

/**
 * Reads the checkouts of tokens in one statement, with any number of deposits; unknown tokens are left out.
 */
export async function findCheckouts(
  db: Queryable,
  tokens: readonly string[],
): Promise<Map<string, Checkout>> {
  const found = await findChargesByToken<Columns>(db, tokens, checkoutColumns);
  return new Map(
    [...found].map(([token, { charge, beside }]) => [
      token,
      { charge, record: toRecord(beside, charge), version: beside.version },
    ]),
  );
}

/** The payment link that made a `charge`, as JSON. */
const linkOf = (of: Naming): Sql => sql`
  case when charge.payment_link_id is not null then (
    select json_build_object('title', link.title, 'thanks', link.thanks) from payment_links link
    where ${of(sql`link.merchant_id`)} and link.merchant_id = charge.merchant_id and link.id = charge.payment_link_id) end`;

/** The columns of a `charge` with its `sums`. An unpaid one is not joined with the deposits. */
function checkoutColumns(of: Naming): Sql {
  return sql`
    select merchant.name, merchant.logo_id as "logoId", merchant.accent_color as "accentColor",
      merchant.support_email as "supportEmail", merchant.support_url as "supportUrl",
      merchant.checkout_languages as "languages", merchant.embed_origins as "embedOrigins",
      ${checkoutVersion(of)} as version, coalesce(sums.dust_deposits, 0) as "dustDeposits",
      greatest(now(), chain.time) as now, now() as "databaseNow", charge.created_at as "createdAt",
      ${otherPage(of)} as "otherPage", ${linkOf(of)} as link,
      case when sums.newest_block_time is not null then (
        select json_agg(${depositAsJson()} order by deposit.is_final, deposit.created_at desc, deposit.id desc)
        from (${shownDeposits(of)}) deposit
      ) end as deposits,
      case when sums.unmatched > sums.dust_unmatched then (
        select json_agg(${depositAsJson()} order by deposit.created_at desc, deposit.id desc)
        from (${shownUnmatched(of)}) deposit
      ) end as "unmatchedDeposits",
      case when sums.unmatched > sums.dust_unmatched then (${unmatchedByCoin(of)}) end as unmatched
    from merchants merchant cross join ${CHAIN_PLACE}
    where ${of(sql`merchant.id`)} and merchant.id = charge.merchant_id`;
}

function depositAsJson(): Sql {
  return sql`
    json_build_object(
      'txId', deposit.tx_id, 'units', deposit.units::text, 'currency', deposit.currency, 'status', deposit.status,
      'blockNumber', deposit.block_number,
      'headNumber', coalesce(
        (select number from scan_cursors where network = deposit.network), deposit.block_number),
      'requiredConfirmations', deposit.required_confirmations,
      'finalConfirmations', deposit.final_confirmations, 'late', deposit.late, 'from', deposit.from_address,
      'sentAt', least(deposit.block_time, deposit.detected_at), 'confirmedAt', deposit.confirmed_at
    )`;
}

function newestUnmatched(of: Naming, limit: Sql): Sql {
  return sql`
    select * from deposits
    where ${of(sql`deposits.merchant_id`)} and deposits.merchant_id = charge.merchant_id
      and deposits.deposit_address_id = charge.id and deposits.unmatched
    order by created_at desc, id desc limit ${limit}`;
}

/** `charge_sums` adds all coins: what it has beyond the newest deposits counts to the coin of the oldest of these. */
function unmatchedByCoin(of: Naming): Sql {
  return sql`
    select json_agg(json_build_object('currency', currency, 'units', units::text) order by currency) from (
      select currency, sum(units) + case when row_number() over (order by min(created_at), currency) = 1
        then sums.unmatched - sums.dust_unmatched - sum(sum(units)) over () else 0 end as units
      from (${newestUnmatched(of, sql`${MAX_SUMMED}`)}) newest
      where dust is not true and ${isInChain} group by currency
    ) coins`;
}

function shownUnmatched(of: Naming): Sql {
  return sql`
    select * from (
      ${newestUnmatched(of, sql`${MAX_DEPOSITS} + least(sums.dust_deposits, ${MAX_DUST})`)}
    ) newest where dust is not true order by created_at desc, id desc limit ${MAX_DEPOSITS}`;
}

/**
 * The shown deposits, merged from the ends of two indexes. Twice as many of the newest are read as shown: if
 * deposits that can still change do not fill the page, these do.
 */
function shownDeposits(of: Naming): Sql {
  const newest = sql`
    ${of(sql`deposits.merchant_id`)} and deposits.merchant_id = charge.merchant_id and deposits.deposit_address_id = charge.id
    and not deposits.unmatched`;
  const isOpen = sql`confirmed_at is null and failed_at is null`;
  return sql`
    select * from (
      (
        select deposits.*, false as is_final from deposits where ${newest} and ${isOpen} and dust is not true and sums.open > 0
        order by created_at desc, id desc limit ${MAX_DEPOSITS}
      )
      union all
      select * from (
        select deposits.*, true as is_final from deposits where ${newest}
        order by created_at desc, id desc limit ${2 * MAX_DEPOSITS} + least(sums.dust_deposits, ${MAX_DUST})
      ) newest where not (${isOpen}) and dust is not true
    ) merged
    order by is_final, created_at desc, id desc limit ${MAX_DEPOSITS}`;
}

function toRecord(
  { dustDeposits, now, databaseNow, createdAt, ...columns }: Columns,
  charge: ShownCharge,
): CheckoutRecord {
  const { name, logoId, accentColor, supportEmail, supportUrl, languages, embedOrigins } = columns;
  return {
    merchant: { name, logoId, accentColor, supportEmail, supportUrl, languages, embedOrigins },
    createdAt,
    link: columns.link,
    deposits: (columns.deposits ?? []).map(toDeposit),
    unmatchedDeposits: (columns.unmatchedDeposits ?? []).map(toDeposit),
    unmatched: (columns.unmatched ?? []).map(({ currency, units }) => ({
      currency,
      amount: amountFromUnits(BigInt(units)),
    })),
    dustDeposits,
    otherPage: toOtherPage(columns, charge),
    now,
    databaseNow,
  };
}

function toOtherPage({ otherPage }: Pick<Columns, "otherPage">, charge: ShownCharge): OtherPage | null {
  if (otherPage === null || otherPage.token === charge.checkoutToken) return null;
  const { token, received } = otherPage;
  return { token, takesPlace: !isSettled(charge), received: amountFromUnits(BigInt(received ?? 0)) };
}

function toDeposit({ units, sentAt, confirmedAt, ...deposit }: DepositColumns): CheckoutDeposit {
  return {
    ...deposit,
    amount: amountFromUnits(BigInt(units)),
    sentAt: new Date(sentAt),
    confirmedAt: confirmedAt === null ? null : new Date(confirmedAt),
  };
}
