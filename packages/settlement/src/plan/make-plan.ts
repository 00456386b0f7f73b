import { NodeError } from "@daric/chain/blocks/node-error";
import { assets, type Currency, currencies, isToken, perCurrency } from "@daric/domain/asset";
import {
  minUnits,
  OLD_AFTER_MS,
  oldMaxCostBasisPoints,
  type ResourcePrices,
  type SweepFacts,
  type SweepResources,
  type UsdRates,
} from "@daric/domain/sweep-price";
import type { ChainView, PlanningContext } from "../context.ts";
import type { SettlementControl } from "../control-store.ts";
import { signedUntil } from "../timing.ts";
import { type DecidedSweep, decideBatch } from "./decide-batch.ts";
import { type Bounds, type Candidate, findCandidates, findRates } from "./plan-store.ts";
import { shareSlots } from "./share-slots.ts";
import { type BatchedSweep, splitFees } from "./split-fees.ts";
import { fetchPrices, surveySweeps } from "./survey.ts";

/** The sweeps that a plan would make next. */
export type SweepPlan = {
  readonly decided: readonly DecidedSweep[];
  readonly prices: ResourcePrices;
  readonly rates: UsdRates;
  /** why the nodes say nothing about the sweeps of a coin, which the plan lacks */
  readonly failures: readonly NodeError[];
};

type PlanRequest = {
  readonly control: SettlementControl;
  readonly limit: number;
  /** the most sweeps that need energy; default: `limit` */
  readonly tokenLimit?: number;
  /** the sweeps under way of each coin; default: none */
  readonly underWay?: Readonly<Record<Currency, number>>;
  /** for a signer without a network */
  readonly isOffline?: boolean;
  /** wallets that nothing is sent to, by `walletKey`; default: none */
  readonly pausedWallets?: readonly string[];
};

/**
 * The plan that would be made now, without storing it. The failure of one coin leaves out its sweeps only.
 *
 * @throws NodeError if the nodes say nothing about any coin.
 */
export async function makePlan(
  context: PlanningContext,
  settling: ChainView,
  { limit, ...request }: PlanRequest,
): Promise<SweepPlan> {
  const rates = await newestRates(context);
  const prices = await fetchPrices(context, settling);
  const { control, tokenLimit = limit, underWay = perCurrency(() => 0), isOffline = false } = request;
  const { pausedWallets = [] } = request;
  const slots = { limit, tokenLimit, underWay };
  const candidates = await listCandidates(context, settling, {
    ...{ control, prices, rates },
    ...{ slots, isOffline, pausedWallets },
  });
  if (candidates.length === 0) return { decided: [], prices, rates, failures: [] };
  const sweeps = await splitFees(context, candidates, { prices, rates, pausedWallets });
  const { batch, failures } = await surveyCoins(context, settling, sweeps);
  if (batch.length === 0) return { decided: [], prices, rates, failures };
  const decided = await decideBatch(context, settling, { batch, prices, rates, control });
  return { decided, prices, rates, failures };
}

/** The facts of each sweep that the nodes report. Each coin is surveyed by itself. */
async function surveyCoins(
  context: PlanningContext,
  settling: ChainView,
  sweeps: readonly BatchedSweep[],
): Promise<{ batch: { sweep: BatchedSweep; facts: SweepFacts }[]; failures: NodeError[] }> {
  const facts = new Map<BatchedSweep, SweepFacts>();
  const failures: NodeError[] = [];
  for (const currency of currencies) {
    const own = sweeps.filter((sweep) => sweep.currency === currency);
    if (own.length === 0) continue;
    const questions = own.map((sweep) => ({ ...sweep, units: sweep.wanted }));
    try {
      for (const [index, of] of (await surveySweeps(context, settling, questions)).entries())
        facts.set(own[index] as BatchedSweep, of);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      failures.push(error);
    }
  }
  const [failure] = failures;
  if (failure !== undefined && facts.size === 0) throw failure;
  const batch = sweeps.flatMap((sweep) => {
    const of = facts.get(sweep);
    return of === undefined ? [] : [{ sweep, facts: of }];
  });
  return { batch, failures };
}

/** The newest known rates. */
export async function newestRates({ db }: Pick<PlanningContext, "db">): Promise<UsdRates> {
  const known = await findRates(db);
  return perCurrency((currency) => known.get(currency));
}

/**
 * The least that a transfer out of an activated address burns. The ledger selects addresses by it; then the nodes are
 * queried about these.
 */
export function minPrice(currency: Currency, prices: ResourcePrices, resources: SweepResources): bigint {
  return resources === "burn" && isToken(currency) ? assets[currency].transfer.energy * prices.energy : 0n;
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
  const { stakeAddress, ...rules } = config.settlement;
  const price = minPrice(currency, prices, stakeAddress === undefined ? "burn" : "delegate");
  const min = (basisPoints: number) => minUnits(currency, { price, basisPoints }, rates);
  const [full, old, asked] = [min(rules.maxCostBasisPoints), min(oldMaxCostBasisPoints(rules)), min(10_000)];
  if (full === undefined || old === undefined || asked === undefined) return undefined;
  const dust = assets[currency].dust;
  const above = (units: bigint) => (units < dust ? dust : units);
  return {
    full: above(full),
    old: above(old),
    oldBefore: new Date(clock.now().getTime() - OLD_AFTER_MS),
    asked: above(asked),
    askedBefore: control.sweepAllBefore ?? new Date(0),
  };
}

/** The candidates, selected by the ledger alone: of each coin those that hold most. */
async function listCandidates(
  context: PlanningContext,
  { network, verified, reach }: ChainView,
  {
    slots,
    isOffline,
    pausedWallets,
    ...worth
  }: Pick<PlanRequest, "control"> & {
    prices: ResourcePrices;
    rates: UsdRates;
    slots: Parameters<typeof shareSlots>[1];
    isOffline: boolean;
    pausedWallets: readonly string[];
  },
): Promise<Candidate[]> {
  const { height } = await reach();
  const until = signedUntil(network.name, verified, context.clock.now());
  const found = new Map<Currency, Candidate[]>();
  for (const currency of currencies) {
    const bounds = boundsOf(context, { currency, ...worth });
    const max = isToken(currency) ? Math.min(slots.limit, slots.tokenLimit) : slots.limit;
    if (bounds === undefined || max === 0) continue;
    const among = { currency, bounds, height, signedUntil: until, isOffline, pausedWallets, limit: max };
    found.set(currency, await findCandidates(context.db, among));
  }
  return shareSlots(
    perCurrency((currency) => found.get(currency) ?? []),
    slots,
  );
}
