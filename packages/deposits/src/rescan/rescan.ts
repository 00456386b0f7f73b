import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "@daric/postgres/sql";
import { countReadBlocks, findReadRange, findWatcherLease, type ReadRange } from "./read-range-store.ts";
import { findOpenRescan, findRescan, insertRescan, type Rescan } from "./rescan-store.ts";

const POLL_EVERY_MS = 500;
/** A watcher renews its lease about once a second. */
const MAX_SILENT_POLLS = 10;

/** A range that cannot be rescanned. The message names one that can. */
export class RescanRefusedError extends Error {
  override readonly name = "RescanRefusedError";
}

/**
 * Requests a rescan of a range. The watcher does it beside its own work, one after the other. Nothing is credited or announced twice.
 *
 * @throws RescanRefusedError if the range is not read yet, or would leave a gap below our first block.
 */
export async function requestRescan(
  db: Queryable,
  { network, from, to }: { network: string; from: number; to: number },
): Promise<Rescan> {
  const read = await findReadRange(db, network);
  const refusal = refusalOf(read, { from, to });
  if (refusal !== undefined) throw new RescanRefusedError(refusal);
  return insertRescan(db, { network, from, to, goesDown: from < firstOf(read) });
}

export function refusalOf(
  read: ReadRange | undefined,
  { from, to }: { from: number; to: number },
): string | undefined {
  if (read === undefined) return "no block was read yet: start a watcher, and try again later";
  if (from > to) return `--from ${from} lies above --to ${to}: name the lower block first`;
  if (to > read.last)
    return `block ${read.last} is the newest that was read, and later blocks need no rescan: use --to ${read.last} at most`;
  const first = firstOf(read);
  if (to < first - 1)
    return `blocks ${to + 1} to ${first - 1} would be a gap, for ${first} is the first block that was read: use --to ${first - 1} or more`;
  return undefined;
}

/** The first block that was read, or the next one if none was. */
function firstOf(read: ReadRange | undefined): number {
  return read === undefined ? 0 : (read.first ?? read.last + 1);
}

export type Completeness = ReadRange & {
  /** absent blocks between the first and the last; zero unless there is a bug */
  readonly missing: number;
  readonly lagSeconds: number;
  readonly rescan: Rescan | undefined;
};

/** The range that was read, whether it is complete, and the current rescan; undefined before the first block. */
export async function findCompleteness(db: Queryable, network: string): Promise<Completeness | undefined> {
  const read = await findReadRange(db, network);
  if (read === undefined) return undefined;
  const { count, lagSeconds } = await countReadBlocks(db, network);
  const expected = read.first === null ? 0 : read.last - read.first + 1;
  return { ...read, missing: expected - count, lagSeconds, rescan: await findOpenRescan(db, network) };
}

/** Follows a rescan to its end. `report` is called with each change, and once if no watcher works. */
export async function followRescan(
  db: Queryable,
  { network, id }: { network: string; id: number },
  report: { progress(rescan: Rescan): void; watcherAbsent(): void },
): Promise<Rescan> {
  let reported: string | undefined;
  let renewal: string | undefined;
  for (let silentPolls = 0; ; silentPolls += 1) {
    const rescan = await findRescan(db, { network, id });
    if (rescan === undefined) throw new Error(`rescan ${id} is missing`);
    const text = JSON.stringify(rescan);
    if (text !== reported) report.progress(rescan);
    reported = text;
    if (rescan.status === "DONE" || rescan.status === "REFUSED") return rescan;
    const newest = await findWatcherLease(db, network);
    if (newest !== renewal) silentPolls = 0;
    renewal = newest;
    if (silentPolls === MAX_SILENT_POLLS) report.watcherAbsent();
    await sleep(POLL_EVERY_MS);
  }
}
