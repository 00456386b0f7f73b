import type { Database } from "@daric/postgres/sql";
import { createChargeWriter } from "./charge-writer.ts";
import type { ChargeMemory } from "./context.ts";
import { createRememberedTerms } from "./remembered-terms.ts";

/** What the creates of a process share; made once. */
export function createChargeMemory(db: Database): ChargeMemory {
  return { terms: createRememberedTerms(db), writeCharge: createChargeWriter(db) };
}
