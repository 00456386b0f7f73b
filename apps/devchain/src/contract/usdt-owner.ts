import { addressAt, addressWord, topicOf, uintAt } from "@daric/tron/abi";
import type { ContractCall, ContractLog, ContractStorage } from "./contract-runtime.ts";
import {
  answer,
  type EnergyCost,
  functionsBySelector,
  REVERTED,
  SLOTS,
  type TokenFunction,
  tokenEvent,
  tokenOwner,
} from "./token-call.ts";

/** An estimate for all calls of the owner. */
const OWNER_CALL: EnergyCost = { energy: 30_000, energyPenalty: 23_000 };
/** Exclusive bounds of the rate in basis points and of the maximum fee in whole tokens (TetherToken). */
const RATE_BOUND = 20n;
const MAXIMUM_FEE_BOUND = 50n;
const UNITS_PER_TOKEN = 1_000_000n;

const ADDED_BLACK_LIST = topicOf("AddedBlackList(address)");
const REMOVED_BLACK_LIST = topicOf("RemovedBlackList(address)");
const PAUSE = topicOf("Pause()");
const UNPAUSE = topicOf("Unpause()");
const PARAMS = topicOf("Params(uint256,uint256)");

export const OWNER_CALLS = functionsBySelector({
  "addBlackList(address)": byOwner((call, storage) => setBlackListed(call, storage, true)),
  "removeBlackList(address)": byOwner((call, storage) => setBlackListed(call, storage, false)),
  "pause()": byOwner((call, storage) => setPaused(call, storage, true)),
  "unpause()": byOwner((call, storage) => setPaused(call, storage, false)),
  "setParams(uint256,uint256)": byOwner(setParams),
});

/** Sets the owner of the token in the genesis state. */
export function giveOwnership(storage: ContractStorage, owner: string): void {
  storage.set(SLOTS.owner, BigInt(`0x${addressWord(owner)}`));
}

/** Runs a call of the owner; undefined reverts it. */
function byOwner(
  run: (call: ContractCall, storage: ContractStorage) => ContractLog | undefined,
): TokenFunction {
  return (call, storage) => {
    const log = call.caller === tokenOwner(storage) ? run(call, storage) : undefined;
    return log === undefined ? REVERTED : answer("", OWNER_CALL, [log]);
  };
}

function setBlackListed(call: ContractCall, storage: ContractStorage, isListed: boolean): ContractLog {
  const address = addressAt(call.data, 0);
  storage.set(SLOTS.blackListed(address), isListed ? 1n : 0n);
  return tokenEvent(call, isListed ? ADDED_BLACK_LIST : REMOVED_BLACK_LIST, { addresses: [address] });
}

function setPaused(call: ContractCall, storage: ContractStorage, isPaused: boolean): ContractLog | undefined {
  if ((storage.get(SLOTS.paused) !== 0n) === isPaused) return undefined;
  storage.set(SLOTS.paused, isPaused ? 1n : 0n);
  return tokenEvent(call, isPaused ? PAUSE : UNPAUSE, {});
}

/** The rate is in basis points; the maximum arrives in whole tokens and is stored in units. */
function setParams(call: ContractCall, storage: ContractStorage): ContractLog | undefined {
  const [rate, maximum] = [uintAt(call.data, 0), uintAt(call.data, 1)];
  if (rate >= RATE_BOUND || maximum >= MAXIMUM_FEE_BOUND) return undefined;
  const maximumFee = maximum * UNITS_PER_TOKEN;
  storage.set(SLOTS.basisPointsRate, rate);
  storage.set(SLOTS.maximumFee, maximumFee);
  return tokenEvent(call, PARAMS, { numbers: [rate, maximumFee] });
}
