import { contractCodes } from "./codes.ts";
import type { ContractRow } from "./contract-row.ts";
import { contractOperations } from "./operations.ts";
import { contractRules } from "./rules.ts";

/** Every row of the contract that is not a field: those are in `fields.ts`, each proven by the test of its resource. */
export const contractRows: readonly ContractRow[] = [
  ...Object.values(contractOperations),
  ...contractCodes,
  ...contractRules,
];
