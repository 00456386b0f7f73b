import type { TransactionInfo } from "@daric/chain/blocks/parse-transaction-info";

/** A node without an internal transaction in this many calls does not store them. */
const MANY_CALLS = 200;

/** The internal transactions that a node has shown. It may lose them at any restart, and stores those of later blocks only. */
export type ShownInternals = {
  /** the newest block of which it has shown one */
  readonly shownIn: number;
  /** the newest block of which it shows none although the block has some */
  readonly missedIn: number;
  /** the contract calls since `shownIn` */
  readonly calls: number;
};

type Memory = { readonly internals: Map<number, ShownInternals> };

const NOTHING_SHOWN: ShownInternals = { shownIn: -1, missedIn: -1, calls: 0 };

export function hasInternals(infos: readonly TransactionInfo[]): boolean {
  return infos.some(({ internalCount }) => internalCount > 0);
}

/** Records whether a node's infos of a block have internal transactions. */
export function recordInternals(
  { internals }: Memory,
  { nodeIndex, number, infos }: { nodeIndex: number; number: number; infos: readonly TransactionInfo[] },
): void {
  const shown = internals.get(nodeIndex) ?? NOTHING_SHOWN;
  if (number < shown.shownIn) return;
  const calls = infos.filter(({ receiptResult }) => receiptResult === "SUCCESS").length;
  const isShown = hasInternals(infos);
  internals.set(
    nodeIndex,
    isShown ? { ...shown, shownIn: number, calls: 0 } : { ...shown, calls: shown.calls + calls },
  );
}

/** Records that a node shows none of the internal transactions that a block certainly has. */
export function recordMissed(
  { internals }: Memory,
  { nodeIndex, number }: { nodeIndex: number; number: number },
): void {
  const shown = internals.get(nodeIndex) ?? NOTHING_SHOWN;
  internals.set(nodeIndex, { ...shown, missedIn: Math.max(shown.missedIn, number) });
}

/** The order of calls: nodes that store internal transactions, unknown ones, those that do not. */
export function rankOf({ internals }: Memory, nodeIndex: number): 0 | 1 | 2 {
  const { shownIn, missedIn, calls } = internals.get(nodeIndex) ?? NOTHING_SHOWN;
  if (missedIn > shownIn || calls >= MANY_CALLS) return 2;
  return shownIn > NOTHING_SHOWN.shownIn ? 0 : 1;
}
