import type { Vocabulary } from "./openapi-vocabulary.ts";

/** The meanings of the fields of refunds. */
export const refundMeanings: Vocabulary["meanings"] = {
  "refunds.id": "The id of the refund (UUID), from its request, a list or an event.",
  refunded_amount:
    "The sum that completed refunds moved on the chain, in units of `currency` (decimal string). Refunds of another coin are not in it.",
  refund_ref: "Your own reference of the refund, at most 120 characters; null if you gave none.",
  "Refund.id": "The id of the refund (UUID).",
  "Refund.deposit_address_id": "The id of the deposit address whose money goes back (UUID).",
  "Refund.amount": "The amount that goes back, in units of `currency` (decimal string).",
  "Refund.currency": "The coin that goes back; it may differ from that of the order.",
  "Refund.fiat_amount":
    "The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal string); null without one.",
  "Refund.status":
    "`REQUESTED` waits for an address or a confirmation, `READY` for your payment. `SENT` is on the chain, `COMPLETED` is final, and `CANCELED` is not to be paid.",
  "Refund.address":
    "The TRON address that the refund goes to (base58); null until the payer names it, and if its row MAC is not valid.",
  needs_confirmation:
    "Why an owner or admin must confirm it; null if nothing is in doubt. `address`: a key or a person sent the address. `paid_money`: the money paid the order. " +
    "`other_address`: a large surplus is to go to another address than its sender's. `order_changed`: money came, or the order was accepted, after the request.",
  default_address:
    "The TRON address that sent most of a large surplus (base58): another one needs a confirmation with a reason. null for any other refund.",
  claim_url:
    "The page where the payer names the address: send it to the payer alone. Only in the answer about one refund, for the scope `refunds:write`; otherwise null.",
  claim_expires_at: "The time until which `claim_url` takes an address (ISO 8601, UTC).",
  "Refund.tx_hash":
    "The id of the transaction that paid it: 64 hex characters in small letters; null before one is seen.",
  paid_amount:
    "The amount that the chain moved, in units of `currency` (decimal string); null until the refund is `COMPLETED`.",
  "Refund.reason": "Your reason for the refund, at most 500 characters; null if you gave none.",
  pay_until:
    "The time until which address and amount stay as they are, since a person opened its payment (ISO 8601, UTC); null if none did.",
  requested_at: "The time of the request (ISO 8601, UTC).",
  ready_at: "The last time at which it became `READY` (ISO 8601, UTC); null until then.",
  sent_at: "The time at which its transfer was seen in a block (ISO 8601, UTC); null until then.",
  completed_at: "The time at which its transfer was final (ISO 8601, UTC); null until then.",
  canceled_at: "The time at which you canceled it (ISO 8601, UTC); otherwise null.",
  "listRefunds.status": "Only refunds in this status.",
  "listRefunds.deposit_address_id": "Only refunds of the deposit address with this id (UUID).",

  refund_id: "The id of the refund (UUID); `reference_id` of its deliveries.",
  "RefundEvent.id": "The id of the event (UUID). Delivery is at least once: drop an id that you have seen.",
  "RefundEvent.created_at": "The time of the event (ISO 8601, UTC).",
  "RefundEvent.data": "The refund as it was at the event.",
  "RefundEvent.deposit_address_id": "The id of the deposit address whose money goes back (UUID).",
  "RefundEvent.currency": "The coin that goes back; it may differ from that of the order.",
  "RefundEvent.amount": "The amount that goes back, in units of `currency` (decimal string).",
  "RefundEvent.fiat_amount":
    "The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal string); null without one.",
  "RefundEvent.status":
    "The status of the refund after this event. Only `COMPLETED` is final money, and only `CANCELED` may still change to it.",
  "RefundEvent.address": "The TRON address that the refund goes to (base58); null until the payer names it.",
  "RefundEvent.tx_hash":
    "The id of the transaction that paid it: 64 hex characters in small letters; null before one is seen.",
  "RefundEvent.reason": "Your reason for the refund; null if you gave none.",
};
