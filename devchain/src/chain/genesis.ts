import { blockId, type TronBlock, type TronBlockHeader, transactionRoot } from "@daric/tron/block";
import { sha256Hex } from "@daric/tron/hash";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { mintUsdt } from "../contract/usdt.ts";
import type { ExecutedBlock } from "./block-record.ts";
import { storageOf } from "./contracts.ts";
import { GENESIS } from "./genesis-accounts.ts";
import { newAccount, noChanges, overlayOn, type StateChanges, stateOf } from "./state.ts";
import type { TransactionOutcome } from "./transaction-info.ts";

/** The block every chain of this kind begins with, and the state after it. */
export function genesisExecution(): ExecutedBlock {
  return {
    block: genesisBlock(),
    outcomes: GENESIS.transfers.map(({ txId }) => ({ ...GENESIS_OUTCOME, txId })),
    changes: genesisState(),
  };
}

/** Nothing was paid for the transfers of the genesis block. */
const GENESIS_OUTCOME: Omit<TransactionOutcome, "txId"> = {
  fee: 0n,
  contractRet: "SUCCESS",
  contractResult: "",
  contractAddress: "",
  receipt: {
    energyUsageTotal: 0,
    energyPenaltyTotal: 0,
    energyFee: 0n,
    netUsage: 0,
    netFee: 0n,
    result: undefined,
  },
  logs: [],
  failureMessage: "",
};

/** Number 0, no timestamp, no witness, no signature. */
function genesisBlock(): TronBlock {
  const transactions = GENESIS.transfers.map(
    (transaction) => ({ transaction, contractRet: "SUCCESS" }) as const,
  );
  const header: TronBlockHeader = {
    timestamp: 0,
    txTrieRoot: transactionRoot(transactions),
    parentHash: sha256Hex(utf8ToBytes("devchain genesis")),
    number: 0,
    witnessId: 0,
    witnessAddress: "",
    version: 0,
    accountStateRoot: "",
  };
  return { id: blockId(header), header, witnessSignature: "", transactions };
}

/** Treasury and payer funded, the token deployed. */
function genesisState(): StateChanges {
  const state = overlayOn(stateOf(noChanges()));
  for (const [address, balance] of GENESIS.trx) state.putAccount(address, { ...newAccount(0), balance });
  state.putAccount(GENESIS.usdtContract, { ...newAccount(0), isContract: true });
  const storage = storageOf(state, GENESIS.usdtContract);
  for (const [address, units] of GENESIS.usdt) mintUsdt(storage, address, units);
  return state.changes;
}
