import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import type { Database } from "@daric/postgres/sql";
import { createOwnerFinder } from "@daric/server/addresses/owner-finder";
import { type RawBlockResponse, validateBlock } from "@daric/server/chain/blocks/raw-block-response";
import type { NodeGroup, TronNode } from "@daric/server/chain/nodes/chain-reader";
import { groupNodes } from "@daric/server/chain/nodes/client";
import type { Network } from "@daric/server/chain/nodes/networks";
import { HttpTronNode } from "@daric/server/chain/nodes/node";
import { createOldBlockReader } from "@daric/server/chain/nodes/old-block-reader";
import { MAX_AHEAD_OF_CLOCK_MS } from "@daric/server/deployment/connect-network";
import { CursorMovedError } from "@daric/server/deposits/block-store";
import { scanChain } from "@daric/server/deposits/follow/scan-chain";
import { createFollowState, type Scanner } from "@daric/server/deposits/follow/scanner";
import { createRescanWorker } from "@daric/server/deposits/rescan/rescan-worker";
import { createVerifyState } from "@daric/server/deposits/verify/state";
import { acquireLease, type Lease, LeaseLostError, releaseLease } from "@daric/server/runtime/lease";
import { backoffMs } from "@daric/server/runtime/worker-loop";
import type { TestContext } from "@daric/testing/context";
import type { SimDatabase } from "./database.ts";
import type { SimNode } from "./node/sim-node.ts";
import type { SimTime } from "./time.ts";

/** What a watcher in this process is given: the world it looks at, whose time it reads. */
export type WatchedWorld = {
  readonly context: TestContext;
  readonly database: SimDatabase;
  readonly network: Network;
  readonly time: SimTime;
  readonly nodes: readonly SimNode[];
  logLine(line: string): void;
};

/** A process that watches, as far as it is more than what the database remembers. */
export type SimWatcher = {
  readonly name: string;
  /** when it looks next, by the monotonic clock */
  nextPollMs(): number;
  /** since when it lives, by the same clock: which node lags it has to find out anew */
  bornMs(): number;
  /** whether it is at it now, or waits for a node */
  isPolling(): boolean;
  /** Looks until there is nothing new, as the worker's loop does, and says when it looks next. */
  poll(): Promise<void>;
  /** Forgets all that it had in memory, as a killed process does. */
  restart(): void;
  /** Dies at one of its next questions, or beside the commit of one of its next transactions. */
  dieAt(place: "question" | "before commit" | "after commit", count: number): void;
  /** Its lease is free for others from now on, which it does not know. */
  loseLease(): Promise<void>;
  /** Takes the lease if nobody has it, and does nothing else. */
  takeLease(): Promise<void>;
  /** Stands still at one of the next questions of its next look, whatever it has in its hands; answers what wakes it. */
  pauseAtQuestion(count: number): { readonly isReached: Promise<boolean>; wake(): void };
};

const POLL_MS = 3_000;
const LEASE_NAME = "watcher";
/** The database's own clock is real: a lease ends here when it is given up, never by itself. */
const LEASE_TTL_MS = 3_600_000;
const MAX_STEPS = 60;

/** A process that was killed: nothing of ours throws it, and nothing of ours may catch it. */
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
  /** what kills it: nothing is asked of the database from then on */
  let killed: KilledError | undefined;
  let gate: { reached(isReached: boolean): void; until: Promise<void>; count: number } | undefined;

  const db = time.waitingOn(database.db);
  let isPolling = false;
  let mind = newMind();

  /** The database as a process of this life has it: what it left behind when it was killed does nothing more. */
  function mortal(requireAlive: () => void): Database {
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

  function newMind() {
    const ownLife = life;
    const requireAlive = () => {
      if (killed !== undefined) throw killed;
      if (life !== ownLife) throw new KilledError("long ago");
    };
    const mortalDb = mortal(requireAlive);
    const atQuestion = async () => {
      requireAlive();
      await standAtQuestion();
    };
    const nodes = world.nodes.map((node): TronNode => {
      const http = node.http(atQuestion);
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
    const memory: Pick<Scanner, "owners" | "following" | "verifying"> = {
      owners: createOwnerFinder({ db }),
      following: createFollowState(context),
      verifying: createVerifyState(),
    };
    const rescans = createRescanWorker({ ...context, db: mortalDb }, () => undefined);
    return { client, rescans, mortalDb, ...memory };
  }

  async function standAtQuestion(): Promise<void> {
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
    mind = newMind();
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
    // The addresses of this database were never lost: nothing is to be guarded.
    const guard = { require: async () => undefined };
    const scanner = { client, network, lease, guard, ...memories, afterCommit: () => {} };
    const isMoreWaiting = await scanChain({ ...context, db: mortalDb }, scanner);
    await rescans.step(scanner);
    // What it asks for beside the rest is answered without a socket: by now, so that a seed does the same again.
    await turnOfTheLoop();
    return isMoreWaiting;
  }

  /** What the worker's loop makes of a failure. */
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
 * Whatever a node or the chain may do is waited out by the loop.
 *
 * @throws Error as it is when it can only be a fault of ours: one of the language, or of a statement.
 */
function requireKnown(error: unknown): void {
  const faults = [TypeError, RangeError, ReferenceError, SyntaxError];
  const isOurs = faults.some((fault) => error instanceof fault) || Object.hasOwn(error as object, "severity");
  if (isOurs) throw error;
}
