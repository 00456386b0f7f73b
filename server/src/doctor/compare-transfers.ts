import {
  type NodeAnswer,
  type QuorumResult,
  resolveQuorum,
  type StoredDeposit,
} from "../deposits/verify/agree.ts";
import { offChainDepositStatuses } from "../domain/deposit.ts";
import type { BookedTransfer, FinalBlock } from "./deep-store.ts";
import { type DrawnBlock, isStoring, joinNodes, type Nodes, type Telling } from "./drawn-block.ts";
import { type Breakage, breakageOf } from "./invariant.ts";

/** Blocks as the nodes tell them, what our books say of them, and how many nodes must tell the same. */
export type Drawing = {
  readonly told: readonly DrawnBlock[];
  readonly booked: readonly BookedTransfer[];
  readonly needed: number;
};

const MISSED = "transfer to us that was credited to nobody";
const INVENTED = "deposit that its block does not have";
const BENT = "deposit of another amount than the nodes tell";

type Place = Pick<StoredDeposit, "txId" | "source" | "eventIndex" | "address">;

/** What nodes that have our block say of its transfers, against what our books have of it. */
export function compareTransfers(
  stored: FinalBlock,
  ours: readonly Telling[],
  trial: Drawing,
): { breakages: Breakage[]; differences: string[]; unanswered: string[] } {
  if (ours.length === 0) return { breakages: [], differences: [], unanswered: [] };
  const known = trial.booked.filter(({ blockId }) => blockId === stored.id);
  const { judgement, verdict } = judgeRuns(ours, { ...trial, known });
  return {
    breakages: [judgeNatives(ours, known), verdict].flatMap((one) => breakagesOf(stored, known, one)),
    differences: judgement.outvoted.map(
      ({ node, txId }) =>
        `${node} tells transaction ${txId} of block ${stored.number} otherwise than enough other nodes`,
    ),
    unanswered: judgement.waiting.map(
      ({ deposit, detail }) => `block ${stored.number}, ${keyOf(deposit)}: ${detail}`,
    ),
  };
}

/** What counts as told of a block, and the deposits of our books that its nodes deny. */
type Verdict = {
  readonly told: readonly { readonly one: StoredDeposit; readonly nodes: Nodes }[];
  readonly denied: readonly { readonly one: Place; readonly nodes: Nodes }[];
};

/** `known`: what our books have of the block. A deposit that waits is judged when it is verified, and a rejected one stays so. */
function breakagesOf(
  { number }: FinalBlock,
  known: readonly BookedTransfer[],
  { told, denied }: Verdict,
): Breakage[] {
  const places = new Set(told.map(({ one }) => keyOf(one)));
  const named = (one: Place, nodes: Nodes) => `block ${number}, ${keyOf(one)}, by ${joinNodes(nodes)}`;
  return [
    ...told.flatMap(({ one, nodes }) => {
      const booked = known.find((other) => keyOf(other) === keyOf(one));
      if (booked === undefined)
        return known.some((other) => !isStanding(other) && placeOf(other) === placeOf(one))
          ? []
          : [breakageOf("I1", MISSED, named(one, nodes))];
      const isSame = booked.amount === one.amount && booked.currency === one.currency;
      return isSame || !isStanding(booked) ? [] : [breakageOf("I2", BENT, named(one, nodes))];
    }),
    ...denied.flatMap(({ one, nodes }) =>
      places.has(keyOf(one)) ? [] : [breakageOf("I1", INVENTED, named(one, nodes))],
    ),
  ];
}

/** The root of a block proves its native transfers: each node that has our block tells the same. */
function judgeNatives(ours: readonly Telling[], known: readonly BookedTransfer[]): Verdict {
  const named = <One extends Place>(one: One) => ({ one, nodes: ours });
  return {
    told: (ours[0]?.matches.observed ?? []).filter(isNative).map(named),
    denied: known.filter((one) => isNative(one) && isStanding(one)).map(named),
  };
}

/** What runs of contracts moved is what enough nodes tell alike. */
function judgeRuns(
  ours: readonly Telling[],
  { told, known, needed }: Drawing & { readonly known: readonly BookedTransfer[] },
): { judgement: QuorumResult; verdict: Verdict } {
  // A whole block tells all that its root proves: what it does not tell is not covered.
  const confirmed = known.flatMap((one) =>
    isStanding(one) && !isNative(one) ? [{ ...one, isMerkleProven: false }] : [],
  );
  const voices = ours.map(
    ({ node, matches }): NodeAnswer => ({
      ...{ node, matches },
      storesInternals: isStoring(told, node),
      contradicting: new Set(),
    }),
  );
  const judgement = resolveQuorum(confirmed, voices, needed);
  const { passed, contradicted: refuted, outvoted } = judgement;
  const isOutvoted = (node: string, txId: string) =>
    outvoted.some((one) => one.node === node && one.txId === txId);
  return {
    judgement,
    verdict: {
      told: passed.map(({ deposit: one, nodes }) => ({ one, nodes: nodes.map((node) => ({ node })) })),
      denied: refuted.map((one) => ({
        one,
        nodes: voices.filter(({ node }) => !isOutvoted(node, one.txId)),
      })),
    },
  };
}

/** Whether the books say that it is so: of what no root proves, once it is CONFIRMED. */
export function isStanding({ source, status }: BookedTransfer): boolean {
  return source === "transfer" ? !offChainDepositStatuses.includes(status) : status === "CONFIRMED";
}

function isNative({ source }: Pick<Place, "source">): boolean {
  return source === "transfer";
}

/** Where in a block a transfer is: two in one place cannot both be true. */
function placeOf({ txId, source, eventIndex }: Omit<Place, "address">): string {
  return `${txId}/${source}/${eventIndex}`;
}

function keyOf(one: Place): string {
  return `${placeOf(one)}/${one.address}`;
}
