import { isNothing } from "./delegation.ts";
import type { StateReader } from "./state.ts";

/** Addresses that an account delegates to, or receives delegations from, in the order of the last ones. */
export function counterparts(state: StateReader, address: string, side: "to" | "from"): string[] {
  const found: { readonly other: string; readonly timeMs: number }[] = [];
  for (const [key, { free, locked, timeMs }] of state.delegations()) {
    const [from = "", to = ""] = key.split("/");
    const [one, other] = side === "to" ? [from, to] : [to, from];
    if (one === address && !(isNothing(free) && isNothing(locked))) found.push({ other, timeMs });
  }
  const ordered = found.sort((a, b) => a.timeMs - b.timeMs || (a.other < b.other ? -1 : 1));
  return ordered.map(({ other }) => other);
}
