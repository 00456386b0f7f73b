import type { TransferSource } from "@daric/domain/deposit";
import type { Matches } from "../record/match-transfers.ts";
import type { ObservedTransfer } from "../store.ts";
import { describePaid, describeSilent, describeVotes } from "./describe-votes.ts";

type Kind = Exclude<TransferSource, "transfer">;

export type StoredDeposit = Pick<
  ObservedTransfer,
  | "id"
  | "merchantId"
  | "chargeId"
  | "txId"
  | "source"
  | "eventIndex"
  | "address"
  | "currency"
  | "amount"
  | "isMerkleProven"
>;

/** A node's answer for a block, besides the transfers that the root proves. */
export type NodeAnswer = {
  readonly node: string;
  /** whether it shows an internal transaction of the block: then it stores all of them, and has a vote on them */
  readonly storesInternals: boolean;
  /** deposits that its own state lacks, so that it denies them although it shows no internal transaction of the block */
  readonly lacking?: ReadonlySet<string>;
  /** transactions on which it contradicts the block's own bytes, so that it has no vote */
  readonly contradicting: ReadonlySet<string>;
  readonly matches: Matches;
};

export type QuorumResult = {
  /** the answers of enough nodes */
  readonly agreed: Matches;
  readonly passed: readonly { readonly deposit: StoredDeposit; readonly nodes: readonly string[] }[];
  /** stored deposits that enough nodes report otherwise */
  readonly contradicted: readonly StoredDeposit[];
  /** deposits without a quorum, with a description of the votes */
  readonly waiting: readonly { readonly deposit: StoredDeposit; readonly detail: string }[];
  /** transfers that are not stored and that some nodes report, without a quorum */
  readonly noMajority: readonly ObservedTransfer[];
  /** nodes whose vote lost */
  readonly outvoted: readonly Outvoted[];
};

/** A node's report of a transaction, and that of enough others, in words. */
export type Outvoted = {
  readonly node: string;
  readonly txId: string;
  readonly said: string;
  readonly agreed: string;
};

/** A question to the nodes: the logs, or the internal transfers, of one transaction. */
type Question = { readonly txId: string; readonly kind: Kind };

type AgreeingNodes = { readonly key: string; readonly nodes: string[]; readonly matches: Matches };

const NOTHING: Matches = { observed: [], outflows: [], own: [], unattributed: [], unsupported: [] };

/** Whether every node reports exactly the stored deposits that are voted on, so that no vote is needed. */
export function reportStored(
  stored: readonly StoredDeposit[],
  answers: readonly Pick<NodeAnswer, "matches">[],
): boolean {
  const voted = stored.filter(isVotedOn);
  const known = new Set(voted.map(keyOf));
  return answers.every(
    ({ matches }) =>
      matches.observed.length === known.size &&
      matches.observed.every((transfer) => known.has(keyOf(transfer))),
  );
}

/**
 * Counts the nodes' votes on a solid block, per transaction and source. If `needed` nodes agree, the deposits follow their answer.
 * Without such an answer, or with two, the deposits wait.
 *
 * A missing internal transfer contradicts no deposit, because a node may not save them, unless each of all `nodes` denies it. A node
 * that omits a Merkle-proven log has no vote on the logs of its transaction.
 */
export function resolveQuorum(
  stored: readonly StoredDeposit[],
  answers: readonly NodeAnswer[],
  { needed, nodes }: Quorum,
): QuorumResult {
  const votedOn = stored.filter(isVotedOn);
  const found = questionsOf(votedOn, answers).map((question) =>
    resolveQuestion(question, { stored: votedOn, answers, needed, nodes }),
  );
  const matches = found.map(({ agreed }) => agreed);
  return {
    agreed: {
      observed: matches.flatMap(({ observed }) => observed),
      outflows: matches.flatMap(({ outflows }) => outflows),
      own: [],
      unattributed: matches.flatMap(({ unattributed }) => unattributed),
      unsupported: matches.flatMap(({ unsupported }) => unsupported),
    },
    passed: found.flatMap(({ passed }) => passed),
    contradicted: found.flatMap(({ contradicted }) => contradicted),
    waiting: found.flatMap(({ waiting }) => waiting),
    noMajority: found.flatMap(({ noMajority }) => noMajority),
    outvoted: found.flatMap(({ outvoted }) => outvoted),
  };
}

/** `nodes`: the number of all nodes; undefined if the answers cannot deny internal transfers. */
type Quorum = { readonly needed: number; readonly nodes?: number | undefined };

type Resolution = { readonly [Part in keyof QuorumResult]: QuorumResult[Part] };

const UNDECIDED: Resolution = {
  agreed: NOTHING,
  passed: [],
  contradicted: [],
  waiting: [],
  noMajority: [],
  outvoted: [],
};

function resolveQuestion(
  question: Question,
  {
    stored,
    answers,
    needed,
    nodes: all,
  }: Quorum & { stored: readonly StoredDeposit[]; answers: readonly NodeAnswer[] },
): Resolution {
  const deposits = stored.filter(isOf(question));
  const votes = votesOn(question, { deposits, answers });
  const [winner, rival] = votes.filter(({ nodes }) => nodes.length >= needed);
  const voters = votes.flatMap(({ nodes }) => nodes);
  const silent = answers.filter(
    ({ node, storesInternals }) => question.kind === "internal" && !storesInternals && !voters.includes(node),
  );
  const detail = [describeVotes(votes, needed), ...describeSilent(silent)].join("; ");
  if (winner === undefined || rival !== undefined) {
    const known = new Set(deposits.map(keyOf));
    const shown = new Map(
      votes.flatMap(({ matches }) => matches.observed).map((transfer) => [transfer.id, transfer]),
    );
    const noMajority = [...shown.values()].filter(
      (transfer) => !known.has(keyOf(transfer)) && !deposits.some(({ id }) => id === transfer.id),
    );
    return {
      ...UNDECIDED,
      waiting: [...deposits, ...noMajority].map((deposit) => ({ deposit, detail })),
      noMajority,
    };
  }
  const { observed } = winner.matches;
  const reported = new Set(observed.map(keyOf));
  const positions = new Set(observed.map(positionOf));
  const unreported = deposits.filter((deposit) => !reported.has(keyOf(deposit)));
  const isShown = (deposit: StoredDeposit) =>
    votes.some(({ matches }) => matches.observed.some((transfer) => keyOf(transfer) === keyOf(deposit)));
  const isContradicted = (deposit: StoredDeposit) =>
    question.kind === "log" ||
    positions.has(positionOf(deposit)) ||
    (voters.length === all && !isShown(deposit));
  return {
    ...UNDECIDED,
    agreed: winner.matches,
    passed: observed.map((deposit) => ({ deposit, nodes: winner.nodes })),
    contradicted: unreported.filter(isContradicted),
    waiting: unreported.filter((deposit) => !isContradicted(deposit)).map((deposit) => ({ deposit, detail })),
    outvoted: votes
      .filter((vote) => vote !== winner)
      .flatMap(({ nodes, matches }) =>
        nodes.map((node) => ({
          node,
          txId: question.txId,
          said: describePaid(matches.observed),
          agreed: describePaid(observed),
        })),
      ),
  };
}

/** The different votes, those of most nodes first. */
function votesOn(
  question: Question,
  { deposits, answers }: { deposits: readonly StoredDeposit[]; answers: readonly NodeAnswer[] },
): AgreeingNodes[] {
  const votes = new Map<string, AgreeingNodes>();
  for (const answer of answers) {
    const matches = aboutQuestion(answer.matches, question);
    if (!canAnswer(answer, { question, deposits, matches })) continue;
    const key = voteKey(matches);
    const vote = votes.get(key) ?? { key, nodes: [], matches };
    vote.nodes.push(answer.node);
    votes.set(key, vote);
  }
  return [...votes.values()].sort((a, b) => b.nodes.length - a.nodes.length);
}

function canAnswer(
  { storesInternals, contradicting, lacking }: NodeAnswer,
  {
    question,
    deposits,
    matches,
  }: { question: Question; deposits: readonly StoredDeposit[]; matches: Matches },
): boolean {
  if (contradicting.has(question.txId)) return false;
  if (question.kind === "internal")
    return storesInternals || (deposits.length > 0 && deposits.every(({ id }) => lacking?.has(id) === true));
  const positions = new Set(matches.observed.map(positionOf));
  return deposits.every((deposit) => !deposit.isMerkleProven || positions.has(positionOf(deposit)));
}

function questionsOf(stored: readonly StoredDeposit[], answers: readonly NodeAnswer[]): Question[] {
  const all = answers.flatMap(({ matches: { observed, outflows, unattributed, unsupported } }) => [
    ...observed,
    ...outflows,
    ...unattributed,
    ...unsupported,
  ]);
  const questions = new Map<string, Question>();
  for (const { txId, source } of [...stored, ...all])
    if (source !== "transfer") questions.set(`${txId}/${source}`, { txId, kind: source });
  return [...questions.values()];
}

/** The root proves native transfers. */
function isVotedOn({ source }: StoredDeposit): boolean {
  return source !== "transfer";
}

function isOf({ txId, kind }: Question) {
  return (transfer: { readonly txId: string; readonly source: TransferSource }): boolean =>
    transfer.txId === txId && transfer.source === kind;
}

function aboutQuestion(matches: Matches, question: Question): Matches {
  const isIt = isOf(question);
  return {
    observed: matches.observed.filter(isIt),
    outflows: matches.outflows.filter(isIt),
    own: [],
    unattributed: matches.unattributed.filter(isIt),
    unsupported: matches.unsupported.filter(isIt),
  };
}

function voteKey({ observed, outflows, unattributed, unsupported }: Matches): string {
  return [
    ...observed.map(keyOf),
    ...outflows.map(
      (transfer) =>
        `out/${transfer.eventIndex}/${transfer.address}/${transfer.toAddress}/${transfer.currency}/${transfer.units}`,
    ),
    ...unattributed.map(
      (transfer) =>
        `to/${transfer.eventIndex}/${transfer.bytes.toString("hex")}/${transfer.currency}/${transfer.units}`,
    ),
    ...unsupported.map(
      (transfer) =>
        `token/${transfer.eventIndex}/${transfer.address}/${transfer.contract}/${transfer.rawValue}`,
    ),
  ]
    .sort()
    .join(" ");
}

/** A transfer's position in its block. Two transfers at one position cannot both be true. */
function positionOf({
  txId,
  source,
  eventIndex,
}: Pick<StoredDeposit, "txId" | "source" | "eventIndex">): string {
  return `${txId}/${source}/${eventIndex}`;
}

function keyOf(deposit: StoredDeposit): string {
  return `${positionOf(deposit)}/${deposit.address}/${deposit.currency}/${deposit.amount}`;
}
