import { setTimeout as sleep } from "node:timers/promises";
import type { NodeError } from "../blocks/node-error.ts";
import type { BlockHeader } from "../blocks/parse-block.ts";
import {
  findImplausibility,
  type HeadSource,
  highestHead,
  type ImplausibleHeadError,
  MAX_BEHIND_BLOCKS,
} from "./implausible-head.ts";

/** Ten missed slots: a head that no node has repeated for this long is forgotten. */
const FORGOTTEN_AFTER_MS = 30_000;
/** Three missed slots make the other nodes worth a call; where blocks are mined on command it takes longer. */
const STALLED_AFTER_MS = { atPace: 9_000, atCommand: 30_000 } as const;
/** A node may also grow too slowly, so at a public pace the others are compared this often. */
const COMPARED_EVERY_MS = 30_000;
const MAX_WAIT_MS = 1_000;
/** The normal distance between healthy nodes at one moment; it is zero when no block has come for a while. */
const MAX_APART = 3;

/** The fault of a head that no elapsed time explains. */
const TOO_HIGH = "unexpected_answer";

type Newest = {
  readonly number: number;
  readonly by: HeadSource;
  readonly sinceMs: number;
  readonly reportedMs: number;
};

/**
 * Distinguishes a stalled node from a stalled chain. No single answer has a lasting effect. An implausible head is fetched twice.
 * The newest one is forgotten if its node retracts it or no node repeats it.
 */
export type HeadSelector = {
  /** The node's head. @throws ImplausibleHeadError if it does not fit the newest one. */
  of(node: HeadSource): Promise<BlockHeader>;
  selectImplausible(errors: readonly ImplausibleHeadError[]): BlockHeader | undefined;
  /**
   * Compares all nodes if no newer head has come for a while, and periodically. Returns those that lag or answer slowly, so that
   * another one leads for a while.
   */
  findLaggards<Node extends HeadSource>(nodes: readonly Node[]): Promise<Node[]>;
};

/** `keepsTime`: blocks come at the pace of public networks, not on command. */
export type HeadSelectorOptions = {
  readonly now: () => number;
  readonly keepsTime: boolean;
  /** called for an implausible head that the node itself took back */
  readonly onFailure: (error: NodeError) => void;
};

export function createHeadSelector(options: HeadSelectorOptions): HeadSelector {
  const { now, keepsTime, onFailure } = options;
  let newest: Newest | undefined;
  /** the highest head since the last comparison, and when it was reached */
  let peak = { number: 0, sinceMs: now() };
  let comparedMs = now() - (COMPARED_EVERY_MS - STALLED_AFTER_MS.atPace);

  function replaceNewest(head: BlockHeader, by: HeadSource): void {
    const sinceMs = newest?.number === head.number ? newest.sinceMs : now();
    newest = { number: head.number, by, sinceMs, reportedMs: now() };
    if (head.number > peak.number) peak = { number: head.number, sinceMs: now() };
  }

  function believe(head: BlockHeader, by: HeadSource): BlockHeader {
    const isLower = newest !== undefined && head.number < newest.number;
    if (!isLower || !standsAgainst(head, by)) replaceNewest(head, by);
    return head;
  }

  const isFresh = () => newest !== undefined && now() - newest.reportedMs < FORGOTTEN_AFTER_MS;
  const standsAgainst = (head: BlockHeader, by: HeadSource) => isFresh() && !retracts({ head, by }, newest);
  const passedSince = ({ sinceMs }: Newest) => (keepsTime ? now() - sinceMs : undefined);
  const check = (head: BlockHeader, by: HeadSource) =>
    newest && findImplausibility({ head, by }, { number: newest.number, passedMs: passedSince(newest) });

  return {
    of: async (node) => {
      const first = await node.getHeadBlock();
      const firstFault = check(first, node);
      if (firstFault === undefined) return believe(first, node);
      const second = await node.getHeadBlock();
      const secondFault = check(second, node);
      if (secondFault === undefined) onFailure(firstFault);
      else if (secondFault.fault === TOO_HIGH || standsAgainst(second, node)) throw secondFault;
      return believe(second, node);
    },
    selectImplausible: (errors) => {
      const best = highestHead(errors);
      if (best && newest && !isFresh()) replaceNewest(best.head, best.by);
      return best?.head;
    },
    findLaggards: async (nodes) => {
      const stalledMs = keepsTime ? STALLED_AFTER_MS.atPace : STALLED_AFTER_MS.atCommand;
      const isStalled = now() - Math.max(peak.sinceMs, comparedMs) >= stalledMs;
      const isDue = isStalled || (keepsTime && now() - comparedMs >= COMPARED_EVERY_MS);
      if (nodes.length < 2 || !isDue) return [];
      comparedMs = now();
      // If no node has grown for long, all of them may have been far behind from the start.
      const isGrowing = () => now() - peak.sinceMs < FORGOTTEN_AFTER_MS;
      const answers = await readHeads(nodes, (...seen) => !isGrowing() || check(...seen)?.fault !== TOO_HIGH);
      for (const [node, head] of answers.heads)
        if (head.number > (newest?.number ?? 0)) replaceNewest(head, node);
      const best = Math.max(0, ...[...answers.heads.values()].map(({ number }) => number));
      peak = { number: best, sinceMs: peak.number === best ? peak.sinceMs : now() };
      return laggardsOf(nodes, { ...answers, best, maxBehind: isStalled ? 0 : MAX_APART });
    },
  };
}

/** Whether the node of the newest head itself now reports a much lower one. */
function retracts({ head, by }: { head: BlockHeader; by: HeadSource }, known: Newest | undefined): boolean {
  return known?.by === by && head.number < known.number - MAX_BEHIND_BLOCKS;
}

type HeadAnswers<Node> = { readonly heads: ReadonlyMap<Node, BlockHeader>; readonly slow: ReadonlySet<Node> };

/** The nodes too far behind the best head, and the slow ones if another one answered. */
function laggardsOf<Node>(
  nodes: readonly Node[],
  { heads, slow, best, maxBehind }: HeadAnswers<Node> & { best: number; maxBehind: number },
): Node[] {
  const isBehind = (node: Node) => best - (heads.get(node)?.number ?? best) > maxBehind;
  return nodes.filter((node) => isBehind(node) || (heads.size > 0 && slow.has(node)));
}

async function readHeads<Node extends HeadSource>(
  nodes: readonly Node[],
  isAccepted: (head: BlockHeader, node: Node) => boolean,
): Promise<HeadAnswers<Node>> {
  const heads = new Map<Node, BlockHeader>();
  const waiting = new Set(nodes);
  const pending = nodes.map(async (node) => {
    const head = await node.getHeadBlock().finally(() => waiting.delete(node));
    if (isAccepted(head, node)) heads.set(node, head);
  });
  await Promise.race([Promise.allSettled(pending), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  return { heads: new Map(heads), slow: new Set(waiting) };
}
