import type { BlockHeader } from "../blocks/parse-block.ts";

/** A block as a node named it, and when it did by the monotonic clock (`performance.now`). */
export type LastHeader = Pick<BlockHeader, "number" | "timeMs"> & { readonly atMs: number };

/** What a node said last of its newest and of its newest solid block. */
export type LastHeaders = { head?: LastHeader; solid?: LastHeader };

/** This block, as it was named at this moment. */
export function lastHeaderNow({ number, timeMs }: BlockHeader): LastHeader {
  return { number, timeMs, atMs: performance.now() };
}
