import type { Deposit, DepositAddress } from "@daric/sdk/contract";
import { missingOf } from "./payment-view.ts";

/** Why a payment counts as paid or not: one word, the facts behind it, and what one can do. No text that people typed is in it. */
type Explanation = {
  readonly verdict:
    | "paid"
    | "in_progress"
    | "short"
    | "too_late"
    | "expired"
    | "closed"
    | "waiting"
    | "any_amount";
  readonly reasons: string[];
  readonly nextSteps: string[];
};

const STUCK: Readonly<Record<string, string>> = {
  solidity: "the chain is slow to make its block final",
  quorum: "the nodes of the service do not agree about it",
  balance: "the address does not hold the money yet",
};
const WAIT = "Wait: a transfer is final after 19 blocks, about a minute. Deliver nothing before.";
const DECIDE_SHORT =
  "A person decides in the dashboard: ask for the rest, return the money, or accept what came.";

/** Explains a payment by its row and its transfers, as far as these are known. */
export function explainPayment(row: DepositAddress, deposits: readonly Deposit[], now: Date): Explanation {
  const transfers = deposits.map(transferReason).filter((reason) => reason !== undefined);
  const { reasons, nextSteps, verdict } =
    row.kind === "order" ? orderCase(row, deposits, now) : openCase(row);
  const rest =
    row.rest_of === null ? [] : [`It asks for the money that the payment ${row.rest_of} is short of.`];
  return { verdict, reasons: [...reasons, ...rest, ...transfers], nextSteps };
}

function openCase({ amount_received, currency }: DepositAddress): Explanation {
  const reasons = [
    `The address takes any amount, so nothing is due. ${amount_received} ${currency} are final.`,
  ];
  return { verdict: "any_amount", reasons, nextSteps: [] };
}

function orderCase(row: DepositAddress, deposits: readonly Deposit[], now: Date): Explanation {
  const due = `${row.amount_due} ${row.currency}`;
  const got = `${row.amount_received} ${row.currency}`;
  if (row.payment_status === "paid") return paidCase(row, { due, got });
  if (row.payment_status === "detected" || row.payment_status === "confirming" || deposits.some(isUnderWay))
    return {
      verdict: "in_progress",
      reasons: [`${got} of ${due} are final, and more is on its way.`],
      nextSteps: [WAIT],
    };
  const isOver = row.status !== "ACTIVE" || row.payment_status === "expired";
  const time = timeOf(row, now);
  if (row.payment_state === "under") {
    const missing = missingOf(row);
    const short = `${got} of ${due} are final${missing === undefined ? "" : `: ${missing} ${row.currency} are missing`}.`;
    const wait = "The payer can send the rest to the same address until then.";
    return { verdict: "short", reasons: [short, time], nextSteps: [isOver ? DECIDE_SHORT : wait] };
  }
  if (row.payment_state !== "none") {
    const reasons = [`The whole price came, ${got} of ${due}, and a part of it came too late.`, time];
    const nextSteps = ["A person decides in the dashboard: accept the late money and deliver, or return it."];
    return { verdict: "too_late", reasons, nextSteps };
  }
  return nothingCase(row, time);
}

function paidCase(row: DepositAddress, { due, got }: { due: string; got: string }): Explanation {
  const reasons = [
    row.accepted_at === null
      ? `It is paid: ${got} of ${due} are final.`
      : `It counts as paid: the merchant accepted ${got} of ${due} at ${row.accepted_at}.`,
  ];
  const isTooMuch = row.payment_state === "over";
  if (isTooMuch) reasons.push("More came than was due.");
  return {
    verdict: "paid",
    reasons,
    nextSteps: isTooMuch ? ["A person may return the surplus in the dashboard."] : [],
  };
}

/** No money that counts has come. Dust and another coin do not count. */
function nothingCase(row: DepositAddress, time: string): Explanation {
  const none = "No money that counts has come to the address.";
  const ask =
    "If the payer sent money, ask for the id of the transaction and look it up. Another address, another network and another coin are the usual causes.";
  if (row.status === "ACTIVE" && row.payment_status !== "expired")
    return { verdict: "waiting", reasons: [none, time], nextSteps: [ask] };
  const isExpired = row.expires_at !== null && Date.parse(row.updated_at) >= Date.parse(row.expires_at);
  const verdict = row.status === "ARCHIVED" && !isExpired ? "closed" : "expired";
  return { verdict, reasons: [none, time], nextSteps: [ask, "A new payment needs a new order."] };
}

function timeOf(
  { status, expires_at: end, fiat_currency: fiat, quote_expires_at: lock }: DepositAddress,
  now: Date,
) {
  if (end === null) return "It has no end.";
  if (Date.parse(end) <= now.getTime()) return `The time to pay ended at ${end}.`;
  if (status !== "ACTIVE") return `It was closed before its time to pay ends at ${end}.`;
  const lapsed = fiat !== null && lock !== null && Date.parse(lock) <= now.getTime();
  return `The time to pay ends at ${end}.${lapsed ? ` The rate lapsed at ${lock}: the payment page locks a new one.` : ""}`;
}

function isUnderWay({ status, unmatched }: Deposit): boolean {
  return !unmatched && (status === "DETECTED" || status === "CONFIRMING" || status === "STUCK");
}

/** One transfer that explains why its money does not count, or not yet; undefined for ordinary final money. */
function transferReason(deposit: Deposit): string | undefined {
  const { status, late, unmatched, confirmations, required_confirmations: required } = deposit;
  const transfer = `The transfer ${deposit.id} of ${deposit.amount} ${deposit.currency}`;
  if (status === "FAILED") return `${transfer} failed: it never became money.`;
  if (unmatched)
    return `${transfer} is in another coin than was asked for: it counts in no sum. A person returns it by hand.`;
  switch (status) {
    case "DETECTED":
    case "CONFIRMING":
      return `${transfer} is in a block and not final yet: ${confirmations} of ${required} confirmations.`;
    case "STUCK":
      return `${transfer} waits unusually long: ${STUCK[deposit.stuck_reason ?? ""] ?? "the service says why in its log"}. It goes on by itself.`;
    case "REORG_PENDING":
      return `${transfer} lost its block, because the chain replaced it: it may come back in another one, or fail.`;
    case "CONFIRMED":
      return late ? `${transfer} is final, and came after the time to pay.` : undefined;
  }
}
