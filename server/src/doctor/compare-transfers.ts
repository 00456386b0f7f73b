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

/** The nodes' blocks, the database's transfers, and the number of equal answers needed. */
export type BlockComparison = {
  readonly sampled: readonly SampledBlock[];
  readonly storedTransfers: readonly StoredTransfer[];
  readonly needed: number;
};

const MISSED = "transfer to us that was not credited";
const INVENTED = "deposit that its block does not have";
const ALTERED = "deposit of another amount than the nodes report";

type TransferPosition = Pick<StoredDeposit, "txId" | "source" | "eventIndex" | "address">;

/** Compares the transfers of nodes that have our block with the database. */
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
        `${node} reports transaction ${txId} of block ${stored.number} differently from enough other nodes`,
    ),
    unanswered: quorum.waiting.map(
      ({ deposit, detail }) => `block ${stored.number}, ${keyOf(deposit)}: ${detail}`,
    ),
  };
}

/** The proven transfers of a block, and the deposits that its nodes deny. */
type Verdict = {
  readonly sampled: readonly { readonly one: StoredDeposit; readonly nodes: Nodes }[];
  readonly denied: readonly { readonly one: TransferPosition; readonly nodes: Nodes }[];
};

/**
 * `known`: the database's transfers of the block. A waiting deposit is verified later, and a rejected one
 * stays so.
 */
function violationsOf(
  { number }: FinalBlock,
  known: readonly StoredTransfer[],
  { sampled, denied }: Verdict,
): Violation[] {
  const places = new Set(sampled.map(({ one }) => keyOf(one)));
  const named = (one: TransferPosition, nodes: Nodes) =>
    `block ${number}, ${keyOf(one)}, by ${joinNodes(nodes)}`;
  return [
    ...sampled.flatMap(({ one, nodes }) => {
      const storedTransfers = known.find((other) => keyOf(other) === keyOf(one));
      if (storedTransfers === undefined)
        return known.some((other) => !isStanding(other) && positionOf(other) === positionOf(one))
          ? []
          : [violationOf("I1", MISSED, named(one, nodes))];
      const isSame = storedTransfers.amount === one.amount && storedTransfers.currency === one.currency;
      return isSame || !isStanding(storedTransfers) ? [] : [violationOf("I2", ALTERED, named(one, nodes))];
    }),
    ...denied.flatMap(({ one, nodes }) =>
      places.has(keyOf(one)) ? [] : [violationOf("I1", INVENTED, named(one, nodes))],
    ),
  ];
}

/** The root of a block proves its native transfers, so each node with our block has the same. */
function compareNatives(ours: readonly NodeResponse[], known: readonly StoredTransfer[]): Verdict {
  const named = <One extends TransferPosition>(one: One) => ({ one, nodes: ours });
  return {
    sampled: (ours[0]?.matches.observed ?? []).filter(isNative).map(named),
    denied: known.filter((one) => isNative(one) && isStanding(one)).map(named),
  };
}

/** Internal transfers count if enough nodes have the same. */
function compareRuns(
  ours: readonly NodeResponse[],
  { sampled, known, needed }: BlockComparison & { readonly known: readonly StoredTransfer[] },
): { quorum: QuorumResult; verdict: Verdict } {
  // Deposits that the block's root covers are compared with it alone.
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
  const quorum = resolveQuorum(confirmed, answers, { needed });
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

/** Whether the database treats an unproven transfer as true: once it is CONFIRMED. */
export function isStanding({ source, status }: StoredTransfer): boolean {
  return source === "transfer" ? !offChainDepositStatuses.includes(status) : status === "CONFIRMED";
}

function isNative({ source }: Pick<TransferPosition, "source">): boolean {
  return source === "transfer";
}

/** The position of a transfer in a block: two at one position contradict each other. */
function positionOf({ txId, source, eventIndex }: Omit<TransferPosition, "address">): string {
  return `${txId}/${source}/${eventIndex}`;
}

function keyOf(one: TransferPosition): string {
  return `${positionOf(one)}/${one.address}`;
}
