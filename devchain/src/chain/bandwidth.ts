import { addressToBase58 } from "@daric/tron/address";
import { encodeTransaction, type TronTransaction } from "@daric/tron/transaction";
import { BroadcastRefusal, contractRefusal } from "./broadcast-refusal.ts";
import {
  BANDWIDTH_PRICE,
  FREE_BANDWIDTH,
  NEW_ACCOUNT_BANDWIDTH_FEE,
  RESOURCE_WINDOW_MS,
  RESULT_BYTES,
} from "./chain-parameters.ts";
import { type Account, addBalance, type StateWriter } from "./state.ts";

export type BandwidthBill = {
  /** bytes taken from the daily free quota */
  readonly netUsage: number;
  /** sun burned instead */
  readonly netFee: bigint;
};

/** Bytes a transaction is charged for: its size without a result, plus room for one. */
export function bandwidthOf(transaction: TronTransaction): number {
  return encodeTransaction(transaction).length + RESULT_BYTES;
}

/** Free bandwidth in use at a time, bytes: what was used recovers evenly over a day. */
export function freeBandwidthUsed(account: Account, timeMs: number): number {
  const elapsedMs = Math.max(0, timeMs - account.freeNetTime);
  if (elapsedMs >= RESOURCE_WINDOW_MS) return 0;
  return Math.round((account.freeNetUsed * (RESOURCE_WINDOW_MS - elapsedMs)) / RESOURCE_WINDOW_MS);
}

/**
 * Charges the sender for the bytes of a transaction: a transfer that activates its receiver always pays 0.1 TRX,
 * others take the free quota if it covers them whole and burn TRX if not. Source: java-tron BandwidthProcessor
 * (nobody stakes on this chain).
 *
 * @throws BroadcastRefusal when the sender does not exist or cannot pay.
 */
export function chargeBandwidth(
  state: StateWriter,
  transaction: TronTransaction,
  { ownerAddress, timeMs, activates }: { ownerAddress: string; timeMs: number; activates: boolean },
): BandwidthBill {
  const owner = state.account(ownerAddress);
  if (owner === undefined) throw contractRefusal(`account [${addressToBase58(ownerAddress)}] does not exist`);
  const bytes = bandwidthOf(transaction);
  const used = freeBandwidthUsed(owner, timeMs);
  if (!activates && bytes <= FREE_BANDWIDTH - used) {
    const freeNet = { freeNetUsed: used + bytes, freeNetTime: timeMs };
    state.putAccount(ownerAddress, { ...owner, ...freeNet, latestOperationTime: timeMs });
    return { netUsage: bytes, netFee: 0n };
  }
  const netFee = activates ? NEW_ACCOUNT_BANDWIDTH_FEE : BANDWIDTH_PRICE * BigInt(bytes);
  if (owner.balance < netFee)
    throw new BroadcastRefusal("BANDWITH_ERROR", `needs ${netFee} sun for bandwidth`);
  state.putAccount(ownerAddress, { ...owner, latestOperationTime: timeMs });
  addBalance(state, ownerAddress, -netFee);
  return { netUsage: 0, netFee };
}
