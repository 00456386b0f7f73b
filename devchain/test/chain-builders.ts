import { addressWord, selectorOf, uintWord } from "@daric/tron/abi";
import { type KeyPair, signHash } from "@daric/tron/signature";
import type { TronTransaction } from "@daric/tron/transaction";
import { type BuildOptions, buildTransaction } from "../src/chain/build-transaction.ts";
import { type LocalChain, mineBlock, openChain, submitTransaction } from "../src/chain/chain.ts";
import { GENESIS } from "../src/chain/genesis-accounts.ts";
import type { RunnableContract } from "../src/chain/validate-transaction.ts";

/** 2026-01-01T00:00:00Z, the beginning of a slot. */
export const START_MS = 1_767_225_600_000;

/** A chain in memory whose wall clock stands still, so that only mining moves time. */
export function aChain(dataDir?: string): LocalChain {
  return openChain({ dataDir, now: () => START_MS });
}

export function mineBlocks(chain: LocalChain, blocks: number): void {
  for (let mined = 0; mined < blocks; mined += 1) mineBlock(chain);
}

export function trxTransfer(from: KeyPair, toAddress: string, amount: bigint): RunnableContract {
  return { kind: "transfer", ownerAddress: from.address, toAddress, amount };
}

export function usdtCall(from: KeyPair, signature: string, ...words: string[]): RunnableContract {
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

export function usdtTransfer(from: KeyPair, toAddress: string, units: bigint): RunnableContract {
  return usdtCall(from, "transfer(address,uint256)", addressWord(toAddress), uintWord(units));
}

/** Builds and signs; calls get a fee limit that is always enough. */
export function signed(
  chain: LocalChain,
  from: KeyPair,
  contract: RunnableContract,
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
  contract: RunnableContract,
  options: BuildOptions = {},
): string {
  const transaction = signed(chain, from, contract, options);
  submitTransaction(chain, transaction);
  return transaction.txId;
}
