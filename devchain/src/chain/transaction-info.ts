import type { ContractResult } from "@daric/tron/contract-result";
import type { ContractLog } from "../contract/contract-runtime.ts";

/** What a transaction used; sun as bigint, bytes and energy as numbers, 0 = nothing. */
export type Receipt = {
  readonly energyUsageTotal: number;
  readonly energyPenaltyTotal: number;
  /** sun */
  readonly energyFee: bigint;
  readonly netUsage: number;
  /** sun */
  readonly netFee: bigint;
  /** only contract calls have one */
  readonly result: ContractResult | undefined;
};

/** protocol.TransactionInfo without the block it stands in: the outcome of running a transaction. */
export type TransactionOutcome = {
  readonly txId: string;
  /** sun: everything burned, bandwidth and energy included */
  readonly fee: bigint;
  readonly contractRet: ContractResult;
  readonly contractResult: string;
  /** "" when no contract was called */
  readonly contractAddress: string;
  readonly receipt: Receipt;
  readonly logs: readonly ContractLog[];
  /** plain text; "" on success */
  readonly failureMessage: string;
};
