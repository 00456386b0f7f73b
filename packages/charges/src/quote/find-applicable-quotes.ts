import { assets, type Currency, currencies } from "@daric/domain/asset";
import { type ChargeRef, idOf, type QuoteId, type RefKey, refKey } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { applicableQuote, priceInFiat } from "@daric/domain/quote";
import type { Transaction } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import {
  type ChargeOffer,
  findStoredRate,
  insertLateQuotes,
  type LateQuote,
  lockQuoted,
  type QuotedCharge,
  type StoredRate,
  selectOffers,
} from "./quote-store.ts";

/** The coins with a volatile price: without a valid quote, the rate of its own time values a deposit. */
const VOLATILE = currencies.filter((currency) => !assets[currency].isPegged);

/**
 * Finds the applicable quotes of deposits in a block of `blockTime`, for these charges of at most 200 merchants,
 * by `refKey`. First the offer with the lowest rate that was valid then. Else, in a volatile coin, the newest rate stored by
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
  for (const currency of VOLATILE) {
    const inCurrency = withoutOffer.filter((charge) => charge.currency === currency);
    for (const { merchantId, chargeId, id } of await makeLateQuotes(tx, inCurrency, { currency, blockTime }))
      applicable.set(refKey({ merchantId, id: chargeId }), id);
  }
  return applicable;
}

async function makeLateQuotes(
  tx: Transaction,
  charges: readonly QuotedCharge[],
  { currency, blockTime }: { currency: Currency; blockTime: Date },
): Promise<LateQuote[]> {
  if (charges.length === 0) return [];
  const rate = await findStoredRate(tx, { currency, time: blockTime });
  if (rate === undefined) return [];
  const quotes = charges.flatMap((charge) => lateQuoteOf(charge, rate) ?? []);
  if (quotes.length > 0) await insertLateQuotes(tx, quotes, rate);
  return quotes;
}

/** The quote's id derives from the charge and the minute, so that a second read of a block makes no second quote. */
function lateQuoteOf(charge: QuotedCharge, { usdE8, minute }: StoredRate): LateQuote | undefined {
  const { merchantId, id: chargeId, feeMode, feeBasisPoints } = charge;
  const fee = { basisPoints: feeBasisPoints, fixed: amountFromUnits(charge.feeFixedUnits) };
  const price = priceInFiat(charge.fiatAmount, usdE8, { feeMode, fee });
  const id = idOf("quote", derivedId("quote", chargeId, minute.toISOString()));
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
