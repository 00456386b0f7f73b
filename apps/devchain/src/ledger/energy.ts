import { chainParameter } from "./chain-parameters.ts";
import { resourceLeft } from "./resource-limits.ts";
import { useResource } from "./resource-usage.ts";
import { addBalance, getAccount, type StateReader, type StateWriter } from "./state.ts";

export type EnergyBudget = {
  readonly limit: number;
  /** energy left of the caller's own and delegated stake */
  readonly staked: number;
};

export type EnergyBill = {
  readonly total: number;
  /** the part of `total` that the dynamic energy model adds */
  readonly penalty: number;
  /** the part of `total` that stake paid */
  readonly usage: number;
  /** sun burned for the remainder */
  readonly fee: bigint;
};

export const NO_ENERGY: EnergyBill = { total: 0, penalty: 0, usage: 0, fee: 0n };

/**
 * The energy a call may use: the stake's and what the balance buys, up to the fee limit, stake included. Source:
 * java-tron VMActuator.getAccountEnergyLimitWithFixRatio.
 */
export function energyBudget(
  state: StateReader,
  ownerAddress: string,
  call: { readonly feeLimit: bigint; readonly callValue: bigint; readonly nowMs: number },
): EnergyBudget {
  const account = getAccount(state, ownerAddress);
  const price = chainParameter(state, "getEnergyFee");
  const staked = resourceLeft(state, account, { resource: "ENERGY", nowMs: call.nowMs });
  const spendable = account.balance > call.callValue ? account.balance - call.callValue : 0n;
  const available = staked + Number(spendable / price);
  return { limit: Math.min(available, Number(call.feeLimit / price)), staked };
}

/**
 * Pays a call's energy from the caller's stake first and burns TRX for the remainder. Source: java-tron
 * ReceiptCapsule.
 */
export function payEnergy(
  state: StateWriter,
  ownerAddress: string,
  used: { readonly total: number; readonly penalty: number; readonly staked: number; readonly nowMs: number },
): EnergyBill {
  const usage = Math.min(used.total, used.staked);
  const fee = BigInt(used.total - usage) * chainParameter(state, "getEnergyFee");
  if (used.total > 0) {
    const account = getAccount(state, ownerAddress);
    const energy = useResource(account.usage.ENERGY, usage, used.nowMs);
    const latestOperationTime = used.nowMs;
    state.putAccount(ownerAddress, {
      ...account,
      latestOperationTime,
      usage: { ...account.usage, ENERGY: energy },
    });
    addBalance(state, ownerAddress, -fee);
  }
  return { total: used.total, penalty: used.penalty, usage, fee };
}
