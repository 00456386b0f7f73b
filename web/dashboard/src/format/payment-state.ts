import type { words } from "../words/words.ts";

/** The state of a payment, as the service words it. */
export type PaymentState = keyof (typeof words)["payments"]["states"];

export type Tone = "good" | "attention" | "bad" | "progress" | "quiet";

/** The amount that is missing, or more than was due, by the credited money; null if there is none, and once it is accepted. */
export function missingOf(difference: string | null, acceptedAt: string | null): string | null {
  return difference?.startsWith("-") && acceptedAt === null ? difference.slice(1) : null;
}

export function surplusOf(difference: string | null): string | null {
  return difference === null || difference === "0" || difference.startsWith("-") ? null : difference;
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
