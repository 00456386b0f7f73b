import { startWorkerLoop, type WorkerLoop } from "../runtime/worker-loop.ts";
import type { IssuingContext } from "./context.ts";
import { fillAddressPool } from "./fill-address-pool.ts";

const POLL_MS = 250;

/** Keeps addresses derived ahead of need, in every process that creates charges. */
export function startAddressPoolWorker(context: IssuingContext): WorkerLoop {
  return startWorkerLoop({
    name: "address-pool",
    pollMs: POLL_MS,
    log: context.log,
    processNext: async () => (await fillAddressPool(context)) > 0,
  });
}
