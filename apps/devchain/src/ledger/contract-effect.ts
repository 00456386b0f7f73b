import { type EnergyBill, NO_ENERGY } from "./energy.ts";
import { PLAIN_SUCCESS, type TransactionOutcome } from "./transaction-info.ts";

/** The outcome of a contract, without the costs of every transaction. */
export interface ContractEffect extends Omit<TransactionOutcome, "txId" | "receipt"> {
  readonly energy: EnergyBill;
}

export const DONE: ContractEffect = { ...PLAIN_SUCCESS, energy: NO_ENERGY };

export type ExecutionContext = {
  /** block time of the head, milliseconds; java-tron computes recovery and expiry by it */
  readonly nowMs: number;
  /** includes the transaction as a failure, which only pays its fees */
  readonly mustFail?: boolean;
};
