import type { BlockSample } from "@daric/deposits/rescan/read-sample";
import { type QuorumResult, resolveQuorum, type StoredDeposit } from "@daric/deposits/verify/agree";
import { offChainDepositStatuses } from "@daric/domain/deposit";
import type { FinalBlock, StoredTransfer } from "./deep-store.ts";
import { type Violation, violationOf } from "./invariant.ts";

/** A final block of ours, as it is stored and as the nodes have it. */
export type SampledBlock = { readonly stored: FinalBlock; readonly sample: BlockSample };

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
  sample: BlockSample,
  { storedTransfers, needed }: Omit<BlockComparison, "sampled">,
): { violations: Violation[]; differences: string[]; unanswered: string[] } {
  if (sample.header === undefined) return { violations: [], differences: [], unanswered: [] };
  const known = storedTransfers.filter(({ blockId }) => blockId === stored.id);
  const { quorum, verdict } = compareRuns(sample, { known, needed });
  return {
    violations: [compareNatives(sample, known), verdict].flatMap((transfer) =>
      violationsOf(stored, known, transfer),
    ),
    differences: quorum.outvoted.map(
      ({ node, txId }) =>
        `${node} reports transaction ${txId} of block ${stored.number} differently from enough other nodes`,
    ),
    unanswered: quorum.waiting.map(
      ({ deposit, detail }) => `block ${stored.number}, ${keyOf(deposit)}: ${detail}`,
    ),
  };
}

/** Nodes with the same answer. */
type Nodes = readonly string[];

/** The proven transfers of a block, and the deposits that its nodes deny. */
type Verdict = {
  readonly sampled: readonly { readonly transfer: StoredDeposit; readonly nodes: Nodes }[];
  readonly denied: readonly { readonly transfer: TransferPosition; readonly nodes: Nodes }[];
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
  const places = new Set(sampled.map(({ transfer }) => keyOf(transfer)));
  const named = (transfer: TransferPosition, nodes: Nodes) =>
    `block ${number}, ${keyOf(transfer)}, by ${nodes.join(" and ")}`;
  return [
    ...sampled.flatMap(({ transfer, nodes }) => {
      const { amount, currency } = transfer;
      const storedTransfer = known.find((stored) => keyOf(stored) === keyOf(transfer));
      if (storedTransfer === undefined)
        return known.some((stored) => !isStanding(stored) && positionOf(stored) === positionOf(transfer))
          ? []
          : [violationOf("I1", MISSED, named(transfer, nodes))];
      const isSame = storedTransfer.amount === amount && storedTransfer.currency === currency;
      return isSame || !isStanding(storedTransfer)
        ? []
        : [violationOf("I2", ALTERED, named(transfer, nodes))];
    }),
    ...denied.flatMap(({ transfer, nodes }) =>
      places.has(keyOf(transfer)) ? [] : [violationOf("I1", INVENTED, named(transfer, nodes))],
    ),
  ];
}

/** The root of a block proves its native transfers, so each node with our block has the same. */
function compareNatives({ natives, answers }: BlockSample, known: readonly StoredTransfer[]): Verdict {
  const nodes = answers.flatMap(({ node, reason }) => (reason === undefined ? [node] : []));
  const named = <T extends TransferPosition>(transfer: T) => ({ transfer, nodes });
  return {
    sampled: natives.map(named),
    denied: known.filter((transfer) => isNative(transfer) && isStanding(transfer)).map(named),
  };
}

/** Transfers of contract runs count if enough nodes have the same. No answer denies an internal one: a node may not store it. */
function compareRuns(
  { runs }: BlockSample,
  { known, needed }: { readonly known: readonly StoredTransfer[]; readonly needed: number },
): { quorum: QuorumResult; verdict: Verdict } {
  // The database's own word about what the root covers proves nothing here.
  const confirmed = known.flatMap((transfer) =>
    isStanding(transfer) && !isNative(transfer) ? [{ ...transfer, isMerkleProven: false }] : [],
  );
  const quorum = resolveQuorum(confirmed, runs, { needed });
  const { passed, contradicted, outvoted } = quorum;
  const isOutvoted = (node: string, txId: string) =>
    outvoted.some((transfer) => transfer.node === node && transfer.txId === txId);
  return {
    quorum,
    verdict: {
      sampled: passed.map(({ deposit: transfer, nodes }) => ({ transfer, nodes })),
      denied: contradicted.map((transfer) => ({
        transfer,
        nodes: runs.map(({ node }) => node).filter((node) => !isOutvoted(node, transfer.txId)),
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

function keyOf(transfer: TransferPosition): string {
  return `${positionOf(transfer)}/${transfer.address}`;
}
