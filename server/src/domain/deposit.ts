import { assets, type Currency } from "./asset.ts";
import { machine } from "./machine.ts";
import type { Amount } from "./money.ts";

/** How a transfer reached its address: a native TRX transfer, a TRC-20 Transfer log, or TRX sent by a contract. */
export const transferSources = ["transfer", "log", "internal"] as const;
export type TransferSource = (typeof transferSources)[number];

/** Why a CONFIRMING deposit does not become final although the nodes answer. */
export type StuckReason = "solidity" | "quorum" | "balance" | "unproven";
/**
 * dropped: it expired outside every solid block of ours. failed_on_chain: the inclusion in which it failed is solid. rejected: an
 * operator decided so.
 */
export type FailureReason = "dropped" | "failed_on_chain" | "rejected";

/** An operator's word on a deposit that is STUCK. */
export type DepositDecision = "accepted" | "rejected";

/** What the chain did to a deposit. CONFIRMED is final. */
export const depositMachine = machine({
  DETECTED: { buried: "CONFIRMING", orphaned: "REORG_PENDING" },
  CONFIRMING: { finalized: "CONFIRMED", stalled: "STUCK", orphaned: "REORG_PENDING" },
  CONFIRMED: {},
  // It stays STUCK where what it waits for is another thing than before.
  STUCK: { finalized: "CONFIRMED", stalled: "STUCK", orphaned: "REORG_PENDING", rejected: "FAILED" },
  REORG_PENDING: { included: "DETECTED", failed: "FAILED" },
  // It was called impossible, and yet our chain has it: the money counts, and somebody must be told.
  FAILED: { included: "DETECTED" },
});
export const depositStatuses = depositMachine.states;
export type DepositStatus = (typeof depositStatuses)[number];
export type DepositEvent = (typeof depositMachine.events)[number];

/** Whether the deposit is on its way to CONFIRMED or FAILED. */
export function isOpen(status: DepositStatus): boolean {
  return status !== "CONFIRMED" && status !== "FAILED";
}

export const openDepositStatuses: readonly DepositStatus[] = depositStatuses.filter(isOpen);
/** On the way to CONFIRMED: its block is in our chain, and can still leave it. */
export const unconfirmedDepositStatuses: readonly DepositStatus[] = depositMachine.edge("orphaned").from;
/** Its block is not in our chain: it is no money, unless a block of ours has it again. */
export const offChainDepositStatuses: readonly DepositStatus[] = depositMachine.edge("included").from;

/** head − block + 1, and never negative: a block that is not yet below our head has none. */
export function confirmations(headNumber: number, blockNumber: number): number {
  return headNumber < blockNumber ? 0 : headNumber - blockNumber + 1;
}

/** What a deposit has from the moment it is CONFIRMED, and not before. */
export type Confirmation = {
  readonly status: "CONFIRMED";
  readonly confirmedAt: Date;
  /** how deep its block was then */
  readonly finalConfirmations: number;
};

/** What the confirmations of a deposit follow from. `finalConfirmations` is null until it is CONFIRMED. */
export type ConfirmationFacts = {
  readonly status: DepositStatus;
  readonly blockNumber: number;
  readonly headNumber: number;
  readonly finalConfirmations: number | null;
};

/** Grows with the chain, stays as it was once the deposit is CONFIRMED, and is 0 while its block is off the chain. */
export function currentConfirmations(deposit: ConfirmationFacts): number {
  if (deposit.finalConfirmations !== null) return deposit.finalConfirmations;
  return unconfirmedDepositStatuses.includes(deposit.status)
    ? confirmations(deposit.headNumber, deposit.blockNumber)
    : 0;
}

/**
 * Dust is recorded, counted in sums and announced by `deposit.confirmed`, but by no other deposit event. It blocks
 * nothing: while it is not final, its charge is as if it had not come.
 */
export function isDust({
  currency,
  amount,
}: {
  readonly currency: Currency;
  readonly amount: Amount;
}): boolean {
  return amount < assets[currency].dust;
}

/** On time means made in a block up to and including `expiresAt`. */
export function isLate(blockTime: Date, expiresAt: Date | null): boolean {
  return expiresAt !== null && blockTime > expiresAt;
}
