import { setTimeout as sleep } from "node:timers/promises";
import type { TronNode } from "../chain/chain-reader.ts";
import { isMissingBlock, NodeError } from "../chain/node-error.ts";
import type { ClearingMemory } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";

/** What a step waits for a node. */
const MAX_WAIT_MS = 3_000;
/** How long a node that failed is left alone. */
const REST_MS = 15_000;
const FAILED = Symbol("failed");

/** When somebody was asked who has not answered yet: never long ago. */
const WHILE_ASKED = Number.POSITIVE_INFINITY;

/**
 * Puts a question to one node of several that must agree; undefined where it fails, takes too long, or did lately and is left
 * alone. A node that merely does not have a block yet is asked again with the next look.
 */
export async function askInTime<T>(
  { clock }: Pick<WatcherContext, "clock">,
  { node, place, memory }: { node: TronNode; place: number; memory: ClearingMemory },
  question: (node: TronNode) => Promise<T>,
): Promise<T | undefined> {
  const nowMs = clock.monotonicMs();
  if ((memory.restsUntilMs.get(place) ?? 0) > nowMs) return undefined;
  const asking = question(node).catch((error: unknown) => {
    if (!(error instanceof NodeError)) throw error;
    return isMissingBlock(error) ? undefined : FAILED;
  });
  const answer = await Promise.race([asking, sleep(MAX_WAIT_MS, FAILED, { ref: false })]);
  if (answer !== FAILED) return answer;
  memory.restsUntilMs.set(place, nowMs + REST_MS);
  return undefined;
}

/**
 * Waits for what a step can go on without: whatever takes longer goes on beside it, and what it fails with then is nobody's.
 * `note` is told when it was asked, by the monotonic clock, once that is over; until then it is never long ago.
 */
export async function askBeside(
  { clock }: Pick<WatcherContext, "clock">,
  note: (askedMs: number) => void,
  ask: () => Promise<void>,
): Promise<void> {
  const nowMs = clock.monotonicMs();
  note(WHILE_ASKED);
  const asking = ask().finally(() => note(nowMs));
  await Promise.race([asking, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
}

/** What comes of asking whichever node answers; undefined where none does in time. */
export async function inTime<T>(asking: Promise<T>): Promise<T | undefined> {
  const answer = asking.catch((error: unknown) => {
    if (error instanceof NodeError) return undefined;
    throw error;
  });
  return Promise.race([answer, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
}
