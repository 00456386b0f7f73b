import type { NodeError } from "@daric/chain/blocks/node-error";
import type { TransactionInfo } from "@daric/chain/blocks/parse-transaction-info";
import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import type { Clock } from "@daric/runtime/clock";
import type { Matches } from "../record/match-transfers.ts";
import type { NodeAnswer } from "./agree.ts";
import { rankOf, type ShownInternals } from "./stored-internals.ts";
import type { SolidBlock } from "./verify-store.ts";

/** After this many failures in a row a node rests for a while. */
const FAILURES_BEFORE_REST = 3;
const REST_MS = 15_000;

/** A node's answer for a block: the matches of its runs, the infos that concern us, and whether any info has internal transactions. */
export type BlockAnswer = {
  readonly matches: Matches;
  readonly infos: readonly TransactionInfo[];
  readonly storesInternals: boolean;
};

/** Answers for unverified blocks by block id and node index, and how each node answers. All of it may be lost. */
export type AnswerCache = {
  readonly receivedFrom: Map<string, Map<number, BlockAnswer>>;
  readonly pending: Map<string, Promise<void>>;
  /** how a single node's dropped answer differed from the database, by block id, and when the node is called again */
  readonly doubted: Map<string, { readonly summary: string; readonly retryMs: number }>;
  /** answers that are not matched with our addresses yet */
  readonly arrived: { block: SolidBlock; nodeIndex: number; infos: readonly TransactionInfo[] }[];
  readonly failures: Map<number, { count: number; untilMs: number; summary: string }>;
  /** nodes whose last call delayed a whole step */
  readonly slow: Set<number>;
  /** what each node has shown of internal transactions, by node index */
  readonly internals: Map<number, ShownInternals>;
};

export function createAnswerCache(): AnswerCache {
  return {
    receivedFrom: new Map(),
    pending: new Map(),
    doubted: new Map(),
    arrived: [],
    failures: new Map(),
    slow: new Set(),
    internals: new Map(),
  };
}

type Nodes = { readonly client: Pick<NodeGroup, "nodes"> };
type Clocked = { readonly clock: Clock };

/** A node's answer for a block, with the node's place in TRON_NODE_URLS. */
export type NumberedAnswer = NodeAnswer & BlockAnswer & { readonly nodeIndex: number };

/** The answers for a block. */
export function answersOf(
  { receivedFrom }: AnswerCache,
  nodes: Nodes,
  { blockId }: Pick<SolidBlock, "blockId">,
): NumberedAnswer[] {
  return [...(receivedFrom.get(blockId) ?? [])].map(([nodeIndex, answer]) => ({
    ...answer,
    nodeIndex,
    node: labelOf(nodes, nodeIndex),
    contradicting: new Set<string>(),
  }));
}

/** Drops the answers of nodes that have no vote. */
export function dropAnswersOf({ receivedFrom, arrived }: AnswerCache, excluded: ReadonlySet<number>): void {
  for (const answers of receivedFrom.values()) for (const nodeIndex of excluded) answers.delete(nodeIndex);
  arrived.splice(0, arrived.length, ...arrived.filter(({ nodeIndex }) => !excluded.has(nodeIndex)));
}

/** Drops answers for blocks. The nodes are called again if they are needed again. */
export function forgetAnswers({ receivedFrom }: AnswerCache, isNeeded: (blockId: string) => boolean): void {
  for (const blockId of receivedFrom.keys()) if (!isNeeded(blockId)) receivedFrom.delete(blockId);
}

/** The label of a node, unique among several nodes of one host. */
export function labelOf({ client: { nodes } }: Nodes, nodeIndex: number): string {
  const label = nodes[nodeIndex]?.label ?? "";
  const isFirst = nodes.findIndex((node) => node.label === label) === nodeIndex;
  return isFirst ? label : `${label} (${nodeIndex + 1}. of TRON_NODE_URLS)`;
}

/** Records a call to a node; a node that fails repeatedly rests. */
export function recordCall(
  { failures }: AnswerCache,
  { clock }: Clocked,
  { nodeIndex, failure }: { nodeIndex: number; failure: NodeError | undefined },
): void {
  if (failure === undefined) {
    failures.delete(nodeIndex);
    return;
  }
  const count = (failures.get(nodeIndex)?.count ?? 0) + 1;
  const restMs = failure.retryAfterMs ?? (count >= FAILURES_BEFORE_REST ? REST_MS : 0);
  failures.set(nodeIndex, { count, untilMs: clock.monotonicMs() + restMs, summary: failure.summary });
}

/** The failure of a node's last call; undefined if it answered. */
export function lastFault({ failures }: AnswerCache, nodeIndex: number): string | undefined {
  return failures.get(nodeIndex)?.summary;
}

/** The last failure of a resting node; undefined for any other node. */
export function restingFault(
  { failures }: AnswerCache,
  { clock }: Clocked,
  nodeIndex: number,
): string | undefined {
  const failure = failures.get(nodeIndex);
  return failure !== undefined && failure.untilMs > clock.monotonicMs() ? failure.summary : undefined;
}

/** The nodes that evidently do not store internal transactions. */
export function nodesWithoutInternals(answers: AnswerCache, nodes: Nodes): string[] {
  return nodes.client.nodes.flatMap((_, nodeIndex) =>
    rankOf(answers, nodeIndex) === 2 ? [labelOf(nodes, nodeIndex)] : [],
  );
}
