import type { Refund } from "@daric/sdk/contract";
import type { RefundsOfPayment } from "../api/work-operations.ts";
import { refundWords } from "../words/refund-words.ts";
import { moneyText } from "./amount.ts";
import type { Tone } from "./payment-state.ts";
import { type RefundStatus, refundStatuses } from "./refund-state.ts";
import type { Moment } from "./story.ts";

const tones: Readonly<Record<RefundStatus, Tone>> = {
  REQUESTED: "quiet",
  READY: "quiet",
  SENT: "progress",
  COMPLETED: "good",
  CANCELED: "quiet",
};

/** The moments of a payment's refunds, and the transfers that may be one. */
export function refundMoments({
  refunds,
  proposals,
}: Pick<RefundsOfPayment, "refunds" | "proposals">): Moment[] {
  const proposed = proposals.map(
    ({ refund_id: id, tx_hash: txHash, block_time: at, amount, currency }): Moment => {
      const text = refundWords.story.proposal({ amount: moneyText(amount, currency) });
      return { key: `${id}-${txHash}`, at, tone: "attention", text, txHash };
    },
  );
  return [...refunds.flatMap(momentsOf), ...proposed];
}

function momentsOf(refund: Refund): Moment[] {
  const { id, currency, amount, paid_amount: paid, reason, tx_hash: txHash } = refund;
  const times: Readonly<Record<RefundStatus, string | null>> = {
    REQUESTED: refund.requested_at,
    READY: refund.ready_at,
    SENT: refund.sent_at,
    COMPLETED: refund.completed_at,
    CANCELED: refund.canceled_at,
  };
  return refundStatuses.flatMap((status): Moment[] => {
    const at = times[status];
    if (at === null) return [];
    const money = moneyText(status === "COMPLETED" ? (paid ?? amount) : amount, currency);
    const isOnChain = status === "SENT" && txHash !== null;
    return [
      {
        key: `${id}-${status}`,
        at,
        tone: tones[status],
        text: refundWords.story[status]({ amount: money }),
        ...(status === "REQUESTED" && reason !== null && { detail: reason }),
        ...(isOnChain && { txHash }),
      },
    ];
  });
}
