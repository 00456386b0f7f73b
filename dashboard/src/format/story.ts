import type { Deposit, DepositAddress } from "@daric/sdk/contract";
import { words } from "../words/words.ts";
import { moneyText } from "./amount.ts";
import { depositToneOf, type Tone } from "./payment-state.ts";

/** One moment on the line of time of a payment. */
export type Moment = {
  readonly key: string;
  readonly at: string;
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  /** the transaction that it is about */
  readonly txHash?: string;
  /** the delivery that it is about */
  readonly deliveryId?: string;
  /** the event whose body can be looked at */
  readonly eventId?: string;
};

/** A moment as the service reports it. */
type Entry = {
  readonly at: string;
  readonly kind: "quote" | "deposit" | "event" | "attempt" | "closing" | "dust";
  readonly id: string;
  readonly what: string;
  readonly block_number: number | null;
  readonly tx_hash: string | null;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly endpoint: string | null;
};
type Written = {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly decision: string | null;
  readonly created_at: string;
};
type Sources = {
  readonly charge: DepositAddress;
  readonly deposits: readonly Deposit[];
  readonly entries: readonly Entry[];
  readonly notes: readonly Written[];
  /** the name of a person by its id */
  readonly nameOf: (id: string) => string;
};

/** The whole story of a payment, first to last. The moments still to come are the last. */
export function storyOf({ charge, deposits, entries, notes, nameOf }: Sources): Moment[] {
  const byId = new Map(deposits.map((deposit) => [deposit.id, deposit]));
  const moments = [
    ...chargeMoments(charge),
    ...acceptedByProgram(charge, notes),
    ...[...entries]
      .filter((entry) => !isDecided(entry, notes))
      .sort(byTimeAndStep)
      .map(
        (entry, index): Moment => ({
          key: `${entry.kind}-${entry.id}-${index}`,
          at: entry.at,
          ...contentOf(entry, byId.get(entry.id)),
        }),
      ),
    ...notes.map((note) => noteMoment(note, nameOf(note.by))),
  ];
  return moments.sort((one, other) => one.at.localeCompare(other.at));
}

/** A deposit can take several steps in one commit, which have one time. */
const STEPS = ["DETECTED", "CONFIRMING"];

function byTimeAndStep(one: Entry, other: Entry): number {
  const stepOf = ({ kind, what }: Entry) => (kind === "deposit" ? STEPS.indexOf(what) : -1);
  const rankOf = (entry: Entry) => (stepOf(entry) === -1 ? STEPS.length : stepOf(entry));
  return one.at.localeCompare(other.at) || rankOf(one) - rankOf(other);
}

function chargeMoments(charge: DepositAddress): Moment[] {
  const { story } = words;
  const { id, currency, expected_amount: amount, expires_at: expiresAt, status } = charge;
  const created =
    amount === null ? story.createdOpen : story.created({ amount: moneyText(amount, currency) });
  const moments: Moment[] = [{ key: `${id}-created`, at: charge.created_at, tone: "quiet", text: created }];
  // The service reports how it closed.
  if (expiresAt !== null && status === "ACTIVE")
    moments.push({ key: `${id}-expires`, at: expiresAt, tone: "quiet", text: story.expires });
  return moments;
}

/** A decision in the dashboard has a note with its person; one by an API key has the charge's reason alone. */
function acceptedByProgram(charge: DepositAddress, notes: readonly Written[]): Moment[] {
  const { id, accepted_at: at, accept_reason: reason } = charge;
  if (at === null || notes.some(({ decision }) => decision === "accept")) return [];
  const what = words.story.decisions.accept ?? "accept";
  return [{ key: `${id}-accepted`, at, tone: "good", text: reason === null ? what : `${what}: ${reason}` }];
}

/** A person's decision to close it stands there as the note, with its reason. */
function isDecided({ kind, what }: Entry, notes: readonly Written[]): boolean {
  return kind === "closing" && what === "closed" && notes.some(({ decision }) => decision === "archive");
}

type MomentContent = Omit<Moment, "key" | "at">;

function contentOf(entry: Entry, deposit: Deposit | undefined): MomentContent {
  const { story } = words;
  switch (entry.kind) {
    case "quote":
      return { tone: "quiet", text: story.quoted, detail: entry.what };
    case "event":
      return { tone: "quiet", text: story.event({ name: entry.what }), eventId: entry.id };
    case "attempt":
      return attemptMoment(entry);
    case "deposit":
      return depositMoment(entry, deposit);
    case "dust":
      return { tone: "quiet", text: story.tiny({ count: Number(entry.what) }) };
    case "closing":
      return {
        tone: entry.what === "paid" ? "good" : "quiet",
        text: story.closings[entry.what] ?? entry.what,
      };
  }
}

function depositMoment({ what, block_number, tx_hash }: Entry, deposit: Deposit | undefined): MomentContent {
  const { story, payments } = words;
  const money = deposit === undefined ? payments.one : moneyText(deposit.amount, deposit.currency);
  const texts: Readonly<Record<string, string>> = {
    DETECTED: story.seen({ amount: money, block: String(block_number ?? "") }),
    CONFIRMING: story.confirming({ amount: money }),
    CONFIRMED: story.confirmed({ amount: money }),
    STUCK: story.stuck({ amount: money }),
    REORG_PENDING: story.reorged({ amount: money }),
    FAILED: story.failed({ amount: money }),
  };
  const remarks = [deposit?.late && story.late, deposit?.unmatched && story.unmatched].filter(Boolean);
  const isFirst = what === "DETECTED";
  return {
    tone: depositToneOf(what),
    text: texts[what] ?? what,
    ...(isFirst && remarks.length > 0 && { detail: remarks.join(". ") }),
    ...(isFirst && tx_hash !== null && { txHash: tx_hash }),
  };
}

function attemptMoment({ id, what, error, status_code, endpoint }: Entry): MomentContent {
  const { story, developers } = words;
  const detailOf = (...parts: readonly unknown[]) => parts.filter((part) => part !== null).join(" · ");
  if (error === null) {
    const text = story.delivered({ code: String(status_code ?? "") });
    return { tone: "good", text, deliveryId: id, detail: detailOf(what, endpoint) };
  }
  const why = developers.deliveries.errors[error] ?? error;
  const detail = detailOf(what, endpoint, status_code);
  return { tone: "attention", text: story.notDelivered({ why }), deliveryId: id, detail };
}

function noteMoment({ id, text, decision, created_at: at }: Written, name: string): Moment {
  const { story } = words;
  const what = decision === null ? story.note : (story.decisions[decision] ?? decision);
  return { key: id, at, tone: decision === null ? "quiet" : "good", text: `${what}: ${text}`, detail: name };
}
