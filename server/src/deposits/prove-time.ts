import { signerOf } from "../chain/block-signer.ts";
import { NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { findKnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { solidHeight } from "../witnesses/solid-height.ts";
import type { Cursor } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** A block is made in its slot, and the newest is so much younger than the one that those above it prove. */
const MAX_AHEAD_OF_PROVEN_MS = 60_000;
/** Asked for side by side, and no more than a few rotations in all. */
const BLOCKS_AT_ONCE = 9;
const MAX_BLOCKS = 81;

/**
 * The latest time that a block may carry by what the chain itself has proven, since when our own clock has run on; undefined
 * where our clock was never found wrong.
 */
export function latestProvenMs(
  { clock }: Pick<WatcherContext, "clock">,
  { memory }: Scanner,
): number | undefined {
  const { provenTime } = memory;
  if (provenTime === undefined) return undefined;
  return provenTime.timeMs + (clock.monotonicMs() - provenTime.atMs) + MAX_AHEAD_OF_PROVEN_MS;
}

/** Whether a block was not read because our clock says that it cannot be yet. */
export function isAheadOfClock(error: unknown): boolean {
  return error instanceof NodeError && error.fault === "ahead_of_clock";
}

/**
 * Whether the block after the cursor, whose time our clock calls future, is proven by the blocks that known witnesses have
 * built on it: then it is our clock that is behind, which is said, and the block may be read.
 */
export async function proveTime(context: WatcherContext, scanner: Scanner, cursor: Cursor): Promise<boolean> {
  const known = await findKnownWitnesses(context.db, scanner.network.name);
  if (known === undefined) return false;
  let parentId = cursor.blockId;
  const headers: BlockHeader[] = [];
  while (headers.length < MAX_BLOCKS) {
    for (const header of await fetchHeaders(scanner, cursor.number + 1 + headers.length)) {
      if (header?.parentId !== parentId) return false;
      headers.push(header);
      parentId = header.id;
    }
    const signed = headers.map((header) => ({ ...header, signerHex: signerOf(header) }));
    const proven = solidHeight(signed, known);
    const [first] = headers;
    if (proven !== undefined && first !== undefined) {
      believe(context, scanner, first);
      return true;
    }
  }
  return false;
}

/** The next headers that the nodes have; one that is missing ends them. */
async function fetchHeaders({ client }: Scanner, from: number): Promise<(BlockHeader | undefined)[]> {
  const blocks = await Promise.all(
    Array.from({ length: BLOCKS_AT_ONCE }, (_, offset) => client.getBlock(from + offset)),
  );
  const headers = blocks.map((block) => block?.header);
  const missing = headers.indexOf(undefined);
  return missing < 1 ? headers : headers.slice(0, missing);
}

function believe(context: WatcherContext, { memory }: Scanner, { number, timeMs }: BlockHeader): void {
  const { clock, metrics, log } = context;
  const isKnown = memory.provenTime !== undefined;
  memory.provenTime = { timeMs, atMs: clock.monotonicMs() };
  if (isKnown) return;
  metrics.alarms.inc({ alarm: "clock_behind" });
  log.error(
    {
      block_number: number,
      block_time: new Date(timeMs),
      behind_seconds: Math.round((timeMs - clock.now().getTime()) / 1_000),
    },
    "this machine's clock is behind: witnesses have built on a block that it says cannot be yet. Blocks are read by the chain's clock; set this machine's (NTP)",
  );
}
