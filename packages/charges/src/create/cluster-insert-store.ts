import { countReserved, UnreservedError } from "@daric/addresses/reserved-store";
import { chargeMachine } from "@daric/domain/charge";
import { type ChargeId, idOf, type MerchantId } from "@daric/domain/ids";
import { MAX_LOCKED_RATE_AGE_MS } from "@daric/domain/quote";
import { join, one, type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { countedRows } from "@daric/totals/list-store";
import { uuidv7 } from "uuidv7";
import { rateColumns } from "../rate-columns-store.ts";
import {
  type AddressedDraft,
  CLICK_COLUMNS,
  type DraftRefusal,
  type InsertedCharge,
  idOfNow,
  MAKER_COLUMN,
  sealedEmailOf,
} from "./charge-draft-store.ts";
import { type ChargingTerms, findSettlementAccountState, readTerms, takeRoom } from "./terms-store.ts";

/** The coordinator's time when the charges are made. */
type Moment = {
  /** the id of a charge of this moment */
  readonly id: string;
  readonly now: Date;
  readonly chainTime: Date | null;
  /** the later of both, from which a charge lives */
  readonly from: Date;
};

/** A draft under its merchant's terms. */
type Accepted = AddressedDraft & {
  readonly id: ChargeId;
  readonly expiresAt: Date | null;
  readonly quoteExpiresAt: Date | null;
};

/**
 * Inserts charges as `insertCharges` does, on a distributed database. There each part of a statement that does
 * several things is a step of its own. So these are plain statements, and all write to the merchant's server, which
 * commits alone. The count of `takeRoom` includes drafts that are refused then, so it is never too low.
 *
 * @throws UnreservedError unless all addresses are reserved for this merchant
 */
export async function insertOnServer(
  tx: Transaction,
  merchantId: MerchantId,
  drafts: readonly AddressedDraft[],
): Promise<InsertedCharge[]> {
  const moment = await readMoment(tx, merchantId, drafts);
  const room = await takeRoom(tx, merchantId, { drafts, from: moment.from });
  const terms = room ?? (await readTerms(tx, merchantId));
  const outcomes: (Accepted | DraftRefusal)[] = [];
  for (const draft of drafts) {
    const refusal = await refusalOf(tx, draft, { terms, moment });
    if (refusal !== undefined) outcomes.push(refusal);
    else outcomes.push(room === undefined ? "NO_ROOM" : accept(draft, { terms, moment }));
  }
  const accepted = outcomes.filter((outcome) => typeof outcome !== "string");
  const inserted = await insertAccepted(tx, merchantId, { accepted, terms, moment });
  return outcomes.map((outcome): InsertedCharge => {
    if (typeof outcome === "string") return { refusal: outcome };
    const { id, expiresAt, quoteExpiresAt } = outcome;
    if (!inserted.has(id)) return { refusal: "ALREADY_EXISTS" };
    return { refusal: null, id, status: chargeMachine.initial, expiresAt, quoteExpiresAt };
  });
}

/** Servers have the directory and the cursor, so this asks no other server. An address stays reserved for ever. */
async function readMoment(
  tx: Transaction,
  merchantId: MerchantId,
  drafts: readonly AddressedDraft[],
): Promise<Moment> {
  const issued = drafts.map((draft) => draft.issued);
  const { reserved, ...moment } = one(
    await tx.query<Moment & { reserved: number }>(sql`
      select ${idOfNow} as id, now() as now, chain.time as "chainTime", greatest(now(), chain.time) as from,
        ${countReserved(merchantId, issued)} as reserved
      from (select max(time) as time from scan_cursors) chain`),
  );
  if (reserved !== drafts.length) throw new UnreservedError();
  return moment;
}

async function refusalOf(
  tx: Transaction,
  { merchantId, termsVersion, settlementAccountId, lock }: AddressedDraft,
  { terms, moment }: { terms: ChargingTerms; moment: Moment },
): Promise<DraftRefusal | undefined> {
  if (termsVersion !== null && termsVersion !== terms.version) return "TERMS_CHANGED";
  if (settlementAccountId !== null) {
    const account = await findSettlementAccountState(tx, { merchantId, id: settlementAccountId });
    if (account === undefined) return "SETTLEMENT_ACCOUNT_NOT_FOUND";
    if (!account.isActive) return "SETTLEMENT_ACCOUNT_DISABLED";
  }
  const isStale = lock !== null && after(lock.fetchedAt, MAX_LOCKED_RATE_AGE_MS) < moment.now;
  return isStale ? "RATE_STALE" : undefined;
}

function accept(
  draft: AddressedDraft,
  { terms, moment: { id, now, from } }: { terms: ChargingTerms; moment: Moment },
): Accepted {
  const lifetimes = { order: terms.orderLifetimeSeconds, open: terms.openLifetimeSeconds, receive: null };
  const seconds = draft.lifetimeSeconds ?? lifetimes[draft.kind];
  return {
    ...draft,
    // The first 19 characters are the time.
    id: draft.id ?? idOf("charge", `${id.slice(0, 19)}${uuidv7().slice(19)}`),
    expiresAt: seconds === null ? null : after(from, seconds * 1_000),
    quoteExpiresAt: draft.lock && after(now, draft.lock.lockMs),
  };
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

/** Returns the ids of those that had no standing address yet. */
async function insertAccepted(
  tx: Transaction,
  merchantId: MerchantId,
  { accepted, terms, moment }: { accepted: readonly Accepted[]; terms: ChargingTerms; moment: Moment },
): Promise<ReadonlySet<ChargeId>> {
  if (accepted.length === 0) return new Set();
  const rows = await tx.query<{ id: ChargeId }>(sql`
    insert into deposit_addresses (
      merchant_id, id, kind, account_key_id, derivation_index, address, address_mac, currency, fee_mode, fee_basis_points,
      fee_fixed_units, tolerance_basis_points, expected_units, pay_units, order_ref, label, success_url, cancel_url,
      settlement_account_id, api_key_id, metadata, customer_ref, checkout_token, expires_at, late_until, fiat_currency,
      fiat_amount, newest_quote_id, quote_rate_e4, quote_rate_e10, quote_source, quote_expires_at, rest_of${CLICK_COLUMNS}, customer_email${MAKER_COLUMN})
    values ${join(accepted.map((charge) => chargeRow(charge, terms)))}
    on conflict (merchant_id, chain, currency, settlement_account_id, coalesce(customer_ref, ''))
      where kind = 'receive' do nothing
    returning id`);
  const inserted = new Set(rows.map(({ id }) => id));
  const charges = accepted.filter(({ id }) => inserted.has(id));
  const locks = charges.flatMap((charge) => lockRow(charge, moment) ?? []);
  if (locks.length > 0)
    await tx.query(sql`
      insert into quotes (merchant_id, id, deposit_address_id, rate_e4, rate_e10, source, expected_units, pay_units, fetched_at,
        locked_at, expires_at, chain_time)
      values ${join(locks)}`);
  const facets = charges.map(({ kind }) => [kind, chargeMachine.initial, "tron"]);
  if (facets.length > 0) await tx.query(countedRows("deposit_addresses", merchantId, facets));
  return inserted;
}

function chargeRow(charge: Accepted, terms: ChargingTerms): Sql {
  const { merchantId, id, kind, issued, currency, price, metadata, expiresAt, lock, rest, click } = charge;
  const { feeMode, basisPoints, fixed, toleranceBasisPoints } =
    rest === undefined
      ? { ...terms, ...terms.fees[currency] }
      : { feeMode: "merchant", basisPoints: rest.feeBasisPoints, fixed: 0n, ...rest };
  const rate = lock && rateColumns(lock);
  return sql`(
      ${merchantId}, ${id}, ${kind}, ${issued.accountKeyId}, ${issued.index}, ${issued.address}, ${charge.addressMac},
      ${currency}, ${kind === "receive" ? "merchant" : feeMode}, ${basisPoints}, ${fixed},
      ${toleranceBasisPoints}, ${price?.expected ?? null}, ${price?.pay ?? null}, ${charge.orderRef},
      ${charge.label}, ${charge.successUrl}, ${charge.cancelUrl}, ${charge.settlementAccountId}, ${charge.apiKeyId},
      ${metadata && JSON.stringify(metadata)}, ${charge.customerRef}, ${charge.checkoutToken}, ${expiresAt},
      ${expiresAt && after(expiresAt, terms.lateWindowSeconds * 1_000)}, ${charge.fiatCurrency}, ${charge.fiatAmount},
      ${lock?.quoteId ?? null}, ${rate?.e4 ?? null}, ${rate?.e10 ?? null}, ${lock?.source ?? null},
      ${charge.quoteExpiresAt}, ${rest?.of ?? null},
      ${click?.linkId ?? null}, ${click?.payerRef ?? null}, ${click?.sealedPayer ?? null}, ${click?.attempt ?? null},
      ${click?.client ?? null}, ${sealedEmailOf(charge)}, ${charge.createdBy ?? null})`;
}

function lockRow(charge: Accepted, { now, chainTime }: Moment): Sql | undefined {
  const { merchantId, id, price, lock, quoteExpiresAt } = charge;
  if (lock === null) return undefined;
  const { e4, e10 } = rateColumns(lock);
  return sql`(
        ${merchantId}, ${lock.quoteId}, ${id}, ${e4}, ${e10}, ${lock.source}, ${price?.expected ?? null},
        ${price?.pay ?? null}, ${lock.fetchedAt}, ${now}, ${quoteExpiresAt}, ${chainTime})`;
}
