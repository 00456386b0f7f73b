import type { TransferSource } from "../../domain/deposit.ts";
import type { Matches } from "../record/match-transfers.ts";
import type { Sighting } from "../store.ts";

/** What a root does not prove of a transaction: the logs of its run, and the TRX that contracts sent in it. */
type Kind = Exclude<TransferSource, "transfer">;

/** A deposit of a block as the books have it. */
export type StoredDeposit = Pick<
  Sighting,
  | "id"
  | "merchantId"
  | "chargeId"
  | "txId"
  | "source"
  | "eventIndex"
  | "address"
  | "currency"
  | "amount"
  | "isCovered"
>;

/** What one node tells of a block beside what the root proves. */
export type NodeVoice = {
  readonly node: string;
  /** whether it is known to store internal transfers: of these it has no voice otherwise */
  readonly storesInternals: boolean;
  /** transactions of which its word contradicts the block's own bytes: it has no voice about them */
  readonly strange: ReadonlySet<string>;
  readonly matches: Matches;
};

export type VoicesJudgement = {
  /** what enough nodes tell alike */
  readonly agreed: Matches;
  /** the deposits that enough nodes tell, with these nodes */
  readonly passed: readonly { readonly deposit: StoredDeposit; readonly nodes: readonly string[] }[];
  /** the deposits of the books that enough nodes tell otherwise */
  readonly refuted: readonly StoredDeposit[];
  /** the deposits that wait for nodes to agree, and what the nodes say, in words */
  readonly waiting: readonly { readonly deposit: StoredDeposit; readonly detail: string }[];
  /** payments that the books lack and that some nodes tell, while no answer has enough voices */
  readonly disputed: readonly Sighting[];
  /** the nodes that tell a transaction otherwise than enough others */
  readonly outvoted: readonly { readonly node: string; readonly txId: string }[];
};

/** One question: the logs or the internal transfers of one transaction. */
type Ballot = { readonly txId: string; readonly kind: Kind };

/** The nodes that answer a question alike. */
type Answer = { readonly key: string; readonly nodes: string[]; readonly matches: Matches };

const NOTHING: Matches = { sightings: [], outflows: [], own: [], unassigned: [], unsupported: [] };

/** Whether every node tells exactly the payments of the books: nothing is left to judge. */
export function tellAlike(
  booked: readonly StoredDeposit[],
  voices: readonly Pick<NodeVoice, "matches">[],
): boolean {
  const votes = booked.filter(isVotedOn);
  const known = new Set(votes.map(keyOf));
  return voices.every(
    ({ matches }) =>
      matches.sightings.length === known.size && matches.sightings.every((one) => known.has(keyOf(one))),
  );
}

/**
 * What follows from what nodes tell of a solid block, per transaction: an answer that `needed` nodes give alike is the truth. The
 * books are set to it. Where no answer has so many voices, or two have, its deposits wait. A node that shows no internal transfer
 * may not store it: no number of such nodes refutes one. What the root proves no vote overrules: the word of a node that does not
 * tell it counts for nothing in that transaction.
 */
export function judgeVoices(
  booked: readonly StoredDeposit[],
  voices: readonly NodeVoice[],
  needed: number,
): VoicesJudgement {
  const votedOn = booked.filter(isVotedOn);
  const found = ballotsOf(votedOn, voices).map((ballot) =>
    judgeBallot(ballot, { booked: votedOn, voices, needed }),
  );
  const matches = found.map(({ agreed }) => agreed);
  return {
    agreed: {
      sightings: matches.flatMap(({ sightings }) => sightings),
      outflows: matches.flatMap(({ outflows }) => outflows),
      own: [],
      unassigned: matches.flatMap(({ unassigned }) => unassigned),
      unsupported: matches.flatMap(({ unsupported }) => unsupported),
    },
    passed: found.flatMap(({ passed }) => passed),
    refuted: found.flatMap(({ refuted }) => refuted),
    waiting: found.flatMap(({ waiting }) => waiting),
    disputed: found.flatMap(({ disputed }) => disputed),
    outvoted: found.flatMap(({ outvoted }) => outvoted),
  };
}

type Judged = { readonly [Part in keyof VoicesJudgement]: VoicesJudgement[Part] };

const UNDECIDED: Judged = {
  agreed: NOTHING,
  passed: [],
  refuted: [],
  waiting: [],
  disputed: [],
  outvoted: [],
};

function judgeBallot(
  ballot: Ballot,
  {
    booked,
    voices,
    needed,
  }: { booked: readonly StoredDeposit[]; voices: readonly NodeVoice[]; needed: number },
): Judged {
  const deposits = booked.filter(isOf(ballot));
  const answers = answersTo(ballot, { deposits, voices });
  const [winner, rival] = answers.filter(({ nodes }) => nodes.length >= needed);
  const detail = wordsOf(answers, needed);
  if (winner === undefined || rival !== undefined) {
    const known = new Set(deposits.map(keyOf));
    const shown = new Map(answers.flatMap(({ matches }) => matches.sightings).map((one) => [one.id, one]));
    const disputed = [...shown.values()].filter(
      (one) => !known.has(keyOf(one)) && !deposits.some(({ id }) => id === one.id),
    );
    return {
      ...UNDECIDED,
      waiting: [...deposits, ...disputed].map((deposit) => ({ deposit, detail })),
      disputed,
    };
  }
  const { sightings } = winner.matches;
  const told = new Set(sightings.map(keyOf));
  const places = new Set(sightings.map(placeOf));
  const untold = deposits.filter((deposit) => !told.has(keyOf(deposit)));
  const isRefuted = (deposit: StoredDeposit) => ballot.kind === "log" || places.has(placeOf(deposit));
  return {
    ...UNDECIDED,
    agreed: winner.matches,
    passed: sightings.map((deposit) => ({ deposit, nodes: winner.nodes })),
    refuted: untold.filter(isRefuted),
    waiting: untold.filter((deposit) => !isRefuted(deposit)).map((deposit) => ({ deposit, detail })),
    outvoted: answers
      .filter((answer) => answer !== winner)
      .flatMap(({ nodes }) => nodes.map((node) => ({ node, txId: ballot.txId }))),
  };
}

/** The different answers of those that have a voice, those of most nodes first. */
function answersTo(
  ballot: Ballot,
  { deposits, voices }: { deposits: readonly StoredDeposit[]; voices: readonly NodeVoice[] },
): Answer[] {
  const answers = new Map<string, Answer>();
  for (const voice of voices) {
    const matches = ofBallot(voice.matches, ballot);
    if (!hasVoice(voice, { ballot, deposits, matches })) continue;
    const key = answerKey(matches);
    const answer = answers.get(key) ?? { key, nodes: [], matches };
    answer.nodes.push(voice.node);
    answers.set(key, answer);
  }
  return [...answers.values()].sort((a, b) => b.nodes.length - a.nodes.length);
}

function hasVoice(
  { storesInternals, strange }: NodeVoice,
  { ballot, deposits, matches }: { ballot: Ballot; deposits: readonly StoredDeposit[]; matches: Matches },
): boolean {
  if (strange.has(ballot.txId)) return false;
  if (ballot.kind === "internal") return storesInternals;
  const places = new Set(matches.sightings.map(placeOf));
  return deposits.every((deposit) => !deposit.isCovered || places.has(placeOf(deposit)));
}

function ballotsOf(booked: readonly StoredDeposit[], voices: readonly NodeVoice[]): Ballot[] {
  const all = voices.flatMap(({ matches: { sightings, outflows, unassigned, unsupported } }) => [
    ...sightings,
    ...outflows,
    ...unassigned,
    ...unsupported,
  ]);
  const ballots = new Map<string, Ballot>();
  for (const { txId, source } of [...booked, ...all])
    if (source !== "transfer") ballots.set(`${txId}/${source}`, { txId, kind: source });
  return [...ballots.values()];
}

/** A native transfer is of the root alone. */
function isVotedOn({ source }: StoredDeposit): boolean {
  return source !== "transfer";
}

function isOf({ txId, kind }: Ballot) {
  return (one: { readonly txId: string; readonly source: TransferSource }): boolean =>
    one.txId === txId && one.source === kind;
}

function ofBallot(matches: Matches, ballot: Ballot): Matches {
  const isIt = isOf(ballot);
  return {
    sightings: matches.sightings.filter(isIt),
    outflows: matches.outflows.filter(isIt),
    own: [],
    unassigned: matches.unassigned.filter(isIt),
    unsupported: matches.unsupported.filter(isIt),
  };
}

function answerKey({ sightings, outflows, unassigned, unsupported }: Matches): string {
  return [
    ...sightings.map(keyOf),
    ...outflows.map(
      (one) => `out/${one.eventIndex}/${one.address}/${one.toAddress}/${one.currency}/${one.units}`,
    ),
    ...unassigned.map(
      (one) => `to/${one.eventIndex}/${one.hash.toString("hex")}/${one.currency}/${one.units}`,
    ),
    ...unsupported.map((one) => `token/${one.eventIndex}/${one.address}/${one.contract}/${one.rawValue}`),
  ]
    .sort()
    .join(" ");
}

/** Where in a block a transfer is: two in one place cannot both be true. */
function placeOf({
  txId,
  source,
  eventIndex,
}: Pick<StoredDeposit, "txId" | "source" | "eventIndex">): string {
  return `${txId}/${source}/${eventIndex}`;
}

function keyOf(one: StoredDeposit): string {
  return `${placeOf(one)}/${one.address}/${one.currency}/${one.amount}`;
}

function wordsOf(answers: readonly Answer[], needed: number): string {
  if (answers.length === 0) return `${needed} nodes must tell it alike, and none tells it yet`;
  const each = answers.map(({ nodes, matches: { sightings } }) => {
    const paid = sightings.map(
      ({ amount, currency, address }) => `${amount} units of ${currency} to ${address}`,
    );
    return `${nodes.join(" and ")}: ${paid.length === 0 ? "no payment" : paid.join(", ")}`;
  });
  return `${needed} nodes must tell it alike; ${each.join("; ")}`;
}
