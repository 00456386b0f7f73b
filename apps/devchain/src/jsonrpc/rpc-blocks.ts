import { encodeBlock } from "@daric/tron/block";
import type { TransactionContract } from "@daric/tron/transaction";
import { type LocalChain, readState } from "../chain/chain.ts";
import type { StoredBlock } from "../chain/chain-store.ts";
import { chainParameter } from "../ledger/chain-parameters.ts";
import { SUN_PER_TRX } from "../ledger/limits.ts";
import { priceHistory } from "../ledger/settings.ts";
import type { TransactionOutcome } from "../ledger/transaction-info.ts";
import { rpcAddress, rpcBytes, rpcQuantity } from "./rpc-values.ts";

type Value = TransactionContract["value"];

const NO_BLOOM = rpcBytes("0".repeat(512));
const NO_WORD = rpcBytes("0".repeat(64));
const NO_NONCE = rpcBytes("0".repeat(16));
const NO_ADDRESS = rpcBytes("0".repeat(40));

/** The amount of a change of permissions, as java-tron states it. */
const PERMISSION_SUN = 100n * SUN_PER_TRX;

/** A block with ids of transactions, or whole ones. Fields without a meaning on TRON are zeros (java-tron BlockResult). */
export function renderRpcBlock(chain: LocalChain, stored: StoredBlock, isFull: boolean): object {
  const { header, id, transactions } = stored.block;
  const gasLimit = transactions.reduce((sum, { transaction }) => sum + transaction.raw.feeLimit, 0n);
  return {
    baseFeePerGas: "0x0",
    difficulty: "0x0",
    extraData: "0x",
    gasLimit: rpcQuantity(gasLimit),
    gasUsed: rpcQuantity(stored.outcomes.reduce((sum, outcome) => sum + energyOf(outcome), 0)),
    hash: rpcBytes(id),
    logsBloom: NO_BLOOM,
    miner: header.number === 0 ? NO_ADDRESS : rpcAddress(header.witnessAddress),
    mixHash: NO_WORD,
    nonce: NO_NONCE,
    number: rpcQuantity(header.number),
    parentHash: rpcBytes(header.parentHash),
    receiptsRoot: NO_WORD,
    sha3Uncles: NO_WORD,
    size: rpcQuantity(encodeBlock(stored.block).length),
    stateRoot: rpcBytes(header.accountStateRoot),
    timestamp: rpcQuantity(Math.floor(header.timestamp / 1000)),
    totalDifficulty: "0x0",
    transactions: transactions.map(({ transaction }, index) =>
      isFull ? renderRpcTransaction(chain, stored, index) : rpcBytes(transaction.txId),
    ),
    transactionsRoot: rpcBytes(header.txTrieRoot),
    uncles: [],
  };
}

/** A mined transaction; null for an index that the block does not have (java-tron TransactionResult). */
export function renderRpcTransaction(chain: LocalChain, { block, outcomes }: StoredBlock, index: number) {
  const [mined, outcome] = [block.transactions[index], outcomes[index]];
  if (mined === undefined || outcome === undefined) return null;
  const { transaction } = mined;
  const value = transaction.raw.contracts[0]?.value;
  const [signature = ""] = transaction.signatures;
  return {
    blockHash: rpcBytes(block.id),
    blockNumber: rpcQuantity(block.header.number),
    from: block.header.number === 0 ? NO_ADDRESS : senderOf(value),
    gas: rpcQuantity(energyOf(outcome)),
    gasPrice: rpcQuantity(energyFeeAt(chain, block.header.timestamp)),
    hash: rpcBytes(transaction.txId),
    input: rpcBytes(value?.kind === "trigger" ? value.data : ""),
    nonce: NO_NONCE,
    r: rpcBytes(signature.slice(0, 64).padEnd(64, "0")),
    s: rpcBytes(signature.slice(64, 128).padEnd(64, "0")),
    to: receiverOf(value),
    transactionIndex: rpcQuantity(index),
    type: "0x0",
    v: signature === "" ? "0x00" : recoveryOf(signature),
    value: rpcQuantity(amountOf(value, outcome)),
  };
}

/** The receipt of a mined transaction (java-tron TransactionReceipt). */
export function renderRpcReceipt(chain: LocalChain, stored: StoredBlock, index: number): object | null {
  const { block, outcomes } = stored;
  const [mined, outcome] = [block.transactions[index], outcomes[index]];
  if (mined === undefined || outcome === undefined) return null;
  const value = mined.transaction.raw.contracts[0]?.value;
  const { result } = outcome.receipt;
  return {
    blockHash: rpcBytes(block.id),
    blockNumber: rpcQuantity(block.header.number),
    contractAddress: null,
    cumulativeGasUsed: rpcQuantity(
      outcomes.slice(0, index + 1).reduce((sum, before) => sum + energyOf(before), 0),
    ),
    effectiveGasPrice: rpcQuantity(energyFeeAt(chain, block.header.timestamp)),
    from: senderOf(value),
    gasUsed: rpcQuantity(energyOf(outcome)),
    logs: logsOf(stored).filter(({ transactionIndex }) => transactionIndex === rpcQuantity(index)),
    logsBloom: NO_BLOOM,
    // Only contract calls have a result: a failed transfer is a success here, as on a node.
    status: result === undefined || result === "SUCCESS" ? "0x1" : "0x0",
    to: receiverOf(value),
    transactionHash: rpcBytes(mined.transaction.txId),
    transactionIndex: rpcQuantity(index),
    type: "0x0",
  };
}

export type RpcLog = ReturnType<typeof logsOf>[number];

/** All logs of a block, numbered through the block. */
export function logsOf({ block, outcomes }: StoredBlock) {
  return outcomes
    .flatMap(({ txId, logs }, index) => logs.map((log) => ({ txId, index, log })))
    .map(({ txId, index, log }, logIndex) => ({
      address: rpcBytes(log.address),
      blockHash: rpcBytes(block.id),
      blockNumber: rpcQuantity(block.header.number),
      data: rpcBytes(log.data),
      logIndex: rpcQuantity(logIndex),
      removed: false,
      topics: log.topics.map(rpcBytes),
      transactionHash: rpcBytes(txId),
      transactionIndex: rpcQuantity(index),
    }));
}

function energyOf({ receipt }: TransactionOutcome): number {
  return receipt.energyUsageTotal;
}

/** The price of energy in sun at a block time: the last one that is older. */
function energyFeeAt(chain: LocalChain, timestampMs: number): bigint {
  const state = readState(chain, "head");
  const prices = priceHistory(state, "getEnergyFee").split(",");
  const price = prices.findLast((entry) => timestampMs > Number(entry.split(":")[0]));
  return BigInt(price?.split(":")[1] ?? chainParameter(state, "getEnergyFee"));
}

function senderOf(value: Value | undefined): string | null {
  return value === undefined || value.kind === "opaque" ? null : rpcAddress(value.ownerAddress);
}

function receiverOf(value: Value | undefined): string | null {
  if (value?.kind === "transfer") return rpcAddress(value.toAddress);
  if (value?.kind === "trigger") return rpcAddress(value.contractAddress);
  if (value?.kind === "delegate" || value?.kind === "undelegate") return rpcAddress(value.receiverAddress);
  return null;
}

/** Sun that a transaction moves, as java-tron's getTransactionAmount counts it. */
function amountOf(value: Value | undefined, outcome: TransactionOutcome): bigint {
  if (value?.kind === "transfer") return value.amount;
  if (value?.kind === "trigger") return value.callValue;
  if (value?.kind === "permissionUpdate") return PERMISSION_SUN;
  if (value?.kind === "withdrawUnfrozen") return outcome.withdrawExpireAmount;
  const { BANDWIDTH = 0n, ENERGY = 0n } = outcome.cancelledUnfreezing ?? {};
  return BANDWIDTH + ENERGY;
}

/** Ethereum counts recovery ids from 27. */
function recoveryOf(signature: string): string {
  const id = Number.parseInt(signature.slice(128, 130), 16);
  return rpcQuantity(id < 27 ? id + 27 : id);
}
