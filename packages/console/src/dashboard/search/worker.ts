import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { ContextOf } from "@daric/runtime/context";
import { keepLease } from "@daric/runtime/lease";
import { startWorkerLoop, type WorkerLoop } from "@daric/runtime/worker-loop";
import { createTermWriter } from "./write-terms.ts";

/** A silent worker is replaced after this time: only the search of new payments by words waits meanwhile. */
const LEASE_TTL_MS = 30_000;
const POLL_MS = 4_000;
/** Of one core, this part at most goes to finding new rows; and half to writing the terms of old ones. */
const SHARE = 20;

/** Writes what payments are found by, in one process at a time. */
export function startSearchWorker(context: ContextOf): WorkerLoop {
  const { db, clock, log, databaseOutage } = context;
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const lease = keepLease(db, { name: "search", holder, ttlMs: LEASE_TTL_MS, clock });
  let writer: ReturnType<typeof createTermWriter> | undefined;
  let pollMs = POLL_MS;
  const loop = startWorkerLoop({
    name: "search",
    pollMs: () => pollMs,
    log,
    databaseOutage,
    processNext: async () => {
      pollMs = POLL_MS;
      if ((await lease.current()) === undefined) {
        writer = undefined;
        return false;
      }
      writer ??= createTermWriter({ db, clock });
      const startedMs = clock.monotonicMs();
      const hasMore = await writer.step();
      const tookMs = clock.monotonicMs() - startedMs;
      pollMs = hasMore ? 2 * tookMs : Math.max(POLL_MS, SHARE * tookMs);
      return false;
    },
  });
  return {
    ...loop,
    stop: async () => {
      await loop.stop();
      await lease.release().catch(() => {});
    },
  };
}
