import { addressWord, selectorOf, uintWord } from "@daric/tron/abi";
import type { ContractOf, ShapedContract } from "@daric/tron/contract-shapes";
import { type KeyPair, signHash } from "@daric/tron/signature";
import type { TronTransaction } from "@daric/tron/transaction";
import { type BuildOptions, buildTransaction } from "../src/chain/build-transaction.ts";
import { type LocalChain, mineBlock, openChain, readState, submitTransaction } from "../src/chain/chain.ts";
import { findTransaction } from "../src/chain/chain-store.ts";
import type { Account } from "../src/ledger/account.ts";
import { GENESIS } from "../src/ledger/genesis-accounts.ts";
import type { ResourceCode } from "../src/ledger/resource-usage.ts";
import { getAccount } from "../src/ledger/state.ts";
import type { TransactionOutcome } from "../src/ledger/transaction-info.ts";

/** 2026-01-01T00:00:00Z, the beginning of a slot. */
export const START_MS = 1_767_225_600_000;

/** A chain in memory with a stopped wall clock, so that only mining moves time. */
export function aChain(dataDir?: string): LocalChain {
  return openChain({ dataDir, now: () => START_MS });
}

export function mineBlocks(chain: LocalChain, blocks: number): void {
  for (let mined = 0; mined < blocks; mined += 1) mineBlock(chain);
}

export function trxTransfer(from: KeyPair, toAddress: string, amount: bigint): ShapedContract {
  return { kind: "transfer", ownerAddress: from.address, toAddress, amount };
}

export function usdtCall(from: KeyPair, signature: string, ...words: string[]): ShapedContract {
  return {
    kind: "trigger",
    ownerAddress: from.address,
    contractAddress: GENESIS.usdtContract,
    callValue: 0n,
    data: selectorOf(signature) + words.join(""),
    callTokenValue: 0n,
    tokenId: 0n,
  };
}

export function usdtTransfer(from: KeyPair, toAddress: string, units: bigint): ShapedContract {
  return usdtCall(from, "transfer(address,uint256)", addressWord(toAddress), uintWord(units));
}

/** Builds and signs; calls get a sufficient fee limit. */
export function signed(
  chain: LocalChain,
  from: KeyPair,
  contract: ShapedContract,
  options: BuildOptions = {},
): TronTransaction {
  const feeLimit = contract.kind === "trigger" ? 100_000_000n : 0n;
  const transaction = buildTransaction(chain, contract, { feeLimit, ...options });
  return { ...transaction, signatures: [signHash(transaction.txId, from.privateKey)] };
}

/** Builds, signs and submits; returns the txID. */
export function send(
  chain: LocalChain,
  from: KeyPair,
  contract: ShapedContract,
  options: BuildOptions = {},
): string {
  const transaction = signed(chain, from, contract, options);
  submitTransaction(chain, transaction);
  return transaction.txId;
}

export function executionOutcomeOf(chain: LocalChain, txId: string): TransactionOutcome {
  const found = findTransaction(chain.store, txId);
  if (found === undefined) throw new Error(`${txId} is not mined`);
  return found.outcome;
}

/** Sends a contract and mines it; returns its outcome. */
export function carriedOut(
  chain: LocalChain,
  from: KeyPair,
  contract: ShapedContract,
  options: BuildOptions = {},
): TransactionOutcome {
  const txId = send(chain, from, contract, options);
  mineBlock(chain);
  return executionOutcomeOf(chain, txId);
}

/** The account as /wallet shows it. */
export function accountOf(chain: LocalChain, { address }: Pick<KeyPair, "address">): Account {
  return getAccount(readState(chain, "head"), address);
}

/** A chain with these accounts activated and funded. */
export function aFundedChain(sun: bigint, ...accounts: readonly KeyPair[]): LocalChain {
  const chain = aChain();
  for (const { address } of accounts) send(chain, GENESIS.payer, trxTransfer(GENESIS.payer, address, sun));
  mineBlock(chain);
  return chain;
}

export function freezing(
  from: KeyPair,
  frozenBalance: bigint,
  resource: ResourceCode = "ENERGY",
): ShapedContract {
  return { kind: "freeze", ownerAddress: from.address, frozenBalance, resource };
}

/** A delegation, of energy and without a lock by default. */
export function delegation(
  from: KeyPair,
  to: Pick<KeyPair, "address">,
  balance: bigint,
  change: Partial<ContractOf<"delegate">> = {},
): ShapedContract {
  const plain = { resource: "ENERGY", lock: false, lockPeriod: 0n } as const;
  return {
    kind: "delegate",
    ownerAddress: from.address,
    receiverAddress: to.address,
    balance,
    ...plain,
    ...change,
  };
}

export function undelegation(
  from: KeyPair,
  to: Pick<KeyPair, "address">,
  balance: bigint,
  resource: ResourceCode = "ENERGY",
): ShapedContract {
  return {
    kind: "undelegate",
    ownerAddress: from.address,
    receiverAddress: to.address,
    balance,
    resource,
  };
}
