import type { ContractRuntime, ContractStorage } from "../contract/contract-runtime.ts";
import { usdt, usdx } from "../contract/usdt.ts";
import { GENESIS } from "./genesis-accounts.ts";
import type { StateWriter } from "./state.ts";

const RUNTIMES: ReadonlyMap<string, ContractRuntime> = new Map([
  [GENESIS.usdtContract, usdt],
  [GENESIS.usdxContract, usdx],
]);

export function contractAt(address: string): ContractRuntime | undefined {
  return RUNTIMES.get(address);
}

export function storageOf(state: StateWriter, contract: string): ContractStorage {
  return {
    get: (key) => state.slot(`${contract}/${key}`),
    set: (key, value) => state.putSlot(`${contract}/${key}`, value),
  };
}
