import type { BlockHeader } from "../blocks/parse-block.ts";

/** A node's answer for a block, and when it came by the monotonic clock (`performance.now`). */
export type LastHeader = Pick<BlockHeader, "number" | "timeMs"> & { readonly atMs: number };

export type LastHeaders = { head?: LastHeader; solid?: LastHeader };

export function lastHeaderNow({ number, timeMs }: BlockHeader): LastHeader {
  return { number, timeMs, atMs: performance.now() };
}
