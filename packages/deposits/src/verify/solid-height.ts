import type { Queryable } from "@daric/postgres/sql";
import { readLastBlocks } from "../block-store.ts";

/**
 * A block is solid once 19 of TRON's 27 witnesses have built on it, each in a block of its own. So the newest possible solid block is 18
 * below the head, on chains of few witnesses too.
 */
export const MIN_SOLID_LAG = 18;

/** The number of active witnesses on TRON's networks, and the most on a private chain. */
const WITNESSES = 27;
/** On a private chain the witnesses of this many last headers count as active. */
const COUNTED_BLOCKS = 100;
/** A witness without a block in this window does not count. A step reads fewer blocks (486), so it cannot skip a solid height. */
const WINDOW_BLOCKS = 490;

/**
 * The number of witnesses that must have built at or above a block: more than 70 % of them (java-tron
 * SOLIDIFIED_THRESHOLD), 19 of 27.
 */
export function solidThreshold(active: number): number {
  return Math.floor((active * 7) / 10) + 1;
}

/** The number of active witnesses, by the number of each witness's last block. */
export function countActive(network: string, lastBlocks: readonly number[], head: number): number {
  if (network !== "private") return WITNESSES;
  const recent = lastBlocks.filter((number) => number > head - COUNTED_BLOCKS);
  return Math.min(WITNESSES, recent.length);
}

/**
 * The highest height on which enough different witnesses have built, at least 18 below the head; undefined while there are too few.
 * `lastBlocks` has the number of each witness's last block.
 */
export function solidHeight(
  lastBlocks: readonly number[],
  { active, head }: { readonly active: number; readonly head: number },
): number | undefined {
  const newestFirst = [...lastBlocks].sort((a, b) => b - a);
  const height = newestFirst[solidThreshold(active) - 1];
  return height === undefined ? undefined : Math.min(height, head - MIN_SOLID_LAG);
}

/** The solid height by the headers from `from` up to `head` alone. On a private chain fewer than 100 do not show how many witnesses are active. */
export function solidHeightOf(
  network: string,
  lastBlocks: readonly number[],
  { from, head }: { readonly from: number; readonly head: number },
): number | undefined {
  const isKnown = head - from >= COUNTED_BLOCKS;
  return solidHeight(lastBlocks, {
    active: isKnown ? countActive(network, lastBlocks, head) : WITNESSES,
    head,
  });
}

/** The solid height by our own headers up to `head`. */
export async function findSolidHeight(
  db: Queryable,
  { network, head }: { readonly network: string; readonly head: number },
): Promise<number | undefined> {
  const lastBlocks = await readLastBlocks(db, { network, above: head - WINDOW_BLOCKS, to: head });
  return solidHeight(lastBlocks, { active: countActive(network, lastBlocks, head), head });
}
