import type { SweepEvent } from "@daric/domain/sweep";
import type { SettlementContext, Settling } from "../context.ts";
import type { SettlementControl } from "../control-store.ts";
import { dropExported } from "../sweeps/exported-sweeps.ts";
import { sweepReport } from "../sweeps/report-sweeps.ts";
import { keepWaiting, moveSweep, type OpenSweep, repriceSweep } from "../sweeps/sweep-store.ts";
import { RETRY_AFTER_MS } from "../timing.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { findContent } from "./contents-store.ts";
import { decideBatch } from "./decide-batch.ts";
import type { SweepDecision } from "./decide-sweep.ts";
import { newestRates } from "./make-plan.ts";
import { findOldestAt } from "./plan-store.ts";
import { fetchPrices, surveySweeps } from "./survey.ts";

/** After this many failures on the chain a sweep is frozen, because each failure burns energy for nothing. */
const MAX_ATTEMPTS = 3;

type Outcome = {
  readonly event: SweepEvent | undefined;
  readonly reason: string | null;
  readonly waitMs: number;
};

/**
 * Prices a sweep again that waited, was frozen, or whose transaction expired or failed. It continues, goes on
 * waiting, or is dropped. The next plan then includes its address.
 */
export async function replanSweep(
  context: SettlementContext,
  settling: Settling,
  { sweep, control }: { sweep: OpenSweep; control: SettlementControl },
): Promise<void> {
  if (sweep.isOffline) return dropExported(context, settling, sweep);
  const { height } = await settling.reach();
  const content = await findContent(context.db, { ...sweep, height });
  if (content.now < sweep.units)
    return drop(context, settling, { sweep, reason: "the ledger has less on this address than was planned" });
  if (content.settled < sweep.units) return waitForNodes(context, settling, { sweep, height });
  const prices = await fetchPrices(context, settling);
  const facts = await surveySweeps(context, settling, [sweep]);
  const oldestAt = (await findOldestAt(context.db, sweep)) ?? context.clock.now();
  const [decided] = await decideBatch(context, settling, {
    batch: facts.map((fact) => ({ sweep: { ...sweep, wanted: sweep.units, oldestAt }, facts: fact })),
    prices,
    rates: await newestRates(context),
    control,
  });
  if (decided === undefined) throw new Error(`sweep ${sweep.id} has no decision`);
  const { verdict } = decided;
  if (!decided.facts.isRecipientConfirmed) settling.guard.pause([sweep]);
  const { event, reason, waitMs } = outcomeOf(sweep, verdict);
  await writeUnderLease(context, settling, async (tx) => {
    if (event === undefined) return keepWaiting(tx, sweep, { reason: reason ?? "", waitMs });
    if (event === "planned")
      await repriceSweep(tx, sweep, { ...verdict.price, resources: verdict.resources });
    await moveSweep(tx, sweep, { event, reason, waitMs });
  });
  if (event === "frozen") sweepReport.frozen(context, sweep, reason ?? "");
}

function outcomeOf({ status, attempts }: OpenSweep, verdict: SweepDecision): Outcome {
  const { reason } = verdict;
  const waitMs = verdict.status === "PLANNED" ? 0 : verdict.waitMs;
  if (status === "RETRY" && attempts >= MAX_ATTEMPTS)
    return {
      event: "frozen",
      reason: `${attempts} transactions of it failed on the chain`,
      waitMs: RETRY_AFTER_MS.frozen,
    };
  if (verdict.status === "FROZEN")
    return { event: status === "FROZEN" ? undefined : "frozen", reason, waitMs: RETRY_AFTER_MS.frozen };
  if (status === "FROZEN") return { event: "dropped", reason: "it is planned anew", waitMs: 0 };
  if (verdict.status === "PLANNED") return { event: "planned", reason: null, waitMs: 0 };
  return { event: status === "RETRY" ? "dropped" : undefined, reason, waitMs };
}

/** Tries again as soon as the nodes' solid block has the money. The sweep keeps its status. */
async function waitForNodes(
  context: SettlementContext,
  settling: Settling,
  { sweep, height }: { sweep: OpenSweep; height: number },
): Promise<void> {
  const reason = `the nodes agree on balances up to block ${height} only`;
  const keptReason = sweep.status === "WAITING" ? reason : (sweep.reason ?? reason);
  await writeUnderLease(context, settling, (tx) =>
    keepWaiting(tx, sweep, { reason: keptReason, waitMs: RETRY_AFTER_MS.behind }),
  );
}

async function drop(
  context: SettlementContext,
  settling: Settling,
  { sweep, reason }: { sweep: OpenSweep; reason: string },
): Promise<void> {
  await writeUnderLease(context, settling, (tx) => moveSweep(tx, sweep, { event: "dropped", reason }));
}
