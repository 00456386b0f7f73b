import type { ContractResult } from "@daric/tron/contract-result";
import type { ContractLog } from "../contract/contract-runtime.ts";
import type { Stake } from "./account.ts";

/** The use of a transaction; sun as bigint, bytes and energy as numbers. */
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

/** protocol.TransactionInfo without its block. */
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
  /** undefined if the transaction cancels none */
  readonly cancelledUnfreezing: Stake | undefined;
};

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
