import type { DepositAddress } from "@daric/sdk/contract";
import type { words } from "../words/words.ts";
import { surplus } from "./amount.ts";

/** The state of a payment, as the service words it. */
export type PaymentState = keyof (typeof words)["payments"]["states"];

export type Tone = "good" | "attention" | "bad" | "progress" | "quiet";

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
  tooLate: "bad",
  lastBlocks: "progress",
  received: "good",
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
