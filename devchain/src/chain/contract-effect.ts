import type { TransactionOutcome } from "./transaction-info.ts";

/** What the contract of a transaction did: its outcome without what every transaction pays. */
export interface ContractEffect extends Omit<TransactionOutcome, "txId" | "receipt"> {
  readonly energy: number;
  /** the part of `energy` that the dynamic energy model adds */
  readonly energyPenalty: number;
}

export type ExecutionContext = {
  /** block time, milliseconds */
  readonly timeMs: number;
  /** forces the transaction into the block as a failure: fees are charged, nothing else happens */
  readonly mustFail?: boolean;
};
