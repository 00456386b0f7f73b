import { type EnergyBill, NO_ENERGY } from "./energy.ts";
import { PLAIN_SUCCESS, type TransactionOutcome } from "./transaction-info.ts";

/** What the contract of a transaction did: its outcome without what every transaction pays. */
export interface ContractEffect extends Omit<TransactionOutcome, "txId" | "receipt"> {
  readonly energy: EnergyBill;
}

/** The effect of a contract that succeeded, without fee, logs or amounts. */
export const DONE: ContractEffect = { ...PLAIN_SUCCESS, energy: NO_ENERGY };

export type ExecutionContext = {
  /** block time of the head that the transaction is run on, milliseconds; java-tron reckons all recovery and expiry by it */
  readonly nowMs: number;
  /** forces the transaction into the block as a failure: fees are charged, nothing else happens */
  readonly mustFail?: boolean;
};
