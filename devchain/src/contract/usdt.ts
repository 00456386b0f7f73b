import {
  addressAt,
  addressWord,
  encodeString,
  selectorOf,
  TRANSFER_TOPIC,
  topicOf,
  uintAt,
  uintWord,
} from "@daric/tron/abi";
import type {
  ContractCall,
  ContractLog,
  ContractOutcome,
  ContractRuntime,
  ContractStorage,
} from "./contract-runtime.ts";
import { USDT_ABI } from "./usdt-abi.ts";

type EnergyCost = {
  readonly energy: number;
  readonly energyPenalty: number;
};

type TokenFunction = (call: ContractCall, storage: ContractStorage) => ContractOutcome;

/** Energy of a transfer as mainnet USDT charged it in 2025 (total, and the dynamic-energy part of it). */
const TRANSFER_TO_HOLDER: EnergyCost = { energy: 64_285, energyPenalty: 49_635 };
const TRANSFER_TO_NEW_HOLDER: EnergyCost = { energy: 130_285, energyPenalty: 100_635 };
/** Estimates: no recording of these calls was at hand. */
const ALLOWANCE_UPDATE: EnergyCost = { energy: 13_000, energyPenalty: 10_000 };
const APPROVE: EnergyCost = { energy: 99_764, energyPenalty: 77_000 };
const READ: EnergyCost = { energy: 2_000, energyPenalty: 1_500 };
const REVERTED: ContractOutcome = {
  status: "REVERT",
  returnData: "",
  logs: [],
  energy: 3_150,
  energyPenalty: 2_400,
};

const ZERO_ADDRESS = `41${"0".repeat(40)}`;
const UNLIMITED = 2n ** 256n - 1n;
const APPROVAL_TOPIC = topicOf("Approval(address,address,uint256)");
/** TetherToken's fee wrapper has no return statement: a successful transfer returns zeros on mainnet too. */
const TRANSFER_RETURN = uintWord(0n);
const TRUE = uintWord(1n);

const SUPPLY_KEY = "supply";
const balanceKey = (holder: string) => `balance:${holder}`;
const allowanceKey = (owner: string, spender: string) => `allowance:${owner}:${spender}`;

const READS = functionsBySelector({
  "name()": () => answer(encodeString("Tether USD")),
  "symbol()": () => answer(encodeString("USDT")),
  "decimals()": () => answer(uintWord(6n)),
  "totalSupply()": (_, storage) => answer(uintWord(storage.get(SUPPLY_KEY))),
  "balanceOf(address)": ({ data }, storage) => answer(uintWord(storage.get(balanceKey(addressAt(data, 0))))),
  "allowance(address,address)": ({ data }, storage) =>
    answer(uintWord(storage.get(allowanceKey(addressAt(data, 0), addressAt(data, 1))))),
});

const WRITES = functionsBySelector({
  "transfer(address,uint256)": (call, storage) =>
    transfer(call, storage, { from: call.caller, to: addressAt(call.data, 0), units: uintAt(call.data, 1) }),
  "approve(address,uint256)": approve,
  "transferFrom(address,address,uint256)": transferFrom,
});

/**
 * The token: Tether USD, 6 decimals, the functions and events of TRC-20. There is no blacklist, no pause and no
 * fee. A call it cannot serve (unknown function, TRX sent along, too little balance, the zero address as receiver)
 * reverts without a reason, as TetherToken does: its compiler knew no reasons yet.
 */
export const usdt: ContractRuntime = {
  name: "TetherToken",
  abi: USDT_ABI,
  // The rules are native and there is no code to run: one INVALID opcode, so that "is there code?" says yes.
  bytecode: "fe",
  isConstant: (data) => READS.has(data.slice(0, 8)),
  call: (call, storage) => {
    const selector = call.data.slice(0, 8);
    const run = READS.get(selector) ?? WRITES.get(selector);
    if (run === undefined || call.callValue !== 0n) return REVERTED;
    return run(call, storage);
  },
};

/** Puts the whole supply (6 decimals) into one holder's hands; used once, when the genesis state is made. */
export function mintUsdt(storage: ContractStorage, holder: string, units: bigint): void {
  storage.set(SUPPLY_KEY, storage.get(SUPPLY_KEY) + units);
  storage.set(balanceKey(holder), storage.get(balanceKey(holder)) + units);
}

function transfer(
  call: ContractCall,
  storage: ContractStorage,
  { from, to, units }: { from: string; to: string; units: bigint },
): ContractOutcome {
  const balance = storage.get(balanceKey(from));
  if (to === ZERO_ADDRESS || balance < units) return REVERTED;
  const cost = storage.get(balanceKey(to)) === 0n && units > 0n ? TRANSFER_TO_NEW_HOLDER : TRANSFER_TO_HOLDER;
  storage.set(balanceKey(from), balance - units);
  storage.set(balanceKey(to), storage.get(balanceKey(to)) + units);
  return answer(TRANSFER_RETURN, cost, [event(call, TRANSFER_TOPIC, { from, to, units })]);
}

function transferFrom(call: ContractCall, storage: ContractStorage): ContractOutcome {
  const from = addressAt(call.data, 0);
  const units = uintAt(call.data, 2);
  const key = allowanceKey(from, call.caller);
  const allowed = storage.get(key);
  if (allowed < units) return REVERTED;
  const outcome = transfer(call, storage, { from, to: addressAt(call.data, 1), units });
  if (outcome.status !== "SUCCESS") return outcome;
  if (allowed !== UNLIMITED) storage.set(key, allowed - units);
  return {
    ...outcome,
    returnData: TRUE,
    energy: outcome.energy + ALLOWANCE_UPDATE.energy,
    energyPenalty: outcome.energyPenalty + ALLOWANCE_UPDATE.energyPenalty,
  };
}

function approve(call: ContractCall, storage: ContractStorage): ContractOutcome {
  const spender = addressAt(call.data, 0);
  const units = uintAt(call.data, 1);
  storage.set(allowanceKey(call.caller, spender), units);
  return answer(TRUE, APPROVE, [event(call, APPROVAL_TOPIC, { from: call.caller, to: spender, units })]);
}

function event(
  call: ContractCall,
  topic: string,
  { from, to, units }: { from: string; to: string; units: bigint },
): ContractLog {
  return {
    address: call.contractAddress.slice(2),
    topics: [topic, addressWord(from), addressWord(to)],
    data: uintWord(units),
  };
}

function answer(returnData: string, cost = READ, logs: readonly ContractLog[] = []): ContractOutcome {
  return { status: "SUCCESS", returnData, logs, ...cost };
}

function functionsBySelector(functions: Record<string, TokenFunction>): ReadonlyMap<string, TokenFunction> {
  return new Map(Object.entries(functions).map(([signature, run]) => [selectorOf(signature), run]));
}
