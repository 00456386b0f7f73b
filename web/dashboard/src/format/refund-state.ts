import type { Refund } from "@daric/sdk/contract";
import type { RefundFacts } from "../api/work-operations.ts";
import { refundWords } from "../words/refund-words.ts";
import type { Tone } from "./payment-state.ts";

export type RefundStatus = Refund["status"];
/** The states in the order of a refund's life. */
export const refundStatuses = ["REQUESTED", "READY", "SENT", "COMPLETED", "CANCELED"] as const;

const tones: Readonly<Record<RefundStatus, Tone>> = {
  REQUESTED: "quiet",
  READY: "attention",
  SENT: "progress",
  COMPLETED: "good",
  CANCELED: "quiet",
};

type Doubtful = Pick<Refund, "status" | "needs_confirmation">;

export function refundToneOf({ status, needs_confirmation: doubt }: Doubtful): Tone {
  return status === "REQUESTED" && doubt !== null ? "attention" : tones[status];
}

/** The state of a refund in a word or two. */
export function refundStatusText({ status, needs_confirmation: doubt }: Doubtful): string {
  const { statuses, toConfirm } = refundWords;
  return status === "REQUESTED" && doubt !== null ? toConfirm : statuses[status];
}

/** Whether the transfer of a refund lost its block: it may come back, so nothing is to be paid. */
export function isInDoubt({ status, tx_hash: txHash }: Refund, { transfers }: RefundFacts): boolean {
  return (
    status === "SENT" && transfers.every((transfer) => transfer.tx_hash !== txHash || !transfer.is_in_chain)
  );
}

/** Says why a refund waits, or how it ended. */
export function nowText(refund: Refund, facts: RefundFacts): string {
  const { now, doubts } = refundWords;
  if (!facts.is_ours) return now.notOurs;
  if (isInDoubt(refund, facts)) return now.inDoubt;
  if (refund.status !== "REQUESTED") return now[refund.status];
  if (refund.needs_confirmation !== null) return doubts[refund.needs_confirmation];
  return facts.is_claim_open ? now.REQUESTED : now.linkClosed;
}

/** Whether *Pay* may be opened: only where nothing is in doubt. */
export function isPayable({ status, address }: Refund, { is_ours: isOurs }: RefundFacts): boolean {
  return status === "READY" && address !== null && isOurs;
}
