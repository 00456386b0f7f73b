import { addressWord, selectorOf, uintWord } from "@daric/tron/abi";
import type { ContractOf, ShapedContract } from "@daric/tron/contract-shapes";
import { contractRefusal } from "../ledger/broadcast-refusal.ts";
import { chainParameter } from "../ledger/chain-parameters.ts";
import { GENESIS } from "../ledger/genesis-accounts.ts";
import { runContract } from "../ledger/run-contract.ts";
import { buildTransaction } from "./build-transaction.ts";
import { type LocalChain, readState, submitTransaction } from "./chain.ts";
import { signPublicly } from "./sign-publicly.ts";

/** Amounts of a faucet call in minor units. */
export type FaucetGift = {
  readonly sun: bigint;
  readonly usdtUnits: bigint;
};

/** A call of the token, its arguments as ABI words. */
export type TokenCall = { readonly signature: string; readonly words: readonly string[] };

/**
 * Sends TRX and USDT from the treasury by ordinary transactions; returns their ids, TRX first.
 * @throws BroadcastRefusal, with nothing sent, when one cannot run or would revert.
 */
export function giveFromTreasury(
  chain: LocalChain,
  toAddress: string,
  { sun, usdtUnits }: FaucetGift,
): string[] {
  const { address: ownerAddress } = GENESIS.treasury;
  const gifts: ShapedContract[] = [];
  if (sun > 0n) gifts.push({ kind: "transfer", ownerAddress, toAddress, amount: sun });
  if (usdtUnits > 0n) {
    const words = [addressWord(toAddress), uintWord(usdtUnits)];
    gifts.push(checkedCall(chain, { signature: "transfer(address,uint256)", words }));
  }
  return gifts.map((gift) => send(chain, gift));
}

/**
 * Calls the token as its owner, the treasury. @throws BroadcastRefusal, with nothing sent, when the call would
 * revert.
 */
export function callAsOwner(chain: LocalChain, call: TokenCall): string {
  return send(chain, checkedCall(chain, call));
}

function checkedCall(chain: LocalChain, { signature, words }: TokenCall): ContractOf<"trigger"> {
  const call: ContractOf<"trigger"> = {
    kind: "trigger",
    ownerAddress: GENESIS.treasury.address,
    contractAddress: GENESIS.usdtContract,
    callValue: 0n,
    data: selectorOf(signature) + words.join(""),
    callTokenValue: 0n,
    tokenId: 0n,
  };
  if (runContract(readState(chain, "head"), call)?.outcome.status === "SUCCESS") return call;
  throw contractRefusal(`${signature} of the treasury would revert`);
}

function send(chain: LocalChain, value: ShapedContract): string {
  const feeLimit = value.kind === "trigger" ? chainParameter(readState(chain, "head"), "getMaxFeeLimit") : 0n;
  const transaction = buildTransaction(chain, value, { feeLimit });
  const signature = signPublicly(transaction.txId, GENESIS.treasury.privateKey);
  submitTransaction(chain, { ...transaction, signatures: [signature] });
  return transaction.txId;
}
