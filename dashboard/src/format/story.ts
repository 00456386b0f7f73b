import type { Deposit, DepositAddress, WebhookDelivery } from "@daric/sdk/contract";
import { words } from "../words/words.ts";
import { moneyText } from "./amount.ts";
import type { Tone } from "./payment-state.ts";

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
};

type Written = { readonly id: string; readonly text: string; readonly by: string; readonly created_at: string };
type Sources = {
  readonly charge: DepositAddress;
  readonly deposits: readonly Deposit[];
  readonly deliveries: readonly WebhookDelivery[];
  readonly notes?: readonly Written[];
};

/** The whole story of a payment, first to last. What is still to come is the last. */
export function storyOf({ charge, deposits, deliveries, notes = [] }: Sources): Moment[] {
  const moments = [
    ...chargeMoments(charge),
    ...deposits.flatMap(depositMoments),
    ...deliveries.map(deliveryMoment),
    ...notes.map(
      ({ id, text, by, created_at }): Moment => ({
        key: id,
        at: created_at,
        tone: "quiet",
        text: `${words.story.note}: ${text}`,
        detail: by,
      }),
    ),
  ];
  return moments.sort((one, other) => one.at.localeCompare(other.at));
}

function chargeMoments(charge: DepositAddress): Moment[] {
  const { story } = words;
  const { id, currency, expected_amount: amount } = charge;
  const created = amount === null ? story.createdOpen : story.created(moneyText(amount, currency));
  const moments: Moment[] = [{ key: `${id}-created`, at: charge.created_at, tone: "quiet", text: created }];
  if (charge.quote_rate !== null)
    moments.push({
      key: `${id}-quoted`,
      at: charge.created_at,
      tone: "quiet",
      text: story.quoted(charge.quote_rate),
      ...(charge.quote_source !== null && { detail: charge.quote_source }),
    });
  if (charge.expires_at !== null && charge.status !== "ARCHIVED") {
    const text = charge.status === "EXPIRED" ? story.expired : story.expires;
    moments.push({ key: `${id}-expires`, at: charge.expires_at, tone: "quiet", text });
  }
  if (charge.accepted_at !== null)
    moments.push({
      key: `${id}-accepted`,
      at: charge.accepted_at,
      tone: "good",
      text: story.accepted,
      ...(charge.accept_reason !== null && { detail: charge.accept_reason }),
    });
  return moments;
}

function depositMoments(deposit: Deposit): Moment[] {
  const { story } = words;
  const money = moneyText(deposit.amount, deposit.currency);
  const { id, tx_hash: txHash } = deposit;
  const remarks = [deposit.late && story.late, deposit.unmatched && story.unmatched].filter(Boolean).join(". ");
  const detail = remarks === "" ? {} : { detail: remarks };
  const seen: Moment = {
    key: `${id}-seen`,
    at: deposit.detected_at,
    tone: "progress",
    text: story.seen(money, String(deposit.block_number)),
    txHash,
    ...detail,
  };
  const now = currentMoment(deposit, money);
  return now === undefined ? [seen] : [seen, now];
}

/** The state of a deposit beyond that it was seen. */
function currentMoment(deposit: Deposit, money: string): Moment | undefined {
  const { story } = words;
  const { id, status, confirmations, required_confirmations: needed, updated_at: at, tx_hash: txHash } = deposit;
  const key = `${id}-now`;
  switch (status) {
    case "CONFIRMED":
      return { key, at: deposit.confirmed_at ?? at, tone: "good", text: story.confirmed(money), txHash };
    case "CONFIRMING":
      return { key, at, tone: "progress", text: story.confirming(Math.min(confirmations, needed), needed) };
    case "STUCK":
      return { key, at, tone: "attention", text: story.stuck };
    case "REORG_PENDING":
      return { key, at, tone: "attention", text: story.reorged };
    case "FAILED":
      return { key, at: deposit.failed_at ?? at, tone: "bad", text: story.failed };
    default:
      return undefined;
  }
}

function deliveryMoment(delivery: WebhookDelivery): Moment {
  const { story, developers } = words;
  const { id, event_type: name, status, last_error, last_status_code: code } = delivery;
  const base = { key: id, at: delivery.updated_at, deliveryId: id };
  if (status === "DELIVERED") return { ...base, tone: "good", text: story.delivered(name, String(code ?? "")) };
  if (last_error === null) return { ...base, tone: "quiet", text: story.event(name) };
  const why = developers.deliveries.errors[last_error] ?? last_error;
  const isEnd = status === "EXHAUSTED";
  const detail = story.attempts(delivery.attempt_count);
  return { ...base, tone: isEnd ? "bad" : "attention", text: story.notDelivered(name, why), detail };
}
