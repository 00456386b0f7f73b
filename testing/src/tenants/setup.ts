import { afterAll, afterEach, inject } from "vitest";
import type {} from "../postgres-global-setup.ts";
import { executedFaults } from "./executed-faults.ts";
import { recordedStatements } from "./recorded-statements.ts";
import { requireTwinsUnchanged } from "./watched-twins.ts";

afterEach(requireTwinsUnchanged);

afterAll(async () => {
  const faults = await executedFaults(recordedStatements(), inject("postgres").tables);
  if (faults.length > 0) throw new Error(`statements that name no merchant:\n\n${faults.join("\n\n")}`);
});
