import type { DepositAddress } from "@daric/sdk/contract";
import { surplus } from "./amount.ts";

/** The state of a payment for people, in one word. */
export type PaymentState =
  | "paid"
  | "overpaid"
  | "underpaid"
  | "accepted"
  | "confirming"
  | "seen"
  | "waiting"
  | "expired"
  | "closed"
  | "open"
  | "receiving";

export type Tone = "good" | "attention" | "bad" | "progress" | "quiet";

type Facts = Pick<
  DepositAddress,
  "kind" | "status" | "payment_status" | "payment_state" | "accepted_at" | "amount_pending"
>;

/** The state of a charge, from the most decided to the least. */
export function paymentStateOf(charge: Facts): PaymentState {
  if (charge.accepted_at !== null) return "accepted";
  if (charge.kind !== "order") return standingState(charge);
  if (charge.payment_status === "confirming") return "confirming";
  if (charge.payment_status === "detected") return "seen";
  // Mixed lists have no payment_status: money that is not final yet says the same.
  if (charge.amount_pending !== "0") return "confirming";
  if (charge.payment_state === "over") return "overpaid";
  if (charge.payment_status === "paid" || charge.payment_state === "exact") return "paid";
  if (charge.payment_state === "under") return "underpaid";
  if (charge.status === "ARCHIVED") return "closed";
  return charge.status === "EXPIRED" ? "expired" : "waiting";
}

function standingState({ kind, status }: Facts): PaymentState {
  if (status === "ARCHIVED") return "closed";
  if (status === "EXPIRED") return "expired";
  return kind === "receive" ? "receiving" : "open";
}

/** The amount still to pay; null if there is none, as after an acceptance. */
export function unpaidOf(
  charge: Pick<DepositAddress, "amount_due" | "amount_received" | "accepted_at">,
): string | null {
  const { amount_due: due, amount_received: received, accepted_at: acceptedAt } = charge;
  return due === null || acceptedAt !== null ? null : surplus(due, received);
}

const tones: Readonly<Record<PaymentState, Tone>> = {
  paid: "good",
  accepted: "good",
  overpaid: "attention",
  underpaid: "attention",
  confirming: "progress",
  seen: "progress",
  waiting: "quiet",
  expired: "quiet",
  closed: "quiet",
  open: "quiet",
  receiving: "quiet",
};

export function toneOf(state: PaymentState): Tone {
  return tones[state];
}

const depositTones: Readonly<Record<string, Tone>> = {
  CONFIRMED: "good",
  CONFIRMING: "progress",
  DETECTED: "progress",
  STUCK: "attention",
  REORG_PENDING: "attention",
  FAILED: "bad",
};

export function depositToneOf(status: string): Tone {
  return depositTones[status] ?? "quiet";
}

const deliveryTones: Readonly<Record<string, Tone>> = {
  DELIVERED: "good",
  PENDING: "quiet",
  SENDING: "progress",
  FAILED: "attention",
  EXHAUSTED: "bad",
};

export function deliveryToneOf(status: string): Tone {
  return deliveryTones[status] ?? "quiet";
}

/** The decisions that the service takes for a charge in this state. */
export function possibleActions(charge: DepositAddress): ("accept" | "extend" | "archive")[] {
  const hasMoney = charge.payment_state === "under" || (charge.paid_late && charge.status !== "ARCHIVED");
  return [
    ...(charge.kind === "order" && hasMoney && charge.accepted_at === null ? (["accept"] as const) : []),
    ...(charge.status === "ACTIVE" && charge.expires_at !== null ? (["extend"] as const) : []),
    ...(charge.status === "ARCHIVED" ? [] : (["archive"] as const)),
  ];
}
