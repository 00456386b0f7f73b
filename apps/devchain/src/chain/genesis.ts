import { blockId, type TronBlock, type TronBlockHeader, transactionRoot } from "@daric/tron/block";
import { sha256Hex } from "@daric/tron/hash";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { mintToken } from "../contract/usdt.ts";
import { giveOwnership } from "../contract/usdt-owner.ts";
import { newAccount } from "../ledger/account.ts";
import { firstParameters } from "../ledger/chain-parameters.ts";
import { storageOf } from "../ledger/contracts.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { firstWeights } from "../ledger/resource-limits.ts";
import { firstPrices } from "../ledger/settings.ts";
import {
  addBalance,
  noChanges,
  type Overlay,
  overlayOn,
  type StateChanges,
  type StateWriter,
  stateOf,
} from "../ledger/state.ts";
import { PLAIN_SUCCESS, type TransactionOutcome } from "../ledger/transaction-info.ts";
import type { ExecutedBlock } from "./block-record.ts";

/** An account that has money from the beginning. */
export type GenesisHolder = {
  /** hex */
  readonly address: string;
  readonly sun: bigint;
  readonly usdtUnits: bigint;
};

/**
 * Block 0 and the state after it. `holders` get their money from the treasury's share, without a transaction: the block
 * and its id are the same on every chain.
 */
export function genesisExecution(holders: readonly GenesisHolder[]): ExecutedBlock {
  return {
    block: genesisBlock(),
    outcomes: GENESIS.transfers.map(({ txId }) => ({ ...GENESIS_OUTCOME, txId })),
    changes: genesisState(holders),
  };
}

/** The transfers of the genesis block had no fee. */
const GENESIS_OUTCOME: Omit<TransactionOutcome, "txId"> = {
  ...PLAIN_SUCCESS,
  receipt: {
    energyUsage: 0,
    energyUsageTotal: 0,
    energyPenaltyTotal: 0,
    energyFee: 0n,
    netUsage: 0,
    netFee: 0n,
    result: undefined,
  },
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

/** Parameters set, treasury, payer and holders funded, the tokens deployed. */
function genesisState(holders: readonly GenesisHolder[]): StateChanges {
  const state = overlayOn(stateOf(noChanges()));
  for (const [slot, value] of [...firstParameters(), ...firstWeights()]) state.putSlot(slot, value);
  for (const [slot, value] of firstPrices(state)) state.putSlot(slot, value);
  for (const [address, balance] of GENESIS.trx) state.putAccount(address, { ...newAccount(0), balance });
  deployToken(state, GENESIS.usdtContract, GENESIS.usdt);
  deployToken(state, GENESIS.usdxContract, GENESIS.usdx);
  for (const holder of holders) giveShare(state, holder);
  return state.changes;
}

function giveShare(state: Overlay, { address, sun, usdtUnits }: GenesisHolder): void {
  const { treasury, usdtContract } = GENESIS;
  if (state.account(address) === undefined) state.putAccount(address, newAccount(0));
  addBalance(state, treasury.address, -sun);
  addBalance(state, address, sun);
  const storage = storageOf(state, usdtContract);
  mintToken(storage, treasury.address, -usdtUnits);
  mintToken(storage, address, usdtUnits);
}

function deployToken(
  state: StateWriter,
  contract: string,
  holders: readonly (readonly [address: string, units: bigint])[],
): void {
  state.putAccount(contract, { ...newAccount(0), isContract: true });
  const storage = storageOf(state, contract);
  giveOwnership(storage, GENESIS.treasury.address);
  for (const [address, units] of holders) mintToken(storage, address, units);
}
