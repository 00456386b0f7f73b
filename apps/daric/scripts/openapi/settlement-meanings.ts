import type { Vocabulary } from "./openapi-vocabulary.ts";

/** The meanings of the fields of settlements, their sweeps and their transactions. */
export const settlementMeanings: Vocabulary["meanings"] = {
  "Settlement.id": "The id of the settlement (UUID).",
  "SettlementDetail.id": "The id of the settlement (UUID).",
  "Settlement.status":
    "`OPEN` while transfers of it are made, `COMPLETED` once all of it has arrived, `FAILED` if part of it could not be sent.",
  "SettlementDetail.status":
    "`OPEN` while transfers of it are made, `COMPLETED` once all of it has arrived, `FAILED` if part of it could not be sent.",
  "Settlement.currency": "The currency of `amount` and `fees_paid`.",
  "SettlementDetail.currency": "The currency of `amount` and `fees_paid`.",
  "Settlement.settlement_account_id": "The id of the settlement account that is paid (UUID).",
  "SettlementDetail.settlement_account_id": "The id of the settlement account that is paid (UUID).",
  "Settlement.address": "The TRON address of the wallet that is paid (base58).",
  "SettlementDetail.address": "The TRON address of the wallet that is paid (base58).",
  "Settlement.amount": "The amount that has arrived at your wallet, in units of `currency` (decimal string).",
  "SettlementDetail.amount":
    "The amount that has arrived at your wallet, in units of `currency` (decimal string).",
  fees_paid:
    "The part of its fees that has arrived at the operator's wallet, in units of `currency` (decimal string).",
  network_cost: "The network's fees for it, in units of TRX (decimal string). The operator bears it.",
  sweep_count: "Number of its sweeps, in any status.",
  "Settlement.failure_reason": "The reason why the rest of it waits, in words; null without a rest.",
  "SettlementDetail.failure_reason": "The reason why the rest of it waits, in words; null without a rest.",
  "Settlement.created_at": "The time at which it was planned (ISO 8601, UTC).",
  "SettlementDetail.created_at": "The time at which it was planned (ISO 8601, UTC).",
  settlement_id: "The id of the settlement (UUID).",
  transfers: "Its transfers that have arrived, at most 20.",
  ended_at: "The time at which it ended (ISO 8601, UTC); null while it is open.",
  sweeps: "Its transfers out of deposit addresses.",
  "Sweep.id": "The id of the sweep (UUID).",
  "Sweep.deposit_address_id": "The id of the deposit address that is swept (UUID).",
  "Sweep.address": "The TRON address that is swept (base58).",
  recipient: "Whom it pays: the `merchant`, or the `operator` for its fees.",
  destination: "The TRON address of the wallet that it pays (base58).",
  "Sweep.amount": "The amount that is sent, in units of the settlement's currency (decimal string).",
  "Sweep.status":
    "How far it is. `SOLID` and `RECLAIMED` have arrived. `WAITING` waits for a price, `RETRY` is planned again, `FROZEN` waits for the operator, `DROPPED` was given up before anything was sent.",
  "Sweep.reason": "Why it waits, is frozen or was given up, in words; null where nothing is to be said.",
  transactions: "Its transactions on the chain, in their order.",
  "SweepTransaction.purpose":
    "`sweep` is the transfer itself. `top_up` sends TRX to the address before, `delegate` lends it energy, `undelegate` takes that back.",
  "SweepTransaction.tx_hash": "The id of the transaction on the chain; null before it is signed.",
  "SweepTransaction.outcome":
    "`landed`, `failed` on the chain, `expired` without a block, or `refused` by the signer; null while it is under way.",
  "SweepTransaction.block_number": "Height of the block that holds it; null while none is known.",
  "SweepTransaction.fee":
    "The network's fee from its sender, in units of TRX (decimal string); null while it is not known.",
};
