import type { SettlementContext, Settling } from "./context.ts";
import { transactionStanding } from "./follow-transaction.ts";
import { endOpenTransactions, listOverdueExports } from "./offline-store.ts";
import { sweepReport } from "./report-sweeps.ts";
import type { At } from "./sweep-step.ts";
import { keepWaiting, moveSweep, type OpenSweep } from "./sweep-store.ts";
import { waits } from "./timing.ts";
import { write } from "./write.ts";

const AT_ONCE = 200;

/** What has changed since the plan. */
type Fault = { readonly event: "frozen" | "expired"; readonly reason: string };

/** Gives up the exported sweeps whose signatures did not come back, and could land no more. */
export async function dropOverdueExports(context: SettlementContext, settling: Settling): Promise<void> {
  for (const ref of await listOverdueExports(context.db, settling.verified.time, AT_ONCE))
    await write(context, settling, async (tx) => {
      await endOpenTransactions(tx, ref, "expired");
      await moveSweep(tx, ref, { event: "dropped", reason: "it was not signed in time" });
    });
}

/**
 * Goes on with a transfer that was signed offline, unless it would fail. Then its bytes lie here until they expire, and are looked at
 * again. In a block it may be already, since others may have the file too.
 */
export async function sendSignedOffline(
  context: SettlementContext,
  settling: Settling,
  { at: { sweep, transaction }, findFault }: { at: At; findFault: () => Promise<Fault | undefined> },
): Promise<void> {
  const isIncluded = transactionStanding(transaction, settling.verified) === "included";
  if (settling.isPaused && !isIncluded) return;
  const fault = isIncluded ? undefined : await findFault();
  await write(context, settling, (tx) =>
    fault === undefined
      ? moveSweep(tx, sweep, { event: "signed" })
      : keepWaiting(tx, sweep, { reason: fault.reason, waitMs: waits.gas }),
  );
  if (fault?.event === "frozen" && fault.reason !== sweep.reason)
    sweepReport.frozen(context, sweep, fault.reason);
}

/** A sweep that was to be signed offline is planned anew, once what may have been signed for it can land no more. */
export async function giveUpOffline(
  context: SettlementContext,
  settling: Settling,
  sweep: OpenSweep,
): Promise<void> {
  const { transaction, reason } = sweep;
  const mayLand = transaction !== undefined && settling.verified.time < transaction.expiresAt;
  await write(context, settling, async (tx) => {
    if (mayLand) return keepWaiting(tx, sweep, { reason: reason ?? "", waitMs: waits.gas });
    await endOpenTransactions(tx, sweep, "expired");
    await moveSweep(tx, sweep, { event: "dropped", reason: "it is planned anew" });
  });
}
