/** protocol.Transaction.Result.contractResult, in wire order: the number is the index. */
const CONTRACT_RESULTS = [
  "DEFAULT",
  "SUCCESS",
  "REVERT",
  "BAD_JUMP_DESTINATION",
  "OUT_OF_MEMORY",
  "PRECOMPILED_CONTRACT",
  "STACK_TOO_SMALL",
  "STACK_TOO_LARGE",
  "ILLEGAL_OPERATION",
  "STACK_OVERFLOW",
  "OUT_OF_ENERGY",
  "OUT_OF_TIME",
  "JVM_STACK_OVER_FLOW",
  "UNKNOWN",
  "TRANSFER_FAILED",
  "INVALID_CODE",
] as const;

export type ContractResult = (typeof CONTRACT_RESULTS)[number];

export function contractResultNumber(result: ContractResult): number {
  return CONTRACT_RESULTS.indexOf(result);
}

/** The number of a result name; undefined for an unknown name. */
export function findContractResult(name: string): number | undefined {
  const number = CONTRACT_RESULTS.indexOf(name as ContractResult);
  return number === -1 ? undefined : number;
}

/** The name of a wire number; UNKNOWN for an unknown number. */
export function contractResultName(number: number): ContractResult {
  return CONTRACT_RESULTS[number] ?? "UNKNOWN";
}
