import { setTimeout as sleep } from "node:timers/promises";
import { type Scanner, settleAgain } from "@daric/deposits/follow/scanner";
import { requestRescan } from "@daric/deposits/rescan/rescan";
import { findRescan, type Rescan } from "@daric/deposits/rescan/rescan-store";
import { createRescanWorker } from "@daric/deposits/rescan/rescan-worker";
import type { TestContext } from "./context.ts";

const MAX_CHECKS = 2_000;

/** Rescans a range with this scanner; returns the result, or the reason for which the rescan waits. */
export async function rescanRange(
  context: TestContext,
  scanner: Scanner,
  range: { from: number; to: number },
): Promise<Rescan> {
  const { id } = await requestRescan(context.db, { network: scanner.network.name, ...range });
  return runRescan(context, scanner, id);
}

/** Runs a requested rescan to its end. */
export async function runRescan(context: TestContext, scanner: Scanner, id: number): Promise<Rescan> {
  const worker = createRescanWorker(context, () => {});
  for (let polls = 0; polls < MAX_CHECKS; polls += 1) {
    if (await worker.step(scanner)) settleAgain(scanner);
    const row = await findRescan(context.db, { network: scanner.network.name, id });
    if (row === undefined) throw new Error("the rescan is missing");
    if (row.status === "DONE" || row.status === "REFUSED" || row.note !== null) return row;
    await sleep(5);
  }
  throw new Error("the rescan does not end");
}
