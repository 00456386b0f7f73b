/** Storage of one contract; what was never written reads as 0. */
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

/** What a call would do. A revert carries neither logs nor storage writes. */
export type ContractOutcome = {
  readonly status: "SUCCESS" | "REVERT";
  readonly returnData: string;
  readonly logs: readonly ContractLog[];
  /** energy the call needs, penalty included */
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
 * The one seam between the chain and what runs inside a contract. The chain owns balances, energy limits and
 * receipts; a runtime owns the rules. A virtual machine would be another implementation of this interface.
 */
export type ContractRuntime = {
  readonly name: string;
  readonly abi: readonly AbiEntry[];
  /** deployed code as hex, what getcontract answers */
  readonly bytecode: string;
  /** Runs a call. Writes storage only on success; never throws on hostile input. */
  call(call: ContractCall, storage: ContractStorage): ContractOutcome;
  /** Whether the data calls a function that reads only. */
  isConstant(data: string): boolean;
};
