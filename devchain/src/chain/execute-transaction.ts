import { isAddressHex } from "../codec/address.ts";
import type { ContractResult } from "../codec/contract-result.ts";
import type { Transaction, TransferContract, TriggerSmartContract } from "../codec/transaction-codec.ts";
import { type BandwidthBill, chargeBandwidth } from "./bandwidth.ts";
import { BroadcastRefusal, contractRefusal } from "./broadcast-refusal.ts";
import { ENERGY_PRICE, MAX_FEE_LIMIT, MEMO_FEE, NEW_ACCOUNT_FEE } from "./chain-parameters.ts";
import { runContract } from "./run-contract.ts";
import { addBalance, mergeChanges, newAccount, type Overlay, overlayOn, type StateWriter } from "./state.ts";
import type { TransactionOutcome } from "./transaction-info.ts";
import { runnableContract } from "./validate-transaction.ts";

export interface ExecutionContext {
  /** block time, milliseconds */
  readonly timeMs: number;
  /** forces the transaction into the block as a failure: fees are charged, nothing else happens */
  readonly mustFail?: boolean;
}

/**
 * Runs a transaction on a state. Charges bandwidth and memo first, then moves TRX or calls the contract; a
 * failed contract call stays in the block and keeps its fees. Throws a BroadcastRefusal, with the state
 * untouched, when the transaction cannot be in a block at all.
 */
export function executeTransaction(
  state: Overlay,
  transaction: Transaction,
  context: ExecutionContext,
): TransactionOutcome {
  const session = overlayOn(state);
  const contract = runnableContract(transaction);
  const activates = contract.kind === "transfer" && session.account(contract.toAddress) === undefined;
  const { ownerAddress } = contract;
  const bill = chargeBandwidth(session, transaction, { ownerAddress, timeMs: context.timeMs, activates });
  const memoFee = chargeMemo(session, transaction, ownerAddress);
  const outcome =
    contract.kind === "transfer"
      ? executeTransfer(session, contract, context)
      : executeTrigger(session, contract, transaction.raw.feeLimit, context);
  mergeChanges(state.changes, session.changes);
  return completeOutcome(transaction, outcome, bill, memoFee);
}

/** The part of an outcome that depends on the contract. */
interface ContractEffect extends Omit<TransactionOutcome, "txId" | "receipt"> {
  readonly energy: number;
  readonly energyPenalty: number;
}

const NO_EFFECT: ContractEffect = {
  fee: 0n,
  contractRet: "SUCCESS",
  contractResult: "",
  contractAddress: "",
  logs: [],
  failureMessage: "",
  energy: 0,
  energyPenalty: 0,
};

function executeTransfer(
  state: StateWriter,
  contract: TransferContract,
  { timeMs, mustFail }: ExecutionContext,
): ContractEffect {
  const { ownerAddress, toAddress, amount } = contract;
  const fee = validateTransfer(state, contract);
  if (mustFail) return { ...NO_EFFECT, contractRet: "TRANSFER_FAILED", failureMessage: "transfer failed" };
  if (state.account(toAddress) === undefined) state.putAccount(toAddress, newAccount(timeMs));
  addBalance(state, ownerAddress, -(amount + fee));
  addBalance(state, toAddress, amount);
  return { ...NO_EFFECT, fee };
}

/** Returns the fee in sun for activating the receiver. Rules and texts: java-tron TransferActuator. */
function validateTransfer(state: StateWriter, contract: TransferContract): bigint {
  const { ownerAddress, toAddress, amount } = contract;
  if (!isAddressHex(ownerAddress)) throw contractRefusal("Invalid ownerAddress!");
  if (!isAddressHex(toAddress)) throw contractRefusal("Invalid toAddress!");
  if (toAddress === ownerAddress) throw contractRefusal("Cannot transfer TRX to yourself.");
  const owner = state.account(ownerAddress);
  if (owner === undefined) throw contractRefusal("Validate TransferContract error, no OwnerAccount.");
  if (amount <= 0n) throw contractRefusal("Amount must be greater than 0.");
  const receiver = state.account(toAddress);
  if (receiver?.isContract) throw contractRefusal("Cannot transfer TRX to a smartContract.");
  const fee = receiver === undefined ? NEW_ACCOUNT_FEE : 0n;
  if (owner.balance < amount + fee) {
    throw contractRefusal("Validate TransferContract error, balance is not sufficient.");
  }
  return fee;
}

function executeTrigger(
  state: Overlay,
  contract: TriggerSmartContract,
  feeLimit: bigint,
  { mustFail }: ExecutionContext,
): ContractEffect {
  const balance = validateTrigger(state, contract, feeLimit);
  const energyLimit = Number((balance < feeLimit ? balance : feeLimit) / ENERGY_PRICE);
  const run = runContract(state, contract);
  if (run === undefined) throw contractRefusal("No contract or not a smart contract");
  const isOutOfEnergy = run.outcome.energy > energyLimit;
  const energy = Math.min(run.outcome.energy, energyLimit);
  const contractRet = resultOf(isOutOfEnergy, mustFail === true || run.outcome.status === "REVERT");
  if (contractRet === "SUCCESS") mergeChanges(state.changes, run.changes);
  const fee = BigInt(energy) * ENERGY_PRICE;
  addBalance(state, contract.ownerAddress, -fee);
  return {
    fee,
    contractRet,
    contractResult:
      isOutOfEnergy || (mustFail && run.outcome.status === "SUCCESS") ? "" : run.outcome.returnData,
    contractAddress: contract.contractAddress,
    logs: contractRet === "SUCCESS" ? run.outcome.logs : [],
    failureMessage: failureMessage(contractRet, energyLimit, run.outcome.energy),
    energy,
    energyPenalty: Math.min(run.outcome.energyPenalty, energy),
  };
}

/** Returns the caller's balance in sun. */
function validateTrigger(state: StateWriter, contract: TriggerSmartContract, feeLimit: bigint): bigint {
  if (feeLimit < 0n || feeLimit > MAX_FEE_LIMIT) {
    throw contractRefusal(`feeLimit must be >= 0 and <= ${MAX_FEE_LIMIT}`);
  }
  if (contract.callTokenValue !== 0n || contract.tokenId !== 0n) {
    throw contractRefusal("TRC-10 tokens are not supported by this chain");
  }
  const balance = state.account(contract.ownerAddress)?.balance ?? 0n;
  if (contract.callValue < 0n) throw contractRefusal("callValue must be >= 0");
  if (contract.callValue > balance)
    throw contractRefusal("Validate InternalTransfer error, balance is not sufficient.");
  return balance - contract.callValue;
}

function resultOf(isOutOfEnergy: boolean, isReverted: boolean): ContractResult {
  if (isOutOfEnergy) return "OUT_OF_ENERGY";
  return isReverted ? "REVERT" : "SUCCESS";
}

function failureMessage(result: ContractResult, energyLimit: number, energyNeeded: number): string {
  if (result === "REVERT") return "REVERT opcode executed";
  if (result !== "OUT_OF_ENERGY") return "";
  return `Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[${energyLimit}], curOpEnergy[${energyNeeded}], usedEnergy[${energyLimit}]`;
}

function chargeMemo(state: StateWriter, transaction: Transaction, ownerAddress: string): bigint {
  if (transaction.raw.data === "") return 0n;
  const balance = state.account(ownerAddress)?.balance ?? 0n;
  if (balance < MEMO_FEE) throw new BroadcastRefusal("BANDWITH_ERROR", "needs the memo fee");
  addBalance(state, ownerAddress, -MEMO_FEE);
  return MEMO_FEE;
}

function completeOutcome(
  transaction: Transaction,
  { energy, energyPenalty, ...effect }: ContractEffect,
  bill: BandwidthBill,
  memoFee: bigint,
): TransactionOutcome {
  const isCall = effect.contractAddress !== "";
  return {
    ...effect,
    txId: transaction.txId,
    fee: effect.fee + bill.netFee + memoFee,
    receipt: {
      energyUsageTotal: energy,
      energyPenaltyTotal: energyPenalty,
      energyFee: isCall ? effect.fee : 0n,
      netUsage: bill.netUsage,
      netFee: bill.netFee,
      result: isCall ? effect.contractRet : undefined,
    },
  };
}
