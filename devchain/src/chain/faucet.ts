import { signHash } from "../codec/keys.ts";
import { addressWord, selectorOf, uintWord } from "../contract/abi-codec.ts";
import { buildTransaction } from "./build-transaction.ts";
import { type Chain, submitTransaction } from "./chain.ts";
import { GENESIS } from "./genesis-accounts.ts";
import type { RunnableContract } from "./validate-transaction.ts";

/** What one call gives, both in millionths: sun and USDT minor units. */
export interface FaucetGift {
  readonly sun: bigint;
  readonly usdtUnits: bigint;
}

const FEE_LIMIT_SUN = 100_000_000n;
const TRANSFER_SELECTOR = selectorOf("transfer(address,uint256)");

/**
 * Sends TRX and USDT from the treasury: ordinary signed transactions, in the next block like anybody's. Returns
 * their ids, TRX first. Throws a BroadcastRefusal when one cannot run.
 */
export function giveFromTreasury(chain: Chain, toAddress: string, { sun, usdtUnits }: FaucetGift): string[] {
  const { address: ownerAddress } = GENESIS.treasury;
  const txIds: string[] = [];
  if (sun > 0n) txIds.push(send(chain, { kind: "transfer", ownerAddress, toAddress, amount: sun }));
  if (usdtUnits > 0n) {
    txIds.push(
      send(chain, {
        kind: "trigger",
        ownerAddress,
        contractAddress: GENESIS.usdtContract,
        callValue: 0n,
        data: TRANSFER_SELECTOR + addressWord(toAddress) + uintWord(usdtUnits),
        callTokenValue: 0n,
        tokenId: 0n,
      }),
    );
  }
  return txIds;
}

function send(chain: Chain, value: RunnableContract): string {
  const feeLimit = value.kind === "trigger" ? FEE_LIMIT_SUN : 0n;
  const transaction = buildTransaction(chain, value, { feeLimit });
  const signature = signHash(transaction.txId, GENESIS.treasury.privateKey);
  submitTransaction(chain, { ...transaction, signatures: [signature] });
  return transaction.txId;
}
