import type { IssuedAddress } from "@daric/addresses/issued-address";
import type { ChargeKind, ChargeStatus } from "@daric/domain/charge";
import type { ChargeId } from "@daric/domain/ids";
import type { FeeMode, Price } from "@daric/domain/order";
import type { ClickRefusal } from "@daric/domain/payment-link";
import { empty, type Sql, sql } from "@daric/postgres/sql";
import { tokenBytes } from "../checkout-token.ts";
import type { QuoteLock } from "../quote/quote-store.ts";
import { rateColumns } from "../rate-columns-store.ts";
import type { ChargeRequest, LinkClick } from "./charge-request.ts";

/** The terms that a rest takes from its order. It adds no fixed fee, and its payer pays no fee on top. */
export type RestTerms = {
  readonly of: ChargeId;
  readonly feeBasisPoints: number;
  readonly toleranceBasisPoints: number;
};

/** A priced request. The statement that inserts it adds the merchant's terms and an id. */
export type ChargeDraft = Omit<ChargeRequest, "amount"> & {
  readonly kind: ChargeKind;
  /** of the terms behind `price`; null if no terms were read */
  readonly termsVersion: number | null;
  readonly feeMode: FeeMode;
  readonly price: Price | null;
  /** null if it is not priced in fiat */
  readonly lock: QuoteLock | null;
  /** the terms of a rest, which is inserted alone; otherwise those of the merchant count */
  readonly rest?: RestTerms | undefined;
};

/** A draft with its address. */
export type AddressedDraft = ChargeDraft & {
  readonly issued: IssuedAddress;
  /** binds `issued` to the checkout token */
  readonly addressMac: Buffer;
  readonly checkoutToken: string;
  /** the id that the merchant knows an adopted charge by; otherwise the insert makes one */
  readonly id?: ChargeId | undefined;
};

/**
 * The reason why a draft was not inserted. `TERMS_CHANGED`: the terms changed after the price was made. `RATE_STALE`:
 * its rate is too old by now. `NO_ROOM`: the whole batch was refused, since it may exceed the cap. `ALREADY_EXISTS`:
 * its settlement account and customer already have a standing address.
 */
export type DraftRefusal =
  | "TERMS_CHANGED"
  | "SETTLEMENT_ACCOUNT_NOT_FOUND"
  | "SETTLEMENT_ACCOUNT_DISABLED"
  | "RATE_STALE"
  | "NO_ROOM"
  | "ALREADY_EXISTS"
  | ClickRefusal;

/** The result of a draft: a row, or a reason. */
export type InsertedCharge =
  | {
      readonly refusal: null;
      readonly id: ChargeId;
      readonly status: ChargeStatus;
      readonly expiresAt: Date | null;
      readonly quoteExpiresAt: Date | null;
    }
  | { readonly refusal: DraftRefusal };

/**
 * A UUIDv7 whose time is `now()`, the database's, as in `created_at`. After the milliseconds come 12 bits of
 * their fraction. So the order of ids is the order of (created_at, id), whichever process made them.
 */
export const idOfNow = sql`(
      (select lpad(to_hex(us / 1000), 12, '0') || '7' || lpad(to_hex(us % 1000 * 4096 / 1000), 3, '0')
       from (select (extract(epoch from now()) * 1000000)::bigint) now (us)) || substr(gen_random_uuid()::text, 20)
    )::uuid`;

/** The drafts as rows with ids (an adopted one comes alone), numbered by `position` in their order; with columns for locked rates if any has one. */
export function draftRows(drafts: readonly AddressedDraft[]): Sql {
  const each = <T>(value: (draft: AddressedDraft) => T) => drafts.map(value);
  const [locks, lockColumns] = areLocked(drafts) ? [lockArrays(drafts), LOCK_COLUMNS] : [empty, empty];
  const [lives, lifeColumn] = haveLifetimes(drafts)
    ? [sql`, ${each(({ lifetimeSeconds = null }) => lifetimeSeconds)}::integer[]`, sql`, lifetime_seconds`]
    : [empty, empty];
  const [clicks, clickColumns] = areClicks(drafts) ? [clickArrays(drafts), CLICK_COLUMNS] : [empty, empty];
  const [emails, emailColumn] = haveEmails(drafts)
    ? [sql`, ${drafts.map(sealedEmailOf)}::bytea[]`, sql`, customer_email`]
    : [empty, empty];
  const [makers, makerColumn] = haveMakers(drafts)
    ? [sql`, ${each(({ createdBy = null }) => createdBy)}::uuid[]`, MAKER_COLUMN]
    : [empty, empty];
  const [adopted] = drafts.flatMap(({ id }) => id ?? []);
  const id = adopted === undefined ? idOfNow : sql`${adopted}::uuid`;
  return sql`
    select ${id} as id, requested.* from unnest(
      ${each(({ kind }) => kind)}::text[],
      ${each(({ termsVersion }) => termsVersion)}::integer[], ${each(({ currency }) => currency)}::text[],
      ${each(({ price }) => price?.expected ?? null)}::bigint[], ${each(({ price }) => price?.pay ?? null)}::bigint[],
      ${each(({ orderRef }) => orderRef)}::text[], ${each(({ label }) => label)}::text[],
      ${each(({ successUrl }) => successUrl)}::text[], ${each(({ cancelUrl }) => cancelUrl)}::text[],
      ${each(({ settlementAccountId }) => settlementAccountId)}::uuid[], ${each(({ apiKeyId }) => apiKeyId)}::uuid[],
      ${each(({ metadata }) => metadata && JSON.stringify(metadata))}::jsonb[],
      ${each(({ customerRef }) => customerRef)}::text[], ${each(({ checkoutToken }) => checkoutToken)}::text[],
      ${each(({ checkoutToken }) => tokenBytes(checkoutToken))}::bytea[],
      ${each(({ issued }) => issued.accountKeyId)}::uuid[], ${each(({ issued }) => issued.index)}::bigint[],
      ${each(({ issued }) => issued.address)}::text[], ${each(({ issued }) => issued.bytes)}::bytea[],
      ${each(({ addressMac }) => addressMac)}::bytea[]${locks}${lives}${clicks}${emails}${makers}
    ) with ordinality as requested (
      kind, terms_version, currency, expected_units, pay_units, order_ref, label, success_url, cancel_url,
      settlement_account_id, api_key_id, metadata, customer_ref, checkout_token, token, account_key_id, derivation_index, address,
      address_hash, address_mac${lockColumns}${lifeColumn}${clickColumns}${emailColumn}${makerColumn}, position)`;
}

/** Whether any of these is priced in fiat. Otherwise the statement has no part about quotes. */
export function areLocked(drafts: readonly ChargeDraft[]): boolean {
  return drafts.some(({ lock }) => lock !== null);
}

/** Whether any of these has a lifetime of its own. Otherwise the statement has no column of them. */
export function haveLifetimes(drafts: readonly ChargeDraft[]): boolean {
  return drafts.some(({ lifetimeSeconds }) => lifetimeSeconds !== undefined);
}

/** Whether these are orders of payment links, which are inserted apart from others and do not count against the cap. */
export function areClicks(drafts: readonly ChargeDraft[]): boolean {
  return drafts.some(({ click }) => click !== undefined);
}

/** Whether any of these has the address of its payer. Otherwise the statement has no column of them. */
export function haveEmails(drafts: readonly ChargeDraft[]): boolean {
  return drafts.some(({ sealEmail }) => sealEmail !== undefined);
}

/** Whether a person made any of these. Otherwise the statement has no column of makers. */
export function haveMakers(drafts: readonly ChargeDraft[]): boolean {
  return drafts.some(({ createdBy = null }) => createdBy !== null);
}

/** The column of `deposit_addresses` for the person who made a charge. */
export const MAKER_COLUMN = sql`, created_by`;

export function sealedEmailOf({ sealEmail, merchantId, checkoutToken }: AddressedDraft): Buffer | null {
  return sealEmail?.({ merchantId, checkoutToken }) ?? null;
}

/** The columns of `deposit_addresses` for a click. */
export const CLICK_COLUMNS = sql`, payment_link_id, payer_ref, payer, click_attempt, click_client`;

function clickArrays(drafts: readonly ChargeDraft[]): Sql {
  const each = <T>(value: (click: LinkClick) => T) =>
    drafts.map(({ click }) => (click === undefined ? null : value(click)));
  return sql`, ${each(({ linkId }) => linkId)}::uuid[], ${each(({ payerRef }) => payerRef)}::text[],
      ${each(({ sealedPayer }) => sealedPayer)}::bytea[], ${each(({ attempt }) => attempt)}::text[],
      ${each(({ client }) => client)}::bytea[]`;
}

const LOCK_COLUMNS = sql`, fiat_currency, fiat_amount, quote_id, rate_e4, rate_e10, quote_source, fetched_at, lock_ms`;

function lockArrays(drafts: readonly ChargeDraft[]): Sql {
  const each = <T>(value: (lock: QuoteLock) => T) => drafts.map(({ lock }) => lock && value(lock));
  return sql`, ${each(({ fiatCurrency }) => fiatCurrency)}::text[], ${drafts.map(({ fiatAmount }) => fiatAmount)}::text[],
      ${each(({ quoteId }) => quoteId)}::uuid[], ${each((lock) => rateColumns(lock).e4)}::bigint[],
      ${each((lock) => rateColumns(lock).e10)}::bigint[], ${each(({ source }) => source)}::text[],
      ${each(({ fetchedAt }) => fetchedAt)}::timestamptz[], ${each(({ lockMs }) => lockMs)}::double precision[]`;
}
