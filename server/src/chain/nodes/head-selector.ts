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

/** Ten missed slots in a row: what nobody repeated for so long is forgotten. */
const FORGOTTEN_AFTER_MS = 30_000;
/** Three missed slots in a row are worth a question to the others; where blocks come at command, much more is. */
const STALLED_AFTER_MS = { atPace: 9_000, atCommand: 30_000 } as const;
/** A node may also grow too slowly: where blocks come at a pace, the others are asked this often whatever it says. */
const COMPARED_EVERY_MS = 30_000;
/** Nobody waits longer for those who are only compared with. */
const MAX_WAIT_MS = 1_000;
/** Nodes that follow the chain are so many blocks apart at a moment, and none where no block has come for a while. */
const MAX_APART = 3;

/** What a head is doubted for that no passing of time explains. */
const TOO_HIGH = "unexpected_answer";

/** The newest head that was believed: who said it, when it was new, and when it was said last. */
type Newest = {
  readonly number: number;
  readonly by: HeadSource;
  readonly sinceMs: number;
  readonly reportedMs: number;
};

/**
 * Tells a node that stands still from a chain that does, and a head that cannot be from one that can. No single answer
 * has a lasting effect: a doubtful head is asked for twice, the newest one is forgotten when its own node says less
 * or when nobody repeats it, and when all nodes are doubtful the one with the newest head is followed.
 */
export type HeadSelector = {
  /** The node's head; a ImplausibleHeadError when it does not fit the newest one, so that another node is asked. */
  of(node: HeadSource): Promise<BlockHeader>;
  /** The head to go by when no node has a better one: the newest of the doubtful ones. */
  ofImplausible(errors: readonly ImplausibleHeadError[]): BlockHeader | undefined;
  /**
   * When no newer head has come for a while, and now and then, asks every node for its own. Answers those that are so far
   * behind the best of them, or so slow beside it, that another one should lead for a while.
   */
  findLaggards<Node extends HeadSource>(nodes: readonly Node[]): Promise<Node[]>;
};

/** What is needed of the world; `keepsTime` where blocks come at the pace of public networks and not at command. */
export type HeadSelectorOptions = {
  /** Monotonic clock in ms. */
  readonly now: () => number;
  readonly keepsTime: boolean;
  /** Told of a doubtful head that the node itself took back. */
  readonly onFailure: (error: NodeError) => void;
};

/** Knows no head yet, and believes the first one. */
export function createHeadSelector(options: HeadSelectorOptions): HeadSelector {
  const { now, keepsTime, onFailure } = options;
  let newest: Newest | undefined;
  /** the highest one since the nodes were compared, and when it was reached */
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
    ofImplausible: (errors) => {
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
      // Where none has grown for long, they may have been far behind from the beginning.
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

/** Whether it is its own node that says so much less than the newest head. */
function retracts({ head, by }: { head: BlockHeader; by: HeadSource }, known: Newest | undefined): boolean {
  return known?.by === by && head.number < known.number - MAX_BEHIND_BLOCKS;
}

type HeadAnswers<Node> = { readonly heads: ReadonlyMap<Node, BlockHeader>; readonly slow: ReadonlySet<Node> };

/** Those that are too far behind the best head, and who is slow beside another one. */
function laggardsOf<Node>(
  nodes: readonly Node[],
  { heads, slow, best, maxBehind }: HeadAnswers<Node> & { best: number; maxBehind: number },
): Node[] {
  const isBehind = (node: Node) => best - (heads.get(node)?.number ?? best) > maxBehind;
  return nodes.filter((node) => isBehind(node) || (heads.size > 0 && slow.has(node)));
}

/** Those heads that come in time and are accepted, and who says nothing in time. */
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
