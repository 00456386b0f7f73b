import { NodeError } from "../chain/node-error.ts";
import { findKnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { solidThreshold } from "../witnesses/solid-height.ts";
import type { Cursor } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";
import { walkAll } from "./walk-headers.ts";

/** By so much may a block be later than the chain's clock, as it may be than our own. */
const MAX_AHEAD_OF_PROVEN_MS = 60_000;
/** What the chain's clock is proven by lags by the slots that were missed: less is no difference of clocks. */
const MIN_BEHIND_MS = 30_000;
/** No block is made sooner after its parent. */
const SLOT_MS = 3_000;

/**
 * The latest time that a block may carry by what the chain itself has proven, since when our own clock has run on; undefined
 * where our clock was never found wrong.
 */
export function latestProvenMs(
  context: Pick<WatcherContext, "clock">,
  scanner: Pick<Scanner, "memory">,
): number | undefined {
  const provenMs = chainClockMs(context, scanner);
  return provenMs === undefined ? undefined : provenMs + MAX_AHEAD_OF_PROVEN_MS;
}

/** Whether a block was not read because our clock says that it cannot be yet. */
export function isAheadOfClock(error: unknown): boolean {
  return error instanceof NodeError && error.fault === "ahead_of_clock";
}

/**
 * Whether it is proven that the chain's clock is further than was known: enough known witnesses have built on a block whose
 * time our clock calls future, or such a block was read when that was so. Then it is our clock that is behind, which is
 * said, and a block that waited for it is worth asking for again. A block that nobody has built on proves nothing, whatever
 * its time.
 */
export async function proveTime(
  context: WatcherContext,
  scanner: Scanner,
  cursor?: Cursor,
): Promise<boolean> {
  const descent = await proveByDescent(context, scanner);
  const proven = [descent, cursor && provenBefore(context, scanner, cursor)]
    .filter((proof) => proof !== undefined)
    .sort((a, b) => b.chainMs - a.chainMs)[0];
  const oursMs = context.clock.now().getTime();
  if (proven === undefined || proven.chainMs < oursMs + MIN_BEHIND_MS) return false;
  if (proven.chainMs <= (chainClockMs(context, scanner) ?? oursMs)) return false;
  believe(context, scanner, proven);
  return true;
}

/** What the chain's clock says at least, and the block that tells so. */
type Proof = { readonly chainMs: number; readonly number: number; readonly timeMs: number };

async function proveByDescent(context: WatcherContext, scanner: Scanner): Promise<Proof | undefined> {
  const known = await findKnownWitnesses(context.db, scanner.network.name);
  if (known === undefined) return undefined;
  const [walk] = await walkAll(scanner.client.nodes, known, (head) => ({ top: head, floor: head }));
  if (walk === undefined) return undefined;
  const { proven } = walk;
  // So many blocks stand at or above it, each in a slot of its own.
  return { ...proven, chainMs: proven.timeMs + (solidThreshold(known.active) - 1) * SLOT_MS };
}

/**
 * Nobody reads a block so far ahead of our clock unless the chain's was proven, which a process that has just started has
 * forgotten. Later on it is no proof: the chain's clock lets read what is a minute ahead of it.
 */
function provenBefore(
  { clock }: WatcherContext,
  { memory }: Scanner,
  { number, time }: Cursor,
): Proof | undefined {
  const timeMs = time.getTime();
  const wasAllowed = timeMs <= clock.now().getTime() + MAX_AHEAD_OF_PROVEN_MS;
  return memory.provenTime !== undefined || wasAllowed ? undefined : { number, timeMs, chainMs: timeMs };
}

function chainClockMs(
  { clock }: Pick<WatcherContext, "clock">,
  { memory }: Pick<Scanner, "memory">,
): number | undefined {
  const { provenTime } = memory;
  return provenTime && provenTime.timeMs + (clock.monotonicMs() - provenTime.atMs);
}

function believe(context: WatcherContext, { memory }: Scanner, { chainMs, number, timeMs }: Proof): void {
  const { clock, metrics, log } = context;
  const isKnown = memory.provenTime !== undefined;
  memory.provenTime = { timeMs: chainMs, atMs: clock.monotonicMs() };
  if (isKnown) return;
  metrics.alarms.inc({ alarm: "clock_behind" });
  log.error(
    {
      block_number: number,
      block_time: new Date(timeMs),
      behind_seconds: Math.round((chainMs - clock.now().getTime()) / 1_000),
    },
    "this machine's clock is behind: witnesses have built on a block that it says cannot be yet. Blocks are read by the chain's clock; set this machine's (NTP)",
  );
}
