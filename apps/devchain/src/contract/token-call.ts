import { addressWord, selectorOf, uintWord } from "@daric/tron/abi";
import type { ContractCall, ContractLog, ContractOutcome, ContractStorage } from "./contract-runtime.ts";

export type TokenFunction = (call: ContractCall, storage: ContractStorage) => ContractOutcome;

export type EnergyCost = {
  readonly energy: number;
  readonly energyPenalty: number;
};

/** Storage keys of the token. */
export const SLOTS = {
  owner: "owner",
  supply: "supply",
  paused: "paused",
  /** hundredths of a percent of a transfer that go to the owner */
  basisPointsRate: "basisPointsRate",
  /** the largest fee, in units */
  maximumFee: "maximumFee",
  balance: (holder: string) => `balance:${holder}`,
  allowance: (owner: string, spender: string) => `allowance:${owner}:${spender}`,
  blackListed: (address: string) => `blackListed:${address}`,
  /** energy of a transfer to a holder, and to an address without tokens; 0 for the recorded figure */
  transferEnergy: "energy:transfer",
  firstTransferEnergy: "energy:firstTransfer",
  /** not 0: the token has the functions of TRC-20 only */
  trc20Only: "trc20Only",
} as const;

/** An estimate, because no read was recorded. */
const READ: EnergyCost = { energy: 2_000, energyPenalty: 1_500 };

/** An estimate. The token's compiler had no revert reasons. */
export const REVERTED: ContractOutcome = {
  status: "REVERT",
  returnData: "",
  logs: [],
  energy: 3_150,
  energyPenalty: 2_400,
};

export const TRUE = uintWord(1n);

export function answer(returnData: string, cost = READ, logs: readonly ContractLog[] = []): ContractOutcome {
  return { status: "SUCCESS", returnData, logs, ...cost };
}

/** An event of the token: addresses are indexed, numbers are data. */
export function tokenEvent(
  { contractAddress }: ContractCall,
  topic: string,
  {
    addresses = [],
    numbers = [],
  }: { readonly addresses?: readonly string[]; readonly numbers?: readonly bigint[] },
): ContractLog {
  return {
    address: contractAddress.slice(2),
    topics: [topic, ...addresses.map(addressWord)],
    data: numbers.map(uintWord).join(""),
  };
}

/** The owner of the token, as 21-byte hex. */
export function tokenOwner(storage: ContractStorage): string {
  return `41${uintWord(storage.get(SLOTS.owner)).slice(24)}`;
}

/** The token's fee on an amount, in units, rounded down. */
export function tokenFee(storage: ContractStorage, units: bigint): bigint {
  const fee = (units * storage.get(SLOTS.basisPointsRate)) / 10_000n;
  const most = storage.get(SLOTS.maximumFee);
  return fee < most ? fee : most;
}

export function functionsBySelector(
  functions: Record<string, TokenFunction>,
): ReadonlyMap<string, TokenFunction> {
  return new Map(Object.entries(functions).map(([signature, run]) => [selectorOf(signature), run]));
}
