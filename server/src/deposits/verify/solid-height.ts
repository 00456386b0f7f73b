import type { Queryable } from "@daric/postgres/sql";
import { type Cursor, findBlock, listLastBlocks, type ReadBlock } from "../block-store.ts";

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

/** What is known of a block below the first that we read: no deposit is in it, and nothing has expired by it. */
const UNREAD = { blockId: "", time: new Date(0) } as const;

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

/**
 * Our newest solid block: all below it are linked to it by parent hash. It never falls. Of a block that was solid before the first
 * one we read, nothing is known but the height: all time is before it.
 */
export async function findSolid(
  db: Queryable,
  { network, cursor }: { readonly network: string; readonly cursor: Cursor },
): Promise<ReadBlock> {
  const height = await findSolidHeight(db, { network, head: cursor.number });
  const number = Math.max(cursor.solidNumber, height ?? 0);
  return (await findBlock(db, { network, number })) ?? { ...UNREAD, number };
}
