import type { Queryable } from "@daric/postgres/sql";
import { listLastBlocks } from "../block-store.ts";

/**
 * A block is solid once 19 of TRON's 27 witnesses have built on it, each in a block of its own: the newest one that
 * can be lies this far below the head, also on a chain of few witnesses, where 19 confirmations are waited for all the same.
 */
export const MIN_SOLID_LAG = 18;

/** TRON's networks have so many active witnesses, and a private chain has no more. */
const WITNESSES = 27;
/** On a private chain the witnesses of so many headers are the active ones. */
const COUNTED_BLOCKS = 100;
/** A witness whose last block is older counts for nothing. One step of reading adds fewer (486), so that none passes a solid height by. */
const WINDOW_BLOCKS = 490;

/** How many witnesses must be named at or above a block: more than 70 % of them (java-tron SOLIDIFIED_THRESHOLD), 19 of 27. */
export function solidThreshold(active: number): number {
  return Math.floor((active * 7) / 10) + 1;
}

/** How many witnesses make blocks, by the number of the last block that each of them is named in. */
export function countActive(network: string, lastBlocks: readonly number[], head: number): number {
  if (network !== "private") return WITNESSES;
  const recent = lastBlocks.filter((number) => number > head - COUNTED_BLOCKS);
  return Math.min(WITNESSES, recent.length);
}

/**
 * The highest height at or above which the headers name as many distinct witnesses as it takes, and that lies far enough below the
 * head; undefined while there are too few. `lastBlocks`: the number of the last block of each witness.
 */
export function solidHeight(
  lastBlocks: readonly number[],
  { active, head }: { readonly active: number; readonly head: number },
): number | undefined {
  const newestFirst = [...lastBlocks].sort((a, b) => b - a);
  const height = newestFirst[solidThreshold(active) - 1];
  return height === undefined ? undefined : Math.min(height, head - MIN_SOLID_LAG);
}

/** The solid height by the names in our own headers up to `head`. One statement, of the newest 490 blocks at most. */
export async function findSolidHeight(
  db: Queryable,
  { network, head }: { readonly network: string; readonly head: number },
): Promise<number | undefined> {
  const lastBlocks = await listLastBlocks(db, { network, above: head - WINDOW_BLOCKS, to: head });
  return solidHeight(lastBlocks, { active: countActive(network, lastBlocks, head), head });
}
