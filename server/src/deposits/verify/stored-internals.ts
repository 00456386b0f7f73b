import type { TransactionInfo } from "../../chain/blocks/parse-transaction-info.ts";
import type { AnswerCache, ShownInternals } from "./state.ts";

/** A node without an internal transaction in this many calls does not store them. */
const MANY_CALLS = 200;

type Memory = Pick<AnswerCache, "internals">;

export function hasInternals(infos: readonly TransactionInfo[]): boolean {
  return infos.some(({ internalCount }) => internalCount > 0);
}

/** Notes whether a node's infos of a block have internal transactions. */
export function noteInternals(
  memory: Memory,
  { nodeIndex, number, infos }: { nodeIndex: number; number: number; infos: readonly TransactionInfo[] },
): void {
  const shown = memoryOf(memory, nodeIndex);
  if (number < shown.shownIn) return;
  if (hasInternals(infos)) Object.assign(shown, { shownIn: number, calls: 0 });
  else shown.calls += infos.filter(({ receiptResult }) => receiptResult === "SUCCESS").length;
}

/** Notes that a node shows none of the internal transactions that a block certainly has. */
export function noteMissed(
  memory: Memory,
  { nodeIndex, number }: { nodeIndex: number; number: number },
): void {
  const shown = memoryOf(memory, nodeIndex);
  shown.missedIn = Math.max(shown.missedIn, number);
}

/** The order of calls: nodes that store internal transactions, unknown ones, those that do not. */
export function rankOf({ internals }: Memory, nodeIndex: number): 0 | 1 | 2 {
  const { shownIn, missedIn, calls } = internals.get(nodeIndex) ?? NOTHING_SHOWN;
  if (missedIn > shownIn || calls >= MANY_CALLS) return 2;
  return shownIn > NOTHING_SHOWN.shownIn ? 0 : 1;
}

const NOTHING_SHOWN: Readonly<ShownInternals> = { shownIn: -1, missedIn: -1, calls: 0 };

function memoryOf({ internals }: Memory, nodeIndex: number): ShownInternals {
  const shown = internals.get(nodeIndex) ?? { ...NOTHING_SHOWN };
  internals.set(nodeIndex, shown);
  return shown;
}
