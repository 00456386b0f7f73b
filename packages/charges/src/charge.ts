import type { ClaimedAddress } from "@daric/addresses/address-check";
import { type Caller, isSeen, seenBy } from "@daric/domain/caller";
import { hasExpired } from "@daric/domain/charge";
import { ApiError } from "@daric/domain/errors";
import { type ChargeId, type ChargeRef, idOf, type RefKey, refKey } from "@daric/domain/ids";
import {
  type Amount,
  add,
  amountFromUnits,
  creditedRoundedDown,
  formatRate,
  subtract,
} from "@daric/domain/money";
import { dueOf, type Fee, type Terms } from "@daric/domain/order";
import type { ConfirmedSums, ReceivedSums } from "@daric/domain/sums";
import type { Database, Naming, Queryable, Sql } from "@daric/postgres/sql";
import { requireAllAnswering } from "@daric/postgres/tenants";
import {
  type ChargeFacts,
  type ChargeRow,
  type ShownFacts,
  type ShownRow,
  selectCharges,
  selectChargesByToken,
} from "./charge-store.ts";
import { selectRefsByToken } from "./checkout-token-store.ts";

/**
 * The price of a fiat order by its newest quote. `rate` is units of the coin for 1 unit of the fiat currency, as a decimal;
 * `source` is its origin, and `expiresAt` the end of its lock.
 */
export type ChargeQuote = { readonly rate: string; readonly source: string; readonly expiresAt: Date };

/**
 * A deposit address with the facts behind its derived states: the amount due, and the sums of its matching
 * deposits. One statement reads all of it, so its parts belong to one moment.
 */
export type Charge = ChargeFacts & {
  /** the row's address, unverified; `shown-address.ts` verifies it before display */
  readonly issuedAs: ClaimedAddress;
  readonly fee: Fee;
  readonly terms: Terms;
  /** the price in `currency`, null for any amount */
  readonly expectedAmount: Amount | null;
  /** the price with the fee on top in client fee mode, else null */
  readonly payAmount: Amount | null;
  readonly quote: ChargeQuote | null;
  /** confirmed money, as it is credited */
  readonly confirmed: ConfirmedSums;
  /** the same with pending money */
  readonly credited: Amount;
  readonly received: ReceivedSums;
  /** a deposit above dust is not final yet */
  readonly hasOpenDeposit: boolean;
  /** expired by the clock of the scanned chain, before or after the sweep; archived rows included */
  readonly isExpired: boolean;
  /** the scanned chain is past its time: money sent from now on is late */
  readonly isTimeOver: boolean;
};

/** The part of a charge behind its payer's page. */
export type ShownCharge = ShownFacts & Omit<Charge, keyof ChargeFacts | "fee">;

/** The fields of a charge that create returns; none depends on a payment. */
export type NewCharge = Pick<
  Charge,
  | "id"
  | "address"
  | "chain"
  | "currency"
  | "status"
  | "expiresAt"
  | "feeMode"
  | "expectedAmount"
  | "payAmount"
  | "fiatCurrency"
  | "fiatAmount"
  | "quote"
  | "orderRef"
  | "successUrl"
  | "cancelUrl"
  | "metadata"
  | "customerRef"
  | "checkoutToken"
>;

/** The charge of this ref; undefined if its merchant has none with that id. */
export async function findCharge(db: Queryable, ref: ChargeRef): Promise<Charge | undefined> {
  return (await loadCharges(db, [ref])).get(refKey(ref));
}

/**
 * The charge of a ref that is known to exist.
 *
 * @throws Error if there is none.
 */
export async function getCharge(db: Queryable, ref: ChargeRef): Promise<Charge> {
  const charge = await findCharge(db, ref);
  if (charge === undefined) throw new Error(`no deposit address ${refKey(ref)}`);
  return charge;
}

/** The charge with this id that the caller may see; undefined where it has none. */
export async function findChargeOf(
  { db }: { readonly db: Pick<Database, "forTenant"> },
  caller: Caller,
  id: ChargeId,
): Promise<Charge | undefined> {
  const { merchantId } = caller;
  const charge = await findCharge(db.forTenant(merchantId), { merchantId, id });
  return charge !== undefined && isSeen(seenBy(caller), charge) ? charge : undefined;
}

/** The charge in a route's path: its name in messages, and the check that the caller may see it. */
export function chargeOfPath(context: { readonly db: Pick<Database, "forTenant"> }) {
  const find = ({ caller }: { readonly caller: Caller }, id: string) =>
    findChargeOf(context, caller, idOf("charge", id));
  return {
    name: "deposit address",
    exists: async (...path: Parameters<typeof find>): Promise<boolean> => (await find(...path)) !== undefined,
    valuesOf: async (...path: Parameters<typeof find>): Promise<object | undefined> => {
      const charge = await find(...path);
      return charge && valuesOfCharge(charge);
    },
  };
}

/** The values that an acceptance, an extension or an archiving changes; the audit log keeps them. */
export function valuesOfCharge({ status, expiresAt, acceptedAt }: Charge): object {
  return { status, expiresAt, acceptedAt };
}

/** The charges of these refs, of at most 200 merchants, by `refKey`. Unknown refs are left out. */
export async function loadCharges(
  db: Queryable,
  refs: readonly ChargeRef[],
): Promise<Map<RefKey<"charge">, Charge>> {
  if (refs.length === 0) return new Map();
  const rows = await selectCharges(db, refs);
  return new Map(rows.map((row) => [refKey(row), toCharge(row)]));
}

/**
 * The public data behind checkout tokens, each with the columns of `beside` (see `selectChargesByToken`), by
 * token, in one statement. Unknown tokens are left out.
 */
export async function findChargesByToken<Beside>(
  db: Queryable,
  tokens: readonly string[],
  beside: (of: Naming) => Sql,
): Promise<Map<string, { charge: ShownCharge; beside: Beside }>> {
  const rows = await selectChargesByToken<Beside>(db, tokens, beside);
  return new Map(rows.map((row) => [row.checkoutToken, { charge: toShownCharge(row), beside: row }]));
}

/** The charges of checkout tokens. Unknown tokens are left out. */
export function findRefsByToken(db: Queryable, tokens: readonly string[]): Promise<ChargeRef[]> {
  return selectRefsByToken(db, tokens);
}

/**
 * The charge of a checkout token.
 *
 * @throws NOT_FOUND for an unknown one.
 * @throws HungServerError if it is unknown to the servers that answer.
 */
export async function getRefByToken(db: Queryable, token: string): Promise<ChargeRef> {
  const [ref] = await findRefsByToken(db, [token]);
  if (ref !== undefined) return ref;
  requireAllAnswering();
  throw new ApiError("NOT_FOUND");
}

export function toCharge(row: ChargeRow): Charge {
  return {
    ...toShownCharge(row),
    id: row.id,
    merchantId: row.merchantId,
    fee: { basisPoints: row.feeBasisPoints, fixed: amountFromUnits(row.feeFixedUnits) },
    label: row.label,
    settlementAccountId: row.settlementAccountId,
    apiKeyId: row.apiKeyId,
    metadata: row.metadata,
    customerRef: row.customerRef,
    restOf: row.restOf,
    paymentLinkId: row.paymentLinkId,
    createdBy: row.createdBy,
    payerRef: row.payerRef,
    sealedCustomerEmail: row.sealedCustomerEmail,
    sealedPayer: row.sealedPayer,
    acceptReason: row.acceptReason,
    lateUntil: row.lateUntil,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Field by field: the row may have other columns, and spreading two objects costs twenty times as much. */
function toShownCharge(row: ShownRow): ShownCharge {
  const expectedAmount = amountOrNull(row.expectedUnits);
  const payAmount = amountOrNull(row.payUnits);
  const due = dueOf({ expectedAmount, payAmount });
  return {
    issuedAs: issuedAs(row),
    kind: row.kind,
    address: row.address,
    chain: row.chain,
    currency: row.currency,
    status: row.status,
    feeMode: row.feeMode,
    fiatCurrency: row.fiatCurrency,
    fiatAmount: row.fiatAmount,
    orderRef: row.orderRef,
    successUrl: row.successUrl,
    cancelUrl: row.cancelUrl,
    acceptedAt: row.acceptedAt,
    checkoutToken: row.checkoutToken,
    expiresAt: row.expiresAt,
    hasConfirming: row.hasConfirming,
    hasDetected: row.hasDetected,
    terms: { due, toleranceBasisPoints: row.toleranceBasisPoints },
    expectedAmount,
    payAmount,
    quote: toQuote(row),
    ...creditedOf(row, due),
    hasOpenDeposit: row.hasConfirming || row.hasDetected,
    isExpired: isExpired(row),
    isTimeOver: isTimeOver(row),
  };
}

function issuedAs(row: ShownRow): ClaimedAddress {
  return {
    merchantId: row.merchantId,
    chargeId: row.id,
    checkoutToken: row.checkoutToken,
    address: row.address,
    index: Number(row.derivationIndex),
    mac: row.addressMac,
  };
}

function creditedOf(row: ShownRow, due: Amount | null): Pick<Charge, "confirmed" | "credited" | "received"> {
  const received = {
    onTime: amountFromUnits(BigInt(row.confirmedOnTimeUnits)),
    inWindow: amountFromUnits(BigInt(row.confirmedInWindowUnits)),
    total: amountFromUnits(BigInt(row.confirmedUnits)),
    pending: amountFromUnits(BigInt(row.pendingUnits)),
    dust: amountFromUnits(BigInt(row.dustUnits)),
    dustPending: amountFromUnits(BigInt(row.dustPendingUnits)),
  };
  if (row.fiatCurrency === null || due === null) {
    const { inWindow } = received;
    const onTime = subtract(received.onTime, amountFromUnits(BigInt(row.dustOnTimeUnits)));
    const total = subtract(received.total, received.dust);
    const credited = add(total, subtract(received.pending, received.dustPending));
    return { confirmed: { onTime, inWindow, total }, credited, received };
  }
  const credit = (...shares: string[]) =>
    creditedRoundedDown(
      shares.reduce((sum, share) => sum + BigInt(share), 0n),
      due,
    );
  const confirmed = {
    onTime: credit(row.confirmedOnTimeShare),
    inWindow: credit(row.confirmedInWindowShare),
    total: credit(row.confirmedShare),
  };
  return { confirmed, credited: credit(row.confirmedShare, row.pendingShare), received };
}

function isExpired({ status, expiresAt, chainTime, hasOpenOnTime }: ShownRow): boolean {
  return status === "EXPIRED" || (chainTime !== null && hasExpired(expiresAt, chainTime, hasOpenOnTime));
}

function isTimeOver({ expiresAt, chainTime }: ShownRow): boolean {
  return chainTime !== null && hasExpired(expiresAt, chainTime, false);
}

function toQuote({ rateE10, quoteSource, quoteExpiresAt }: ShownRow): ChargeQuote | null {
  if (rateE10 === null || quoteSource === null || quoteExpiresAt === null) return null;
  return { rate: formatRate(rateE10), source: quoteSource, expiresAt: quoteExpiresAt };
}

function amountOrNull(units: bigint | null): Amount | null {
  return units === null ? null : amountFromUnits(units);
}
