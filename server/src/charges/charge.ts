import type { Queryable } from "@daric/postgres/sql";
import { hasExpired } from "../domain/charge.ts";
import type { ChargeId, MerchantId } from "../domain/ids.ts";
import { type Amount, amountFromUnits, formatRate } from "../domain/money.ts";
import type { ConfirmedSums, Fee, Terms } from "../domain/order.ts";
import {
  type ChargeFacts,
  type ChargeRow,
  selectChargeByToken,
  selectCharges,
  selectMerchantCharge,
} from "./charge-store.ts";

/** The newest rate lock of a fiat-priced order. `rate` is units of currency per 1 USD, as a decimal. */
export type ChargeQuote = { readonly rate: string; readonly source: string; readonly expiresAt: Date };

/**
 * A deposit address with everything its derived states follow from: what is owed, and what its matching deposits
 * add up to. Read in one statement, so its parts belong to one moment.
 */
export type Charge = ChargeFacts & {
  readonly fee: Fee;
  readonly terms: Terms;
  /** the price in `currency`, null where any amount is welcome */
  readonly expectedAmount: Amount | null;
  /** the price with the fee on top in client fee mode, else null */
  readonly payAmount: Amount | null;
  readonly quote: ChargeQuote | null;
  readonly confirmed: ConfirmedSums;
  /** what is seen and not final yet */
  readonly pending: Amount;
  /** a deposit above dust is not final yet */
  readonly hasOpenDeposit: boolean;
  /** expired by the clock of the scanned chain, whether or not the row has been swept; archived rows included */
  readonly isExpired: boolean;
};

/** A charge as it is answered at creation: what was agreed, before anything can have happened to it. */
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
  | "checkoutToken"
>;

/** The charge of this id, whosever it is; undefined where there is none. */
export async function findCharge(db: Queryable, id: ChargeId): Promise<Charge | undefined> {
  return (await loadCharges(db, [id])).get(id);
}

/**
 * The charge of an id that a row was just found under.
 *
 * @throws Error where there is none.
 */
export async function getCharge(db: Queryable, id: ChargeId): Promise<Charge> {
  const charge = await findCharge(db, id);
  if (charge === undefined) throw new Error(`no deposit address ${id}`);
  return charge;
}

/** The charges of these ids, by id. Ids without a row are left out. */
export async function loadCharges(db: Queryable, ids: readonly ChargeId[]): Promise<Map<ChargeId, Charge>> {
  if (ids.length === 0) return new Map();
  const rows = await selectCharges(db, ids);
  return new Map(rows.map((row) => [row.id, toCharge(row)]));
}

/** The charge of this id if it is the merchant's; a charge of another merchant looks like one that does not exist. */
export async function findMerchantCharge(
  db: Queryable,
  input: { merchantId: MerchantId; id: ChargeId },
): Promise<Charge | undefined> {
  const row = await selectMerchantCharge(db, input);
  return row && toCharge(row);
}

/** The charge behind a checkout token; whoever has the token may see it. */
export async function findChargeByToken(db: Queryable, token: string): Promise<Charge | undefined> {
  const row = await selectChargeByToken(db, token);
  return row && toCharge(row);
}

function toCharge(row: ChargeRow): Charge {
  const { feeBasisPoints, feeFixedUnits, expectedUnits, payUnits, toleranceBasisPoints, ...rest } = row;
  const { rateE4, quoteSource, quoteExpiresAt, chainTime, hasOpenOnTime, ...facts } = rest;
  const { confirmedOnTimeUnits, confirmedInWindowUnits, confirmedUnits, pendingUnits, ...columns } = facts;
  const expectedAmount = amountOrNull(expectedUnits);
  const payAmount = amountOrNull(payUnits);
  return {
    ...columns,
    fee: { basisPoints: feeBasisPoints, fixed: amountFromUnits(feeFixedUnits) },
    terms: { due: payAmount ?? expectedAmount, toleranceBasisPoints },
    expectedAmount,
    payAmount,
    quote: toQuote(row),
    confirmed: {
      onTime: amountFromUnits(BigInt(confirmedOnTimeUnits)),
      inWindow: amountFromUnits(BigInt(confirmedInWindowUnits)),
      total: amountFromUnits(BigInt(confirmedUnits)),
    },
    pending: amountFromUnits(BigInt(pendingUnits)),
    hasOpenDeposit: row.hasConfirming || row.hasDetected,
    isExpired:
      row.status === "EXPIRED" || (chainTime !== null && hasExpired(row.expiresAt, chainTime, hasOpenOnTime)),
  };
}

function toQuote({ rateE4, quoteSource, quoteExpiresAt }: ChargeRow): ChargeQuote | null {
  if (rateE4 === null || quoteSource === null || quoteExpiresAt === null) return null;
  return { rate: formatRate(rateE4), source: quoteSource, expiresAt: quoteExpiresAt };
}

function amountOrNull(units: bigint | null): Amount | null {
  return units === null ? null : amountFromUnits(units);
}
