import type { Deposit, DepositAddress } from "@daric/sdk/contract";
import type { History } from "../api/work-operations.ts";
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

type Entry = History["entries"][number];
type Note = History["notes"][number];
type Of<Kind extends Entry["kind"]> = Extract<Entry, { kind: Kind }>;
type Sources = {
  readonly charge: DepositAddress;
  readonly deposits: readonly Deposit[];
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
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
  return moments.sort(byTime);
}

/** The order of moments on the line of time. */
export function byTime(left: Moment, right: Moment): number {
  return left.at.localeCompare(right.at);
}

/** A deposit can take several steps in one commit, which have one time. */
const STEPS = ["DETECTED", "CONFIRMING"];

function byTimeAndStep(left: Entry, right: Entry): number {
  const stepOf = (entry: Entry) => (entry.kind === "deposit" ? STEPS.indexOf(entry.status) : -1);
  const rankOf = (entry: Entry) => (stepOf(entry) === -1 ? STEPS.length : stepOf(entry));
  return left.at.localeCompare(right.at) || rankOf(left) - rankOf(right);
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
function acceptedByProgram(charge: DepositAddress, notes: readonly Note[]): Moment[] {
  const { id, accepted_at: at, accept_reason: reason } = charge;
  if (at === null || notes.some(({ decision }) => decision === "accept")) return [];
  const what = words.story.decisions.accept ?? "accept";
  return [{ key: `${id}-accepted`, at, tone: "good", text: reason === null ? what : `${what}: ${reason}` }];
}

/** A person's decision to close it stands there as the note, with its reason. */
function isDecided(entry: Entry, notes: readonly Note[]): boolean {
  return (
    entry.kind === "closing" && entry.how === "closed" && notes.some(({ decision }) => decision === "archive")
  );
}

type MomentContent = Omit<Moment, "key" | "at">;

function contentOf(entry: Entry, deposit: Deposit | undefined): MomentContent {
  const { story } = words;
  switch (entry.kind) {
    case "quote":
      return { tone: "quiet", text: story.quoted, detail: entry.source };
    case "event":
      return { tone: "quiet", text: story.event({ name: entry.type }), eventId: entry.id };
    case "attempt":
      return attemptMoment(entry);
    case "deposit":
      return depositMoment(entry, deposit);
    case "check":
      return checkMoment(entry, deposit);
    case "dust":
      return { tone: "quiet", text: story.tiny({ count: entry.count }) };
    case "closing":
      return { tone: entry.how === "paid" ? "good" : "quiet", text: story.closings[entry.how] };
  }
}

function moneyOf(deposit: Deposit | undefined): string {
  return deposit === undefined ? words.payments.one : moneyText(deposit.amount, deposit.currency);
}

function depositMoment(entry: Of<"deposit">, deposit: Deposit | undefined): MomentContent {
  const { story } = words;
  const { status, block_number, tx_hash } = entry;
  const amount = moneyOf(deposit);
  const texts: Readonly<Record<typeof status, string>> = {
    DETECTED: story.seen({ amount, block: block_number }),
    CONFIRMING: story.confirming({ amount }),
    CONFIRMED: story.confirmed({ amount }),
    STUCK: story.stuck({ amount }),
    REORG_PENDING: story.reorged({ amount }),
    FAILED: story.failed({ amount }),
  };
  const remarks = [deposit?.late && story.late, deposit?.unmatched && story.unmatched].filter(Boolean);
  const isFirst = status === "DETECTED";
  return {
    tone: depositToneOf(status),
    text: texts[status],
    ...(isFirst && remarks.length > 0 && { detail: remarks.join(". ") }),
    ...(isFirst && { txHash: tx_hash }),
  };
}

/** A check that waits says why the deposit is not final. */
function checkMoment({ name, result }: Of<"check">, deposit: Deposit | undefined): MomentContent {
  const { checks } = words.story;
  const amount = moneyOf(deposit);
  if (result === "passed") return { tone: "quiet", text: checks.passed[name], detail: amount };
  return { tone: "attention", text: checks.waiting[name]({ amount }), detail: checks.nothingToDo };
}

function attemptMoment({ id, type, error, status_code, endpoint }: Of<"attempt">): MomentContent {
  const { story, developers } = words;
  const detailOf = (...parts: readonly unknown[]) => parts.filter((part) => part !== null).join(" · ");
  if (error === null) {
    const text = story.delivered({ code: String(status_code ?? "") });
    return { tone: "good", text, deliveryId: id, detail: detailOf(type, endpoint) };
  }
  const why = developers.deliveries.errors[error] ?? error;
  const detail = detailOf(type, endpoint, status_code);
  return { tone: "attention", text: story.notDelivered({ why }), deliveryId: id, detail };
}

function noteMoment({ id, text, decision, created_at: at }: Note, name: string): Moment {
  const { story } = words;
  const what = decision === null ? story.note : (story.decisions[decision] ?? decision);
  return { key: id, at, tone: decision === null ? "quiet" : "good", text: `${what}: ${text}`, detail: name };
}
