import { contractCodes } from "./codes.ts";
import type { ContractRow } from "./contract-row.ts";
import { contractOperations } from "./operations.ts";
import { contractRules } from "./rules.ts";

/** Every row of the contract except the fields of `fields.ts`, which are proven by the test of their resource. */
export const contractRows: readonly ContractRow[] = [
  ...Object.values(contractOperations),
  ...contractCodes,
  ...contractRules,
];
