import type { SettlementContext, Settling } from "../context.ts";
import { RETRY_AFTER_MS } from "../timing.ts";
import { transactionStanding } from "../transactions/follow-transaction.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import { endOpenTransactions, listOverdueExports } from "./exported-store.ts";
import { sweepReport } from "./report-sweeps.ts";
import type { At } from "./sweep-step.ts";
import { keepWaiting, moveSweep, type OpenSweep } from "./sweep-store.ts";

const AT_ONCE = 200;

/** A change since the plan. */
type Fault = { readonly event: "frozen" | "expired"; readonly reason: string };

/** Drops exported sweeps whose signatures were not imported in time and whose transactions cannot land any more. */
export async function dropOverdueExports(context: SettlementContext, settling: Settling): Promise<void> {
  for (const ref of await listOverdueExports(context.db, settling.verified.time, AT_ONCE))
    await writeUnderLease(context, settling, async (tx) => {
      await endOpenTransactions(tx, ref, "expired");
      await moveSweep(tx, ref, { event: "dropped", reason: "it was not signed in time" });
    });
}

/**
 * Sends a transfer that was signed offline, unless it would fail. In that case its bytes stay stored until they
 * expire, and the next attempt checks again. It may be in a block already, because the operator may have broadcast
 * the file.
 */
export async function sendSignedOffline(
  context: SettlementContext,
  settling: Settling,
  { at: { sweep, transaction }, findFault }: { at: At; findFault: () => Promise<Fault | undefined> },
): Promise<void> {
  const isIncluded = transactionStanding(transaction, settling.verified) === "included";
  if (settling.isPaused && !isIncluded) return;
  const fault = isIncluded ? undefined : await findFault();
  await writeUnderLease(context, settling, (tx) =>
    fault === undefined
      ? moveSweep(tx, sweep, { event: "signed" })
      : keepWaiting(tx, sweep, { reason: fault.reason, waitMs: RETRY_AFTER_MS.gas }),
  );
  if (fault?.event === "frozen" && fault.reason !== sweep.reason)
    sweepReport.frozen(context, sweep, fault.reason);
}

/**
 * Drops a sweep that was exported, once none of its signed transactions can land any more. Then its address is
 * planned anew.
 */
export async function dropExported(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<void> {
  const { transaction, reason } = sweep;
  const mayLand = transaction !== undefined && settling.verified.time < transaction.expiresAt;
  await writeUnderLease(context, settling, async (tx) => {
    if (mayLand) return keepWaiting(tx, sweep, { reason: reason ?? "", waitMs: RETRY_AFTER_MS.gas });
    await endOpenTransactions(tx, sweep, "expired");
    await moveSweep(tx, sweep, { event: "dropped", reason: "it is planned anew" });
  });
}
