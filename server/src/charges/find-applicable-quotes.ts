import type { Transaction } from "@daric/postgres/sql";
import { type ChargeRef, idOf, type QuoteId, type RefKey, refKey } from "../domain/ids.ts";
import { amountFromUnits } from "../domain/money.ts";
import { applicableQuote, priceInFiat } from "../domain/quote.ts";
import { derivedId } from "../runtime/derived-id.ts";
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

/** The currency with a volatile price, so that a late payment is judged by the rate of its own time. */
const MOVING = "TRX";

/**
 * Finds the quotes by which these charges, of 200 merchants at most, judge deposits of a block of
 * `blockTime`, by `refKey`. First the lowest offer that held then. Else, in TRX, the newest rate stored by
 * that time, which becomes a quote of its own. Else the newest offer. Charges without a fiat price are left
 * out. Locks the rows until the transaction ends, so a requote comes before or after.
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
    if (offer === undefined && charge.currency === MOVING) withoutOffer.push(charge);
  }
  for (const { merchantId, chargeId, id } of await makeLateQuotes(tx, withoutOffer, blockTime))
    applicable.set(refKey({ merchantId, id: chargeId }), id);
  return applicable;
}

async function makeLateQuotes(
  tx: Transaction,
  charges: readonly QuotedCharge[],
  blockTime: Date,
): Promise<LateQuote[]> {
  if (charges.length === 0) return [];
  const rate = await findStoredRate(tx, { currency: MOVING, time: blockTime });
  if (rate === undefined) return [];
  const quotes = charges.flatMap((charge) => lateQuoteOf(charge, rate) ?? []);
  if (quotes.length > 0) await insertLateQuotes(tx, quotes, rate);
  return quotes;
}

/** Its id derives from the charge and the minute, so that a second read of a block makes no second quote. */
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
