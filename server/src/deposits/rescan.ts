import type { Queryable } from "@daric/postgres/sql";
import { findReadRange, insertRescan, type ReadRange, type Rescan } from "./rescan-store.ts";

/** A range of blocks that cannot be read again, with the sentence that says which can. */
export class RescanRefusedError extends Error {
  override readonly name = "RescanRefusedError";
}

/**
 * Asks the watcher to read a range of blocks again, which it does beside its own work, one range after the other. Nothing is
 * credited or announced twice by it.
 *
 * @throws RescanRefusedError for a range that is not read yet, or that would leave a gap below what is.
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

/** Why a range cannot be read again; undefined where it can. */
export function refusalOf(
  read: ReadRange | undefined,
  { from, to }: { from: number; to: number },
): string | undefined {
  if (read === undefined)
    return "no block was read yet: start a watcher, and ask again when it has read some";
  if (from > to) return `--from ${from} lies above --to ${to}: name the lower block first`;
  if (to > read.last)
    return `block ${read.last} is the newest that was read, and what comes is read by itself: ask for --to ${read.last} at most`;
  const first = firstOf(read);
  if (to < first - 1)
    return `blocks ${to + 1} to ${first - 1} would be a gap, for ${first} is the first block that was read: ask for --to ${first - 1} or more`;
  return undefined;
}

/** The first block that was read; what comes next where none was. */
function firstOf(read: ReadRange | undefined): number {
  return read === undefined ? 0 : (read.first ?? read.last + 1);
}
