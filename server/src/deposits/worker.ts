import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Context } from "../context.ts";
import { acquireLease, type Lease, LeaseLostError, releaseLease } from "../runtime/lease.ts";
import { startWorkerLoop, type WorkerLoop } from "../runtime/worker-loop.ts";
import type { ChainReader } from "../tron/chain-reader.ts";
import type { Network } from "../tron/networks.ts";
import { NodeError } from "../tron/node-error.ts";
import { CursorMovedError } from "./block-store.ts";
import { scanChain } from "./scan-chain.ts";

/** A watcher that dies is followed by another after this long. */
const LEASE_TTL_MS = 15_000;

/**
 * Follows the chain for as long as it runs. Of all processes that do so, the one that holds the lease reads; the
 * others stand by. Every failure of a node is waited out.
 */
export function startDepositWorker(
  context: Context,
  chain: { client: ChainReader; network: Network },
): WorkerLoop {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const leaseName = `watcher:${chain.network.name}`;
  let lease: Lease | undefined;
  let renewedAtMs = 0;

  async function holdLease(): Promise<Lease | undefined> {
    const nowMs = context.clock.monotonicMs();
    if (lease && nowMs - renewedAtMs < LEASE_TTL_MS / 3) return lease;
    renewedAtMs = nowMs;
    return acquireLease(context.db, { name: leaseName, holder, ttlMs: LEASE_TTL_MS });
  }

  async function processNext(): Promise<boolean> {
    lease = await holdLease();
    if (lease === undefined) return false;
    try {
      return await scanChain(context, { ...chain, lease });
    } catch (error) {
      if (error instanceof NodeError) context.metrics.nodeFailures.inc({ reason: error.fault });
      const isOvertaken = error instanceof LeaseLostError || error instanceof CursorMovedError;
      if (!isOvertaken) throw error;
      context.log.warn({ err: error }, "another watcher took over");
      lease = undefined;
      return false;
    }
  }

  const loop = startWorkerLoop({
    name: "watcher",
    pollMs: context.config.pollMs,
    log: context.log,
    processNext,
  });
  return {
    hurry: loop.hurry,
    stop: async () => {
      await loop.stop();
      if (lease) await releaseLease(context.db, lease).catch(() => {});
    },
  };
}
