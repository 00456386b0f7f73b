import { followRescan, RescanRefusedError, requestRescan } from "@daric/deposits/rescan/rescan";
import type { Queryable } from "@daric/postgres/sql";
import { CommandError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** Missing blocks this close together become one range, because a range costs as much as some blocks. */
const NEAR = 20;

/** Requests a rescan of these blocks, and waits for it if requested. Progress goes to standard error. */
export async function scanBlocksAgain(
  db: Queryable,
  {
    network,
    blocks,
    wait,
  }: { readonly network: string; readonly blocks: readonly number[]; readonly wait: boolean },
  terminal: Terminal,
): Promise<void> {
  for (const { from, to } of rangesOf(blocks)) {
    const { id } = await requestRescan(db, { network, from, to }).catch((error: unknown) => {
      throw error instanceof RescanRefusedError ? new CommandError(error.message) : error;
    });
    if (!wait) continue;
    const ended = await followRescan(
      db,
      { network, id },
      {
        progress: ({ note }) => note && terminal.writeError(`daric: ${note}\n`),
        watcherAbsent: () =>
          terminal.writeError(
            "daric: no watcher is running; the blocks are read as soon as one is (Ctrl-C ends this command alone)\n",
          ),
      },
    );
    if (ended.status === "REFUSED") throw new CommandError(ended.note ?? "the range was refused");
  }
}

function rangesOf(blocks: readonly number[]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const block of blocks.toSorted((left, right) => left - right)) {
    const last = ranges.at(-1);
    if (last !== undefined && block - last.to <= NEAR) last.to = block;
    else ranges.push({ from: block, to: block });
  }
  return ranges;
}
