import type { ContractResult } from "@daric/tron/contract-result";
import type { ContractLog } from "../contract/contract-runtime.ts";
import type { Stake } from "./account.ts";

/** What a transaction used; sun as bigint, bytes and energy as numbers, 0 = nothing. */
export type Receipt = {
  /** energy that stake paid */
  readonly energyUsage: number;
  readonly energyUsageTotal: number;
  readonly energyPenaltyTotal: number;
  /** sun, for the energy that stake did not pay */
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
  /** sun of expired unfreezings that came back to the balance */
  readonly withdrawExpireAmount: bigint;
  /** stake whose unfreezing was cancelled; undefined where the transaction cancels none */
  readonly cancelledUnfreezing: Stake | undefined;
};

/** The outcome of a transaction that succeeded, without fee, logs or amounts. */
export const PLAIN_SUCCESS: Omit<TransactionOutcome, "txId" | "receipt"> = {
  fee: 0n,
  contractRet: "SUCCESS",
  contractResult: "",
  contractAddress: "",
  logs: [],
  failureMessage: "",
  withdrawExpireAmount: 0n,
  cancelledUnfreezing: undefined,
};
