/** Storage of one contract; an absent key reads as 0. */
export type ContractStorage = {
  get(key: string): bigint;
  set(key: string, value: bigint): void;
};

export type ContractCall = {
  /** 21-byte hex address of the caller */
  readonly caller: string;
  readonly contractAddress: string;
  /** selector and arguments, hex */
  readonly data: string;
  /** sun sent along */
  readonly callValue: bigint;
};

/** An event: 20-byte address (no 41), topics and data as hex. */
export type ContractLog = {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
};

/** The outcome of a call. A revert has neither logs nor storage writes. */
export type ContractOutcome = {
  readonly status: "SUCCESS" | "REVERT";
  readonly returnData: string;
  readonly logs: readonly ContractLog[];
  /** energy of the call, penalty included */
  readonly energy: number;
  /** the part of `energy` that the dynamic energy model adds */
  readonly energyPenalty: number;
};

export type AbiEntry = {
  readonly type: "Function" | "Event";
  readonly name: string;
  readonly stateMutability?: "View" | "Nonpayable";
  readonly constant?: true;
  readonly inputs?: readonly AbiParameter[];
  readonly outputs?: readonly AbiParameter[];
};

export type AbiParameter = {
  readonly name?: string;
  readonly type: string;
  readonly indexed?: true;
};

/**
 * The boundary between the chain, which owns balances, energy limits and receipts, and the code of a contract. A
 * virtual machine would be another implementation.
 */
export type ContractRuntime = {
  readonly name: string;
  readonly token: { readonly name: string; readonly symbol: string; readonly decimals: number };
  readonly abi: readonly AbiEntry[];
  /** deployed code as hex, for getcontract */
  readonly bytecode: string;
  /** Runs a call. Writes storage only on success; never throws on hostile input. */
  call(call: ContractCall, storage: ContractStorage): ContractOutcome;
  isConstant(data: string): boolean;
};
