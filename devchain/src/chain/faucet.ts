import { addressWord, selectorOf, uintWord } from "@daric/tron/abi";
import { signHash } from "@daric/tron/signature";
import type { TriggerSmartContract } from "@daric/tron/transaction";
import { contractRefusal } from "./broadcast-refusal.ts";
import { buildTransaction } from "./build-transaction.ts";
import { type LocalChain, readState, submitTransaction } from "./chain.ts";
import { GENESIS } from "./genesis-accounts.ts";
import { runContract } from "./run-contract.ts";
import type { RunnableContract } from "./validate-transaction.ts";

/** What one call gives, both in millionths: sun and USDT minor units. */
export type FaucetGift = {
  readonly sun: bigint;
  readonly usdtUnits: bigint;
};

const FEE_LIMIT_SUN = 100_000_000n;
const TRANSFER_SELECTOR = selectorOf("transfer(address,uint256)");

/**
 * Sends TRX and USDT from the treasury: ordinary signed transactions, in the next block like anybody's. Returns
 * their ids, TRX first.
 *
 * @throws BroadcastRefusal, with nothing sent, when one cannot run or would revert.
 */
export function giveFromTreasury(
  chain: LocalChain,
  toAddress: string,
  { sun, usdtUnits }: FaucetGift,
): string[] {
  const { address: ownerAddress } = GENESIS.treasury;
  const gifts: RunnableContract[] = [];
  if (sun > 0n) gifts.push({ kind: "transfer", ownerAddress, toAddress, amount: sun });
  if (usdtUnits > 0n) gifts.push(usdtGift(chain, toAddress, usdtUnits));
  return gifts.map((gift) => send(chain, gift));
}

function usdtGift(chain: LocalChain, toAddress: string, units: bigint): TriggerSmartContract {
  const call: TriggerSmartContract = {
    kind: "trigger",
    ownerAddress: GENESIS.treasury.address,
    contractAddress: GENESIS.usdtContract,
    callValue: 0n,
    data: TRANSFER_SELECTOR + addressWord(toAddress) + uintWord(units),
    callTokenValue: 0n,
    tokenId: 0n,
  };
  if (runContract(readState(chain, "head"), call)?.outcome.status === "SUCCESS") return call;
  throw contractRefusal("the treasury cannot give that much USDT to that address");
}

function send(chain: LocalChain, value: RunnableContract): string {
  const feeLimit = value.kind === "trigger" ? FEE_LIMIT_SUN : 0n;
  const transaction = buildTransaction(chain, value, { feeLimit });
  const signature = signHash(transaction.txId, GENESIS.treasury.privateKey);
  submitTransaction(chain, { ...transaction, signatures: [signature] });
  return transaction.txId;
}
