import { assets, type Currency, currencies } from "@daric/domain/asset";
import { amountFromUnits, formatAmount, formatPrice } from "@daric/domain/money";
import {
  firstSweepPrice,
  handTransferPrice,
  minUnits,
  OLD_AFTER_MS,
  oldMaxCostBasisPoints,
  type ResourcePrices,
  type UsdRates,
  valueInSun,
} from "@daric/domain/sweep-price";
import type { PlanningContext, SettlementContext, Settling } from "../context.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { newestRates } from "./make-plan.ts";
import { sumUnplanned, type UnplannedContents } from "./plan-store.ts";
import { fetchPrices } from "./survey.ts";
import { type SweepTerms, saveTerms } from "./terms-store.ts";

const HOUR_MS = 3_600_000;
const CENT_E8 = 1_000_000n;
const WHOLE_BASIS_POINTS = 10_000;

type Rules = Pick<PlanningContext["config"]["settlement"], "maxCostBasisPoints" | "stakeAddress">;

/** The terms of sweeps under these rules, prices and rates. */
export function sweepTerms(
  rules: Rules,
  currency: Currency,
  { prices, rates }: { readonly prices: ResourcePrices; readonly rates: UsdRates },
): SweepTerms {
  const resources = rules.stakeAddress === undefined ? "burn" : "delegate";
  const price = firstSweepPrice(currency, { prices, resources });
  const { dust } = assets[currency];
  const min = (basisPoints: number) => {
    const units = minUnits(currency, { price, basisPoints }, rates);
    return units === undefined || units > dust ? units : dust;
  };
  const usdE8Of = (sun: bigint) => rates.TRX && (sun * rates.TRX) / 1_000_000n;
  const handPrice = handTransferPrice(currency, prices);
  return {
    currency,
    price,
    priceUsdE8: usdE8Of(price),
    handPrice,
    handPriceUsdE8: usdE8Of(handPrice),
    handPaysFrom: minUnits(currency, { price: handPrice, basisPoints: WHOLE_BASIS_POINTS }, rates),
    paysFrom: min(rules.maxCostBasisPoints),
    oldPaysFrom: min(oldMaxCostBasisPoints(rules)),
    oldAfterMs: OLD_AFTER_MS,
  };
}

/** Stores the terms of each coin as they are now, for merchants to read. */
export async function storeTerms(context: SettlementContext, settling: Settling): Promise<void> {
  const [rates, prices] = [await newestRates(context), await fetchPrices(context, settling)];
  const foundAt = context.clock.now();
  const terms = currencies.map((currency) =>
    sweepTerms(context.config.settlement, currency, { prices, rates }),
  );
  await writeUnderLease(context, settling, (tx) => saveTerms(tx, { terms, foundAt }));
}

/** The terms in a sentence or two. */
export function textOfTerms({ currency, paysFrom, oldPaysFrom, oldAfterMs, ...terms }: SweepTerms): string {
  const cost = `The first sweep of an address with ${currency} costs ${priceText(terms)}`;
  if (paysFrom === undefined || oldPaysFrom === undefined)
    return `${cost}; no rate of ${currency} and TRX says from which sum on it pays.`;
  const hours = Math.round(oldAfterMs / HOUR_MS);
  const later =
    oldPaysFrom < paysFrom ? `, and after ${hours} h from ${inHundredths(oldPaysFrom)} ${currency} on` : "";
  return `${cost}. It is made at once from ${inHundredths(paysFrom)} ${currency} on${later}; less waits for more on its address, or for \`daric sweep run --all\`.`;
}

/** The price of `count` first sweeps, in TRX and in USD. */
function priceText({ price, priceUsdE8 }: Pick<SweepTerms, "price" | "priceUsdE8">, count = 1): string {
  const trx = `${formatAmount(amountFromUnits(price * BigInt(count)))} TRX`;
  return priceUsdE8 === undefined ? trx : `${trx} (${inCents(priceUsdE8 * BigInt(count))} USD)`;
}

/** Contents that a plan leaves out, of one currency and for one reason. */
export type LeftContents = UnplannedContents & { readonly currency: Currency };

/** A sentence for each currency with contents that no rate values: no plan takes them. */
export async function describeUnrated({ db }: Pick<PlanningContext, "db">): Promise<string[]> {
  const rates = await newestRates({ db });
  const unrated = currencies.filter((currency) => valueInSun(currency, 1n, rates) === undefined);
  const found = await Promise.all(
    unrated.map(async (currency) => {
      const left = await sumUnplanned(db, { currency, bounds: undefined });
      return left.filter(({ reason }) => reason === "no_rate").map((contents) => ({ currency, ...contents }));
    }),
  );
  return found.flat().map((contents) => textOfLeft(contents));
}

/** A sentence about contents that a plan leaves out. `terms` price the sweeps of small sums. */
export function textOfLeft(
  { currency, units, addresses, oldestAt, reason }: LeftContents,
  terms?: SweepTerms,
): string {
  const sum = `${formatAmount(units)} ${currency} on ${addresses} ${addresses === 1 ? "address" : "addresses"}, since ${oldestAt.toISOString().slice(0, 10)}`;
  if (reason === "no_rate")
    return `no rate of ${currency} and TRX says whether it is worth a sweep: ${sum}; see \`daric rates check\``;
  if (reason === "no_approved_wallet") return `The signer's list lacks the wallet of: ${sum}`;
  const cost = terms && `. ${addresses} sweeps cost up to ${priceText(terms, addresses)}`;
  return `Too little for a sweep now: ${sum}${cost ?? ""}`;
}

/** Rounded up to the cent. */
export function inCents(usdE8: bigint): string {
  return formatPrice(((usdE8 + CENT_E8 - 1n) / CENT_E8) * CENT_E8);
}

/** Units rounded up to hundredths, as prices are. */
export function inHundredths(units: bigint): string {
  return formatAmount(amountFromUnits(((units + 9_999n) / 10_000n) * 10_000n));
}
