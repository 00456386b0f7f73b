import { assets, type Currency } from "./asset.ts";
import { machine } from "./machine.ts";
import { type Amount, zero } from "./money.ts";

export const transferSources = ["transfer", "log", "internal"] as const;
export type TransferSource = (typeof transferSources)[number];

/** Why a CONFIRMING deposit does not become final although the nodes respond: the check that it waits for. */
export const stuckReasons = ["solidity", "quorum", "balance"] as const;
export type StuckReason = (typeof stuckReasons)[number];
/**
 * dropped: the transaction expired and no solid block has it. failed_on_chain: a solid block has it without this payment.
 * rejected: an operator rejected it.
 */
export type FailureReason = "dropped" | "failed_on_chain" | "rejected";

export type DepositDecision = "accepted" | "rejected";

/** The life of a deposit. CONFIRMED is final. */
export const depositMachine = machine({
  DETECTED: { buried: "CONFIRMING", orphaned: "REORG_PENDING" },
  CONFIRMING: { finalized: "CONFIRMED", stalled: "STUCK", orphaned: "REORG_PENDING" },
  CONFIRMED: {},
  // A STUCK deposit stays STUCK under another reason.
  STUCK: { finalized: "CONFIRMED", stalled: "STUCK", orphaned: "REORG_PENDING", rejected: "FAILED" },
  REORG_PENDING: { included: "DETECTED", failed: "FAILED" },
  // A FAILED deposit re-appeared on chain: it is credited, and an alarm is raised.
  FAILED: { included: "DETECTED" },
});
export const depositStatuses = depositMachine.states;
export type DepositStatus = (typeof depositStatuses)[number];
export type DepositEvent = (typeof depositMachine.events)[number];

export function isOpen(status: DepositStatus): boolean {
  return status !== "CONFIRMED" && status !== "FAILED";
}

export const openDepositStatuses: readonly DepositStatus[] = depositStatuses.filter(isOpen);
/** The statuses of a deposit whose block our chain has, and a fork can still remove. */
export const unconfirmedDepositStatuses: readonly DepositStatus[] = depositMachine.edge("orphaned").from;
/** The statuses of a deposit whose block our chain does not have. It is no money unless another block brings it. */
export const offChainDepositStatuses: readonly DepositStatus[] = depositMachine.edge("included").from;

/** The confirmations, head − block + 1; zero for a block above our head. */
export function confirmations(headNumber: number, blockNumber: number): number {
  return headNumber < blockNumber ? 0 : headNumber - blockNumber + 1;
}

export type Confirmation = {
  readonly status: "CONFIRMED";
  readonly confirmedAt: Date;
  /** the confirmations at `confirmedAt` */
  readonly finalConfirmations: number;
};

/** The facts that decide the confirmations of a deposit. `finalConfirmations` is null until CONFIRMED. */
export type ConfirmationFacts = {
  readonly status: DepositStatus;
  readonly blockNumber: number;
  readonly headNumber: number;
  readonly finalConfirmations: number | null;
};

/** The confirmations: they grow with the chain, stop at CONFIRMED, and are 0 while the block is off the chain. */
export function currentConfirmations(deposit: ConfirmationFacts): number {
  if (deposit.finalConfirmations !== null) return deposit.finalConfirmations;
  return unconfirmedDepositStatuses.includes(deposit.status)
    ? confirmations(deposit.headNumber, deposit.blockNumber)
    : 0;
}

/**
 * Dust (< 0.01 USDT, < 0.1 TRX) is recorded, booked and announced only by `deposit.confirmed`. It decides nothing. Where the due
 * itself is smaller, nothing is dust. `due` is in the currency of the amount, null if there is none.
 */
export function isDust({
  currency,
  amount,
  due,
}: {
  readonly currency: Currency;
  readonly amount: Amount;
  readonly due: Amount | null;
}): boolean {
  const bound = assets[currency].dust;
  const isSmallDue = due !== null && due > zero && due < bound;
  return amount < bound && !isSmallDue;
}

/** A block whose time equals `expiresAt` is still on time. */
export function isLate(blockTime: Date, expiresAt: Date | null): boolean {
  return expiresAt !== null && blockTime > expiresAt;
}
