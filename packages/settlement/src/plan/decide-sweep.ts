import type { Currency } from "@daric/domain/asset";
import { type Amount, formatAmount } from "@daric/domain/money";
import {
  priceSweep,
  type ResourcePrices,
  reasonToSweep,
  type SweepFacts,
  type SweepPrice,
  type SweepResources,
  type SweepRules,
  type UsdRates,
  valueInSun,
} from "@daric/domain/sweep-price";
import type { ChainView, PlanningContext } from "../context.ts";
import { RETRY_AFTER_MS } from "../timing.ts";
import { fetchPrices, type SurveyedSweep, surveySweeps } from "./survey.ts";

/** The nodes' facts about one sweep now, and its price. */
export async function surveyOne(
  context: PlanningContext,
  settling: ChainView,
  sweep: SurveyedSweep & { readonly units: Amount; readonly resources: SweepResources },
): Promise<{ facts: SweepFacts; price: SweepPrice }> {
  const prices = await fetchPrices(context, settling);
  const [facts] = await surveySweeps(context, settling, [sweep]);
  if (facts === undefined) throw new Error("a survey of one sweep has no facts");
  const { currency, units: wanted, resources } = sweep;
  return { facts, price: priceSweep(facts, { currency, wanted, prices, resources }) };
}

/** Why the sweeps of a wallet wait whose keys changed after they were confirmed. */
export const UNCONFIRMED =
  "other keys may move the money of its wallet than were confirmed: confirm them anew";

/** The decision about a sweep. `waitMs` is the time until the next attempt. */
export type SweepDecision = {
  readonly price: SweepPrice;
  readonly resources: SweepResources;
} & (
  | { readonly status: "PLANNED"; readonly reason: null }
  | { readonly status: "WAITING" | "FROZEN"; readonly reason: string; readonly waitMs: number }
);

/** The facts of a decision besides the nodes' answers. */
export type DecisionFacts = {
  readonly currency: Currency;
  readonly wanted: Amount;
  readonly prices: ResourcePrices;
  readonly rates: UsdRates;
  readonly rules: SweepRules;
  readonly maxPriceSun: bigint;
  readonly ageMs: number;
  readonly isAsked: boolean;
  readonly resources: SweepResources;
};

/** Decides whether a sweep is made now. If it is not, the result has the reason and the time of the next attempt. */
export function decideSweep(facts: SweepFacts, judging: DecisionFacts): SweepDecision {
  const { currency, wanted, prices, rates, rules, maxPriceSun, ageMs, isAsked, resources } = judging;
  const price = priceSweep(facts, { currency, wanted, prices, resources });
  const wait = (reason: string, waitMs: number): SweepDecision => ({
    status: "WAITING",
    price,
    resources,
    reason,
    waitMs,
  });
  if (!facts.isRecipientConfirmed) return wait(UNCONFIRMED, RETRY_AFTER_MS.unconfirmed);
  if (facts.refusal !== undefined)
    return { status: "FROZEN", price, resources, reason: facts.refusal, waitMs: RETRY_AFTER_MS.frozen };
  if (price.units <= 0n)
    return wait(
      `the address holds ${formatAmount(facts.balance)} ${currency}, of which nothing can be sent`,
      RETRY_AFTER_MS.uneconomic,
    );
  if (price.price > maxPriceSun)
    return wait(`it costs ${formatAmount(price.price)} TRX, above the ceiling`, RETRY_AFTER_MS.price);
  const value = valueInSun(currency, price.units, rates);
  if (value === undefined)
    return wait(`no rate of ${currency} and TRX says whether it is worth its price`, RETRY_AFTER_MS.price);
  const isWorth = reasonToSweep({ price: price.price, value, ageMs, isAsked }, rules) !== undefined;
  if (!isWorth)
    return wait(
      `it costs ${formatAmount(price.price)} TRX, too much for ${formatAmount(price.units)} ${currency}`,
      RETRY_AFTER_MS.uneconomic,
    );
  return { status: "PLANNED", price, resources, reason: null };
}
