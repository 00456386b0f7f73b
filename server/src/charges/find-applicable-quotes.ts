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

/** The currency whose price in USD moves, so that a late payment is judged by the rate of its own time. */
const MOVING = "TRX";

/**
 * By which quote each of these charges, of 200 merchants at most, judges deposits whose block was made at `blockTime`, by
 * `refKey`: the lowest offer that held then; for one in TRX else the newest rate stored by that time, which becomes a quote
 * of its own; else the newest offer. Charges that are not priced in fiat are left out. Holds the rows until the transaction
 * ends: a requote comes before or after.
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

/** Its id is a function of the charge and the minute, so that a block that is read again makes no second one. */
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
