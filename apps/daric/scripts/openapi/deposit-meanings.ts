import type { Vocabulary } from "./openapi-vocabulary.ts";

/** The meaning of the names of deposits. */
export const depositMeanings: Vocabulary["meanings"] = {
  "Deposit.amount": "The amount sent, in units of `currency` (decimal string).",
  "Deposit.address": "The TRON address that received it (base58, 34 characters).",
  "Deposit.currency": "The currency that was sent; `amount` is in it.",
  "Deposit.status":
    "`CONFIRMED` is final money. `DETECTED` and `CONFIRMING` wait for blocks, `STUCK` waits unusually long, " +
    "`REORG_PENDING` lost its block, `FAILED` never became money.",
  deposit_status: "The status of the newest deposit; null before there is one. Only `CONFIRMED` is final.",
  source:
    "How the chain moved it: `transfer` (TRX), `log` (a token's event) or `internal` (TRX from a contract).",
  tx_hash: "The id of the transaction on the chain: 64 hex characters in small letters.",
  event_index: "Position of the transfer within its transaction, counted from 0.",
  from_address: "The TRON address that sent it (base58); null if the chain does not name it.",
  block_number: "Height of the block that holds the transfer: its position in the chain, counted from 0.",
  block_hash: "The id of the block that holds the transfer: 64 hex characters.",
  block_time: "The time that the block itself states (ISO 8601, UTC). It decides whether a payment is late.",
  confirmations:
    "Number of blocks from the transfer's block to the newest one. It can pass the required number some seconds before the deposit is final, and stops when it is.",
  required_confirmations:
    "Number of blocks needed before the deposit can be final. Only the status shows whether it is.",
  late: "Whether the transfer's block is later than the end of the time to pay.",
  unmatched: "Whether it is in another currency than the deposit address asks for. Then no sum counts it.",
  stuck_reason:
    "Why it waits unusually long; null if it does not. `solidity`: few witnesses have built on its block. `quorum`: the nodes do not agree. `balance`: the address does not hold it.",
  failure_reason: "Why it never became money, in one word; null if it did not fail.",
  detected_at: "The time at which it was first seen (ISO 8601, UTC).",
  confirmed_at: "The time at which it became final (ISO 8601, UTC); null until then.",
  failed_at: "The time at which it failed for good (ISO 8601, UTC); otherwise null.",
  previous_status: "The status before this event; null if there was none.",
  "listDeposits.status": "Only deposits in this status.",
  "listDeposits.currency": "Only deposits of this currency.",
  "listDeposits.deposit_address_id": "Only deposits to the deposit address with this id (UUID).",
  "listDeposits.order_ref": "Only deposits to deposit addresses with exactly this reference of yours.",
  "listDeposits.tx_hash":
    "Only deposits of the transaction with this id: 64 hex characters, or an explorer's link with them.",
};
