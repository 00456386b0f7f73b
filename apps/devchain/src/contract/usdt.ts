import {
  addressAt,
  addressWord,
  encodeString,
  TRANSFER_TOPIC,
  topicOf,
  uintAt,
  uintWord,
} from "@daric/tron/abi";
import type { ContractCall, ContractOutcome, ContractRuntime, ContractStorage } from "./contract-runtime.ts";
import {
  answer,
  type EnergyCost,
  functionsBySelector,
  REVERTED,
  SLOTS,
  TRUE,
  tokenEvent,
  tokenFee,
  tokenOwner,
} from "./token-call.ts";
import { USDT_ABI } from "./usdt-abi.ts";
import { OWNER_CALLS } from "./usdt-owner.ts";

/** Energy of a transfer on mainnet in 2025: total, and its dynamic-energy part. */
const TRANSFER_TO_HOLDER: EnergyCost = { energy: 64_285, energyPenalty: 49_635 };
const TRANSFER_TO_NEW_HOLDER: EnergyCost = { energy: 130_285, energyPenalty: 100_635 };
/** Estimates, because no such calls were recorded. */
const FEE_TRANSFER: EnergyCost = { energy: 48_000, energyPenalty: 37_000 };
const ALLOWANCE_UPDATE: EnergyCost = { energy: 13_000, energyPenalty: 10_000 };
const APPROVE: EnergyCost = { energy: 99_764, energyPenalty: 77_000 };

const DECIMALS = 6;
const ZERO_ADDRESS = `41${"0".repeat(40)}`;
const UNLIMITED = 2n ** 256n - 1n;
const APPROVAL_TOPIC = topicOf("Approval(address,address,uint256)");
/** TetherToken's fee wrapper has no return statement, so a successful transfer returns zeros on mainnet too. */
const TRANSFER_RETURN = uintWord(0n);

const TRC20_READS = functionsBySelector({
  "decimals()": () => answer(uintWord(BigInt(DECIMALS))),
  "totalSupply()": (_, storage) => answer(uintWord(storage.get(SLOTS.supply))),
  "balanceOf(address)": ({ data }, storage) =>
    answer(uintWord(storage.get(SLOTS.balance(addressAt(data, 0))))),
  "allowance(address,address)": ({ data }, storage) =>
    answer(uintWord(storage.get(SLOTS.allowance(addressAt(data, 0), addressAt(data, 1))))),
});

const TETHER_READS = functionsBySelector({
  "owner()": (_, storage) => answer(addressWord(tokenOwner(storage))),
  "paused()": (_, storage) => answer(uintWord(storage.get(SLOTS.paused))),
  "deprecated()": () => answer(uintWord(0n)),
  "isBlackListed(address)": blackListStatus,
  "getBlackListStatus(address)": blackListStatus,
  "basisPointsRate()": (_, storage) => answer(uintWord(storage.get(SLOTS.basisPointsRate))),
  "maximumFee()": (_, storage) => answer(uintWord(storage.get(SLOTS.maximumFee))),
  "calcFee(uint256)": ({ data }, storage) => answer(uintWord(tokenFee(storage, uintAt(data, 0)))),
});

const WRITES = functionsBySelector({
  "transfer(address,uint256)": transfer,
  "approve(address,uint256)": approve,
  "transferFrom(address,address,uint256)": transferFrom,
});

/**
 * A token of 6 decimals with the functions and events of TetherToken on TRON: TRC-20, black list, pause, and a fee for
 * the owner. An invalid call reverts without a reason.
 */
function tetherToken(name: string, symbol: string): ContractRuntime {
  const names = functionsBySelector({
    "name()": () => answer(encodeString(name)),
    "symbol()": () => answer(encodeString(symbol)),
  });
  const plainReads = new Map([...names, ...TRC20_READS]);
  const reads = new Map([...plainReads, ...TETHER_READS]);
  const plainCalls = new Map([...plainReads, ...WRITES]);
  return {
    name: "TetherToken",
    token: { name, symbol, decimals: DECIMALS },
    abi: USDT_ABI,
    // The rules are native, so there is no code; one INVALID opcode lets code checks succeed.
    bytecode: "fe",
    isConstant: (data) => reads.has(data.slice(0, 8)),
    call: (call, storage) => {
      const selector = call.data.slice(0, 8);
      const isPlain = storage.get(SLOTS.trc20Only) !== 0n;
      const run = isPlain
        ? plainCalls.get(selector)
        : (reads.get(selector) ?? WRITES.get(selector) ?? OWNER_CALLS.get(selector));
      if (run === undefined || call.callValue !== 0n) return REVERTED;
      return run(call, storage);
    },
  };
}

export const usdt = tetherToken("Tether USD", "USDT");
/** A second coin, which exists on this chain alone. */
export const usdx = tetherToken("Second USD", "USDX");

/** Creates units for one holder in the genesis state. */
export function mintToken(storage: ContractStorage, holder: string, units: bigint): void {
  storage.set(SLOTS.supply, storage.get(SLOTS.supply) + units);
  addUnits(storage, holder, units);
}

function transfer(call: ContractCall, storage: ContractStorage): ContractOutcome {
  const [to, units] = [addressAt(call.data, 0), uintAt(call.data, 1)];
  return move(call, storage, { from: call.caller, to, units });
}

function transferFrom(call: ContractCall, storage: ContractStorage): ContractOutcome {
  const from = addressAt(call.data, 0);
  const units = uintAt(call.data, 2);
  const allowance = SLOTS.allowance(from, call.caller);
  const allowed = storage.get(allowance);
  if (allowed < units) return REVERTED;
  const outcome = move(call, storage, { from, to: addressAt(call.data, 1), units });
  if (outcome.status !== "SUCCESS") return outcome;
  if (allowed !== UNLIMITED) storage.set(allowance, allowed - units);
  return { ...outcome, ...sum(outcome, ALLOWANCE_UPDATE), returnData: TRUE };
}

function approve(call: ContractCall, storage: ContractStorage): ContractOutcome {
  if (isPaused(storage)) return REVERTED;
  const spender = addressAt(call.data, 0);
  const units = uintAt(call.data, 1);
  storage.set(SLOTS.allowance(call.caller, spender), units);
  const log = tokenEvent(call, APPROVAL_TOPIC, { addresses: [call.caller, spender], numbers: [units] });
  return answer(TRUE, APPROVE, [log]);
}

/** Moves units less the fee, which the owner gets by its own Transfer. A black-listed receiver is paid too. */
function move(
  call: ContractCall,
  storage: ContractStorage,
  { from, to, units }: { readonly from: string; readonly to: string; readonly units: bigint },
): ContractOutcome {
  const isRefused = isPaused(storage) || storage.get(SLOTS.blackListed(from)) !== 0n || to === ZERO_ADDRESS;
  if (isRefused || storage.get(SLOTS.balance(from)) < units) return REVERTED;
  const fee = tokenFee(storage, units);
  const arriving = units - fee;
  const cost = transferCost(storage, { to, arriving });
  addUnits(storage, from, -units);
  addUnits(storage, to, arriving);
  const arrival = tokenEvent(call, TRANSFER_TOPIC, { addresses: [from, to], numbers: [arriving] });
  if (fee === 0n) return answer(TRANSFER_RETURN, cost, [arrival]);
  const owner = tokenOwner(storage);
  addUnits(storage, owner, fee);
  const feeLog = tokenEvent(call, TRANSFER_TOPIC, { addresses: [from, owner], numbers: [fee] });
  return answer(TRANSFER_RETURN, sum(cost, FEE_TRANSFER), [arrival, feeLog]);
}

/** More for an address without tokens: it needs a new storage slot. */
function transferCost(
  storage: ContractStorage,
  { to, arriving }: { readonly to: string; readonly arriving: bigint },
): EnergyCost {
  const isFirst = storage.get(SLOTS.balance(to)) === 0n && arriving > 0n;
  const recorded = isFirst ? TRANSFER_TO_NEW_HOLDER : TRANSFER_TO_HOLDER;
  const set = Number(storage.get(isFirst ? SLOTS.firstTransferEnergy : SLOTS.transferEnergy));
  if (set === 0) return recorded;
  return { energy: set, energyPenalty: Math.round((set * recorded.energyPenalty) / recorded.energy) };
}

function blackListStatus({ data }: ContractCall, storage: ContractStorage): ContractOutcome {
  return answer(uintWord(storage.get(SLOTS.blackListed(addressAt(data, 0)))));
}

function isPaused(storage: ContractStorage): boolean {
  return storage.get(SLOTS.paused) !== 0n;
}

function addUnits(storage: ContractStorage, holder: string, units: bigint): void {
  const slot = SLOTS.balance(holder);
  storage.set(slot, storage.get(slot) + units);
}

function sum(left: EnergyCost, right: EnergyCost): EnergyCost {
  return {
    energy: left.energy + right.energy,
    energyPenalty: left.energyPenalty + right.energyPenalty,
  };
}
