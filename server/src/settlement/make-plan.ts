import { each, largest, queryQuorum, smallest } from "../chain/nodes/query-quorum.ts";
import { assets, type Currency, currencies, perCurrency } from "../domain/asset.ts";
import { amountIn } from "../domain/money.ts";
import { leastUnits, type SweepFacts, type SweepResources, type UsdRates } from "../domain/sweep-price.ts";
import type { ResourcePrices } from "../domain/transfer-price.ts";
import type { ChainView, PlanningContext } from "./context.ts";
import type { SettlementControl } from "./control-store.ts";
import { type DecidedSweep, decideBatch } from "./decide-batch.ts";
import { quorumFor } from "./decide-sweep.ts";
import { type Bounds, type Candidate, findCandidates, findRates } from "./plan-store.ts";
import { splitFees } from "./split-fees.ts";
import { surveySweeps } from "./survey.ts";
import { signedUntil } from "./timing.ts";

/** The sweeps that a plan would make next, largest contents first. */
export type SweepPlan = {
  readonly decided: readonly DecidedSweep[];
  readonly prices: ResourcePrices;
  readonly rates: UsdRates;
};

type PlanRequest = {
  readonly control: SettlementControl;
  readonly limit: number;
  /** the most sweeps that need energy; default: `limit` */
  readonly tokenLimit?: number;
  /** for a signer without a network */
  readonly isOffline?: boolean;
};

/** The plan that would be made now, without storing it. */
export async function makePlan(
  context: PlanningContext,
  settling: ChainView,
  { control, limit, tokenLimit = limit, isOffline = false }: PlanRequest,
): Promise<SweepPlan> {
  const { client, network } = settling;
  const needed = quorumFor(context, settling);
  const rates = await newestRates(context);
  const prices = await fetchPrices(context, settling);
  const request = { control, prices, rates, limit, tokenLimit, isOffline };
  const candidates = await listCandidates(context, settling, request);
  if (candidates.length === 0) return { decided: [], prices, rates };
  const sweeps = await splitFees(context, candidates, { prices, rates });
  const questions = sweeps.map((sweep) => ({ ...sweep, units: sweep.wanted }));
  const survey = await surveySweeps(client, { needed, network, sweeps: questions });
  const decided = await decideBatch(context, settling, {
    batch: sweeps.map((sweep, index) => ({ sweep, facts: survey.facts[index] as SweepFacts })),
    prices: survey.prices,
    rates,
    control,
  });
  return { decided, prices: survey.prices, rates };
}

/** The newest known rates. */
export async function newestRates({ db }: Pick<PlanningContext, "db">): Promise<UsdRates> {
  const known = await findRates(db);
  return perCurrency((currency) => known.get(currency));
}

async function fetchPrices(context: PlanningContext, settling: ChainView): Promise<ResourcePrices> {
  const answers = await queryQuorum(settling.client, quorumFor(context, settling), (node) =>
    node.getResourcePrices(),
  );
  const dearest = (of: (prices: ResourcePrices) => bigint) => amountIn("TRX", largest(each(answers, of)));
  return {
    energy: dearest(({ energy }) => energy),
    bandwidth: dearest(({ bandwidth }) => bandwidth),
    activation: dearest(({ activation }) => activation),
    freeBandwidth: smallest(each(answers, ({ freeBandwidth }) => freeBandwidth)),
  };
}

/**
 * The least that a transfer out of an activated address burns. The ledger selects addresses by it; then the nodes are
 * queried about these.
 */
export function leastPrice(currency: Currency, prices: ResourcePrices, resources: SweepResources): bigint {
  const asset = assets[currency];
  if (asset.kind === "native") return 0n;
  return resources === "burn" ? asset.transfer.energy * prices.energy : 0n;
}

/** The amounts and ages that are worth a sweep at these prices; undefined without a rate. */
export function boundsOf(
  { config, clock }: Pick<PlanningContext, "config" | "clock">,
  {
    currency,
    prices,
    rates,
    control,
  }: {
    currency: Currency;
    prices: ResourcePrices;
    rates: UsdRates;
    control: Pick<SettlementControl, "sweepAllBefore">;
  },
): Bounds | undefined {
  const { maxCostBasisPoints, oldMaxCostBasisPoints, oldAfterMs, stakeAddress } = config.settlement;
  const price = leastPrice(currency, prices, stakeAddress === undefined ? "burn" : "delegate");
  const least = (basisPoints: number) => leastUnits(currency, { price, basisPoints }, rates);
  const [full, old, asked] = [least(maxCostBasisPoints), least(oldMaxCostBasisPoints), least(10_000)];
  if (full === undefined || old === undefined || asked === undefined) return undefined;
  const dust = assets[currency].dust;
  const above = (units: bigint) => (units < dust ? dust : units);
  return {
    full: above(full),
    old: above(old),
    oldBefore: new Date(clock.now().getTime() - oldAfterMs),
    asked: above(asked),
    askedBefore: control.sweepAllBefore ?? new Date(0),
  };
}

/** The candidates, selected by the ledger alone: TRX first, which takes no energy, then the largest contents. */
async function listCandidates(
  context: PlanningContext,
  { network, verified }: ChainView,
  {
    control,
    prices,
    rates,
    limit,
    tokenLimit,
    isOffline,
  }: Required<PlanRequest> & { prices: ResourcePrices; rates: UsdRates },
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const currency of currencies.toSorted(
    (a, b) => Number(assets[a].kind === "token") - Number(assets[b].kind === "token"),
  )) {
    const bounds = boundsOf(context, { currency, prices, rates, control });
    const most = assets[currency].kind === "token" ? Math.min(limit, tokenLimit) : limit;
    if (bounds === undefined || found.length >= limit || most === 0) continue;
    const until = signedUntil(network.name, verified, context.clock.now());
    const among = { currency, bounds, signedUntil: until, isOffline, limit: most };
    found.push(...(await findCandidates(context.db, among)));
  }
  // An address has at most one sweep at a time.
  return [...new Map(found.toReversed().map((one) => [one.chargeId, one])).values()]
    .toReversed()
    .slice(0, limit);
}
