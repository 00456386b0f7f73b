import { addressToBase58 } from "@daric/tron/address";
import { encodeTransaction, type TronTransaction } from "@daric/tron/transaction";
import type { Account } from "./account.ts";
import { BroadcastRefusal, contractRefusal } from "./broadcast-refusal.ts";
import { chainParameter } from "./chain-parameters.ts";
import { RESULT_BYTES } from "./limits.ts";
import { resourceLeft } from "./resource-limits.ts";
import { usedAt, useFreely, useResource } from "./resource-usage.ts";
import { addBalance, type StateReader, type StateWriter } from "./state.ts";

export type BandwidthBill = {
  /** bytes from the stake or the daily free quota */
  readonly netUsage: number;
  /** sun burned instead */
  readonly netFee: bigint;
};

/** The charged bytes of a transaction: its size without a result, plus room for one. */
export function bandwidthOf(transaction: TronTransaction): number {
  return encodeTransaction(transaction).length + RESULT_BYTES;
}

/**
 * Charges the sender for a transaction's bytes: its staked bandwidth if that suffices, else the free quota if that
 * does, else TRX. A transfer that activates its receiver may not use the free quota and burns its own fee. Source:
 * java-tron BandwidthProcessor.
 * @throws BroadcastRefusal when the sender does not exist or cannot pay.
 */
export function chargeBandwidth(
  state: StateWriter,
  transaction: TronTransaction,
  charge: { readonly ownerAddress: string; readonly nowMs: number; readonly activates: boolean },
): BandwidthBill {
  const { ownerAddress, nowMs, activates } = charge;
  const owner = state.account(ownerAddress);
  if (owner === undefined) throw contractRefusal(`account [${addressToBase58(ownerAddress)}] does not exist`);
  const bytes = bandwidthOf(transaction);
  const price = activates ? Number(chainParameter(state, "getCreateNewAccountBandwidthRate")) : 1;
  const staked = bytes * price;
  if (staked <= resourceLeft(state, owner, { resource: "BANDWIDTH", nowMs })) {
    const usage = { ...owner.usage, BANDWIDTH: useResource(owner.usage.BANDWIDTH, staked, nowMs) };
    state.putAccount(ownerAddress, { ...owner, usage, latestOperationTime: nowMs });
    return { netUsage: staked, netFee: 0n };
  }
  if (!activates && bytes <= freeBandwidthLeft(state, owner, nowMs)) {
    const freeNet = useFreely(owner.freeNet, bytes, nowMs);
    state.putAccount(ownerAddress, { ...owner, freeNet, latestOperationTime: nowMs });
    return { netUsage: bytes, netFee: 0n };
  }
  const netFee = activates
    ? chainParameter(state, "getCreateAccountFee")
    : chainParameter(state, "getTransactionFee") * BigInt(bytes);
  if (owner.balance < netFee)
    throw new BroadcastRefusal("BANDWITH_ERROR", `needs ${netFee} sun for bandwidth`);
  state.putAccount(ownerAddress, { ...owner, latestOperationTime: nowMs });
  addBalance(state, ownerAddress, -netFee);
  return { netUsage: 0, netFee };
}

function freeBandwidthLeft(state: StateReader, account: Account, nowMs: number): number {
  return Number(chainParameter(state, "getFreeNetLimit")) - usedAt(account.freeNet, nowMs);
}
