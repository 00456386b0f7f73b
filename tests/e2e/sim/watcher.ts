import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { createOwnerFinder } from "@daric/addresses/owner-finder";
import { type RawBlockResponse, validateBlock } from "@daric/chain/blocks/raw-block-response";
import type { NodeGroup, TronNode } from "@daric/chain/nodes/chain-reader";
import { groupNodes } from "@daric/chain/nodes/client";
import type { Network } from "@daric/chain/nodes/networks";
import { HttpTronNode } from "@daric/chain/nodes/node";
import { createOldBlockReader } from "@daric/chain/nodes/old-block-reader";
import { CursorMovedError } from "@daric/deposits/block-store";
import { scanChain } from "@daric/deposits/follow/scan-chain";
import { createFollowState, type Scanner, settleAgain } from "@daric/deposits/follow/scanner";
import { createRescanWorker } from "@daric/deposits/rescan/rescan-worker";
import type { Database } from "@daric/postgres/sql";
import { createRefundWatch } from "@daric/refunds/watch";
import { acquireLease, type Lease, LeaseLostError, releaseLease } from "@daric/runtime/lease";
import { backoffMs } from "@daric/runtime/worker-loop";
import { MAX_AHEAD_OF_CLOCK_MS } from "@daric/server/deployment/connect-network";
import type { TestContext } from "@daric/testing/context";
import type { SimDatabase } from "./database.ts";
import type { SimNode } from "./node/sim-node.ts";
import type { SimTime } from "./time.ts";

/** The inputs of a watcher in this process. */
export type WatchedWorld = {
  readonly context: TestContext;
  readonly database: SimDatabase;
  readonly network: Network;
  readonly time: SimTime;
  readonly nodes: readonly SimNode[];
  logLine(line: string): void;
};

/** The state of a watcher process outside the database. */
export type SimWatcher = {
  readonly name: string;
  /** the time of its next poll, by the monotonic clock */
  nextPollMs(): number;
  /** the time of its start, by the same clock: it has to detect lagging nodes again */
  bornMs(): number;
  /** whether it is polling, or waits for a node */
  isPolling(): boolean;
  /** Polls until there is nothing new, like the worker's loop, and sets the next poll. */
  poll(): Promise<void>;
  /** Drops its memory, like a killed process. */
  restart(): void;
  /** Dies at one of its next queries, or beside the commit of one of its next transactions. */
  dieAt(place: "question" | "before commit" | "after commit", count: number): void;
  /** Frees its lease without its knowledge. */
  loseLease(): Promise<void>;
  /** Takes a free lease, and nothing else. */
  takeLease(): Promise<void>;
  /**
   * Stops at one of the next queries of its next poll, at any point of its work; returns the function that
   * wakes it.
   */
  pauseAtQuestion(count: number): { readonly isReached: Promise<boolean>; wake(): void };
};

const POLL_MS = 3_000;
const LEASE_NAME = "watcher";
/** So long that a lease ends only by release, because the database's own clock is real. */
const LEASE_TTL_MS = 3_600_000;
const MAX_STEPS = 60;

/** Ends a killed process. The service never throws this error and must not catch it. */
class KilledError extends Error {
  override readonly name = "KilledError";
}

export function createSimWatcher(world: WatchedWorld, name: string): SimWatcher {
  const { context, database, network, time } = world;
  let life = 0;
  let lease: Lease | undefined;
  let failures = 0;
  let nextPollMs = 0;
  let bornMs = 0;
  let death: { place: string; count: number } | undefined;
  /** the cause of death: afterwards no query reaches the database */
  let killed: KilledError | undefined;
  let gate: { reached(isReached: boolean): void; until: Promise<void>; count: number } | undefined;

  const db = time.waitingOn(database.db);
  let isPolling = false;
  let mind = freshMemory();

  /** The database of one life of a process; queries after its death do nothing. */
  function databaseUntilDeath(requireAlive: () => void): Database {
    return {
      ...db,
      query: async (statement) => {
        requireAlive();
        return db.query(statement);
      },
      transaction: async (work) => {
        requireAlive();
        const result = await db.transaction(async (tx) => {
          const done = await work(tx);
          dieWhere("before commit");
          return done;
        });
        dieWhere("after commit");
        return result;
      },
    };
  }

  function freshMemory() {
    const ownLife = life;
    const requireAlive = () => {
      if (killed !== undefined) throw killed;
      if (life !== ownLife) throw new KilledError("long ago");
    };
    const mortalDb = databaseUntilDeath(requireAlive);
    const onQuery = async () => {
      requireAlive();
      await pauseAtQuery();
    };
    const nodes = world.nodes.map((node): TronNode => {
      const http = node.http(onQuery);
      const latestTimeMs = () => context.clock.now().getTime() + MAX_AHEAD_OF_CLOCK_MS;
      const { genesisId, tokens } = network;
      const oldBlocks = createOldBlockReader(
        { decode: async (answers: RawBlockResponse) => validateBlock(answers) },
        http,
      );
      const options = { http, solidityHttp: http, genesisId, tokens, latestTimeMs, oldBlocks };
      return new HttpTronNode(options);
    });
    const client: NodeGroup = groupNodes(nodes, {
      now: () => context.clock.monotonicMs(),
      onFailure: () => {},
      keepsTime: true,
    });
    const memory: Pick<Scanner, "owners" | "refunds" | "following"> = {
      owners: createOwnerFinder({ db }),
      refunds: createRefundWatch(),
      following: createFollowState(context),
    };
    const rescans = createRescanWorker({ ...context, db: mortalDb }, () => undefined);
    return { client, rescans, mortalDb, ...memory };
  }

  async function pauseAtQuery(): Promise<void> {
    dieWhere("question");
    const closed = gate;
    if (closed === undefined) return;
    closed.count -= 1;
    if (closed.count > 0) return;
    gate = undefined;
    closed.reached(true);
    await closed.until;
  }

  function dieWhere(place: string): void {
    if (death?.place !== place) return;
    death.count -= 1;
    if (death.count > 0) return;
    death = undefined;
    killed = new KilledError(place);
    throw killed;
  }

  function restart(): void {
    life += 1;
    lease = undefined;
    killed = undefined;
    failures = 0;
    mind = freshMemory();
    nextPollMs = context.clock.monotonicMs();
    bornMs = nextPollMs;
  }

  function take(): Promise<Lease | undefined> {
    return acquireLease(db, {
      name: LEASE_NAME,
      holder: `${name}/${life}`,
      ttlMs: LEASE_TTL_MS,
    });
  }

  async function loseLease(): Promise<void> {
    if (lease !== undefined) await releaseLease(db, lease);
  }

  async function step(): Promise<boolean> {
    lease ??= await take();
    if (lease === undefined) return false;
    const { client, rescans, mortalDb, ...memories } = mind;
    // The guard accepts every database, since this one never lost addresses.
    const guard = { require: async () => undefined };
    const hooks = { afterCommit: () => {}, afterBlocks: () => {} };
    const scanner = { client, network, lease, guard, ...memories, ...hooks };
    const isMoreWaiting = await scanChain({ ...context, db: mortalDb }, scanner);
    if (await rescans.step(scanner)) settleAgain(scanner);
    // Side queries are answered without a socket at once, so that a seed repeats exactly.
    await turnOfTheLoop();
    return isMoreWaiting;
  }

  /** Handles a failure like the worker's loop. */
  async function afterFailure(error: unknown): Promise<void> {
    if (error instanceof KilledError) {
      world.logLine(`${name} is killed: ${error.message}`);
      await loseLease();
      restart();
    } else if (error instanceof LeaseLostError || error instanceof CursorMovedError) {
      world.logLine(`${name} was overtaken: ${error.message}`);
      lease = undefined;
      nextPollMs += POLL_MS;
    } else {
      requireKnown(error);
      failures += 1;
      world.logLine(`${name} fails ${failures} times: ${(error as Error).message}`);
      nextPollMs = context.clock.monotonicMs() + backoffMs(POLL_MS, failures);
    }
  }

  return {
    name,
    nextPollMs: () => nextPollMs,
    bornMs: () => bornMs,
    isPolling: () => isPolling,
    poll: async () => {
      isPolling = true;
      nextPollMs = context.clock.monotonicMs() + POLL_MS;
      try {
        for (let steps = 0; await step(); steps += 1) {
          if (steps === MAX_STEPS) throw new TypeError(`${name} never comes to rest`);
        }
        failures = 0;
      } catch (error) {
        await afterFailure(error);
      } finally {
        isPolling = false;
        gate?.reached(false);
        gate = undefined;
      }
    },
    restart,
    dieAt: (place, count) => {
      death = { place, count };
    },
    loseLease,
    takeLease: async () => {
      lease = await take();
    },
    pauseAtQuestion: (count) => {
      let wake = (): void => {};
      const until = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const isReached = new Promise<boolean>((reached) => {
        gate = { reached, until, count };
      });
      return { isReached, wake };
    },
  };
}

/**
 * Accepts every fault of a node or the chain, which the loop survives.
 *
 * @throws Error for a bug of the service: an error of the language, or of a statement.
 */
function requireKnown(error: unknown): void {
  const faults = [TypeError, RangeError, ReferenceError, SyntaxError];
  const isOurs = faults.some((fault) => error instanceof fault) || Object.hasOwn(error as object, "severity");
  if (isOurs) throw error;
}
