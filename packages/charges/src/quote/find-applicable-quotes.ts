import { assets } from "@daric/domain/asset";
import { type ChargeRef, idOf, type QuoteId, type RefKey, refKey } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { applicableQuote, MAX_LOCKED_RATE_AGE_MS, priceInFiat } from "@daric/domain/quote";
import type { Transaction } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import {
  type ChargeOffer,
  insertLateQuotes,
  type LateQuote,
  lockQuoted,
  type QuotedCharge,
  selectOffers,
} from "./quote-store.ts";
import { findStoredRate, type StoredRate } from "./stored-rate-store.ts";

/**
 * Finds the applicable quotes of deposits in a block of `blockTime`, for these charges of at most 200 merchants,
 * by `refKey`. First the offer with the lowest rate that was valid then. Else, where the price of the coin moves, the newest rate stored by
 * that time, which becomes a quote. Else the newest offer. Charges without a fiat price are left out. Locks the
 * rows until the transaction ends, so a requote comes before or after.
 */
export async function findApplicableQuotes(
  tx: Transaction,
  refs: readonly ChargeRef[],
  blockTime: Date,
): Promise<Map<RefKey<"charge">, QuoteId>> {
  const charges = await lockQuoted(tx, refs);
  if (charges.length === 0) return new Map();
  const offers = offersByCharge(await selectOffers(tx, charges));
  const applicable = new Map<RefKey<"charge">, QuoteId>();
  const withoutOffer: QuotedCharge[] = [];
  for (const charge of charges) {
    const offer = applicableQuote(offers.get(refKey(charge)) ?? [], blockTime);
    applicable.set(refKey(charge), offer?.id ?? charge.newestQuoteId);
    if (offer === undefined) withoutOffer.push(charge);
  }
  const priced = (pair: Pair) => (charge: QuotedCharge) =>
    charge.currency === pair.currency && charge.fiatCurrency === pair.fiatCurrency;
  for (const pair of volatilePairs(withoutOffer)) {
    const rate = await findStoredRate(tx, { ...pair, time: blockTime });
    const late = withoutOffer
      .filter(priced(pair))
      .filter((charge) => rate && isAsNewAsOffer(rate, offers.get(refKey(charge))?.at(-1)));
    for (const { merchantId, chargeId, id } of await makeLateQuotes(tx, late, rate))
      applicable.set(refKey({ merchantId, id: chargeId }), id);
  }
  return applicable;
}

type Pair = Pick<QuotedCharge, "currency" | "fiatCurrency">;

/** The coins of these charges, each with each currency in which its price moves. A token follows the dollar alone. */
function volatilePairs(charges: readonly QuotedCharge[]): readonly Pair[] {
  const volatile = charges.filter(
    ({ currency, fiatCurrency }) => !assets[currency].isPegged || fiatCurrency !== "USD",
  );
  return [
    ...new Map(
      volatile.map(({ currency, fiatCurrency }) => [
        `${currency}/${fiatCurrency}`,
        { currency, fiatCurrency },
      ]),
    ).values(),
  ];
}

/** Whether the rate of a currency is not older than that of the newest offer, which is at most a minute older than its lock. */
function isAsNewAsOffer({ localMinute }: StoredRate, newest: ChargeOffer | undefined): boolean {
  if (localMinute === undefined || newest === undefined) return true;
  return localMinute.getTime() >= newest.lockedAt.getTime() - 2 * MAX_LOCKED_RATE_AGE_MS;
}

async function makeLateQuotes(
  tx: Transaction,
  charges: readonly QuotedCharge[],
  rate: StoredRate | undefined,
): Promise<LateQuote[]> {
  if (rate === undefined) return [];
  const quotes = charges.flatMap((charge) => lateQuoteOf(charge, rate) ?? []);
  if (quotes.length > 0) await insertLateQuotes(tx, quotes, rate);
  return quotes;
}

/**
 * The quote's id derives from the charge and the minute, so that a second read of a block makes no second quote. Outside of USD it
 * derives from the price too: the rate of the currency may have changed since the minute of the coin's.
 */
function lateQuoteOf(charge: QuotedCharge, { priceE8, minute }: StoredRate): LateQuote | undefined {
  const { merchantId, id: chargeId, feeMode, feeBasisPoints } = charge;
  const fee = { basisPoints: feeBasisPoints, fixed: amountFromUnits(charge.feeFixedUnits) };
  const price = priceInFiat(charge, priceE8, { feeMode, fee });
  const ofPrice = charge.fiatCurrency === "USD" ? [] : [String(priceE8)];
  const id = idOf("quote", derivedId("quote", chargeId, minute.toISOString(), ...ofPrice));
  return price && { merchantId, chargeId, id, ...price };
}

function offersByCharge(offers: readonly ChargeOffer[]): Map<RefKey<"charge">, ChargeOffer[]> {
  const byCharge = new Map<RefKey<"charge">, ChargeOffer[]>();
  for (const offer of offers) {
    const key = refKey({ merchantId: offer.merchantId, id: offer.chargeId });
    const known = byCharge.get(key);
    if (known) known.push(offer);
    else byCharge.set(key, [offer]);
  }
  return byCharge;
}
