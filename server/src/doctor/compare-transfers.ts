import {
  type NodeAnswer,
  type QuorumResult,
  resolveQuorum,
  type StoredDeposit,
} from "../deposits/verify/agree.ts";
import { offChainDepositStatuses } from "../domain/deposit.ts";
import type { FinalBlock, StoredTransfer } from "./deep-store.ts";
import { type Violation, violationOf } from "./invariant.ts";
import { isStoring, joinNodes, type NodeResponse, type Nodes, type SampledBlock } from "./sampled-block.ts";

/** Blocks as the nodes tell them, what our books say of them, and how many nodes must agree. */
export type BlockComparison = {
  readonly sampled: readonly SampledBlock[];
  readonly storedTransfers: readonly StoredTransfer[];
  readonly needed: number;
};

const MISSED = "transfer to us that was credited to nobody";
const INVENTED = "deposit that its block does not have";
const BENT = "deposit of another amount than the nodes tell";

type Place = Pick<StoredDeposit, "txId" | "source" | "eventIndex" | "address">;

/** What nodes that have our block say of its transfers, against what our books have of it. */
export function compareTransfers(
  stored: FinalBlock,
  ours: readonly NodeResponse[],
  trial: BlockComparison,
): { violations: Violation[]; differences: string[]; unanswered: string[] } {
  if (ours.length === 0) return { violations: [], differences: [], unanswered: [] };
  const known = trial.storedTransfers.filter(({ blockId }) => blockId === stored.id);
  const { quorum, verdict } = compareRuns(ours, { ...trial, known });
  return {
    violations: [compareNatives(ours, known), verdict].flatMap((one) => violationsOf(stored, known, one)),
    differences: quorum.outvoted.map(
      ({ node, txId }) =>
        `${node} tells transaction ${txId} of block ${stored.number} otherwise than enough other nodes`,
    ),
    unanswered: quorum.waiting.map(
      ({ deposit, detail }) => `block ${stored.number}, ${keyOf(deposit)}: ${detail}`,
    ),
  };
}

/** What counts as told of a block, and the deposits of our books that its nodes deny. */
type Verdict = {
  readonly sampled: readonly { readonly one: StoredDeposit; readonly nodes: Nodes }[];
  readonly denied: readonly { readonly one: Place; readonly nodes: Nodes }[];
};

/** `known`: what our books have of the block. A deposit that waits is judged when it is verified, and a rejected one stays so. */
function violationsOf(
  { number }: FinalBlock,
  known: readonly StoredTransfer[],
  { sampled, denied }: Verdict,
): Violation[] {
  const places = new Set(sampled.map(({ one }) => keyOf(one)));
  const named = (one: Place, nodes: Nodes) => `block ${number}, ${keyOf(one)}, by ${joinNodes(nodes)}`;
  return [
    ...sampled.flatMap(({ one, nodes }) => {
      const storedTransfers = known.find((other) => keyOf(other) === keyOf(one));
      if (storedTransfers === undefined)
        return known.some((other) => !isStanding(other) && positionOf(other) === positionOf(one))
          ? []
          : [violationOf("I1", MISSED, named(one, nodes))];
      const isSame = storedTransfers.amount === one.amount && storedTransfers.currency === one.currency;
      return isSame || !isStanding(storedTransfers) ? [] : [violationOf("I2", BENT, named(one, nodes))];
    }),
    ...denied.flatMap(({ one, nodes }) =>
      places.has(keyOf(one)) ? [] : [violationOf("I1", INVENTED, named(one, nodes))],
    ),
  ];
}

/** The root of a block proves its native transfers: each node that has our block tells the same. */
function compareNatives(ours: readonly NodeResponse[], known: readonly StoredTransfer[]): Verdict {
  const named = <One extends Place>(one: One) => ({ one, nodes: ours });
  return {
    sampled: (ours[0]?.matches.observed ?? []).filter(isNative).map(named),
    denied: known.filter((one) => isNative(one) && isStanding(one)).map(named),
  };
}

/** What runs of contracts moved is what enough nodes tell alike. */
function compareRuns(
  ours: readonly NodeResponse[],
  { sampled, known, needed }: BlockComparison & { readonly known: readonly StoredTransfer[] },
): { quorum: QuorumResult; verdict: Verdict } {
  // A whole block tells all that its root proves: what it does not tell is not covered.
  const confirmed = known.flatMap((one) =>
    isStanding(one) && !isNative(one) ? [{ ...one, isMerkleProven: false }] : [],
  );
  const answers = ours.map(
    ({ node, matches }): NodeAnswer => ({
      ...{ node, matches },
      storesInternals: isStoring(sampled, node),
      contradicting: new Set(),
    }),
  );
  const quorum = resolveQuorum(confirmed, answers, needed);
  const { passed, contradicted, outvoted } = quorum;
  const isOutvoted = (node: string, txId: string) =>
    outvoted.some((one) => one.node === node && one.txId === txId);
  return {
    quorum,
    verdict: {
      sampled: passed.map(({ deposit: one, nodes }) => ({ one, nodes: nodes.map((node) => ({ node })) })),
      denied: contradicted.map((one) => ({
        one,
        nodes: answers.filter(({ node }) => !isOutvoted(node, one.txId)),
      })),
    },
  };
}

/** Whether the books say that it is so: of what no root proves, once it is CONFIRMED. */
export function isStanding({ source, status }: StoredTransfer): boolean {
  return source === "transfer" ? !offChainDepositStatuses.includes(status) : status === "CONFIRMED";
}

function isNative({ source }: Pick<Place, "source">): boolean {
  return source === "transfer";
}

/** Where in a block a transfer is: two in one place cannot both be true. */
function positionOf({ txId, source, eventIndex }: Omit<Place, "address">): string {
  return `${txId}/${source}/${eventIndex}`;
}

function keyOf(one: Place): string {
  return `${positionOf(one)}/${one.address}`;
}
