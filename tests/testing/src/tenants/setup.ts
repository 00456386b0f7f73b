import { spreadTenants } from "@daric/postgres/tenants";
import { afterAll, afterEach, inject } from "vitest";
import type {} from "../postgres-global-setup.ts";
import { executedFaults } from "./executed-faults.ts";
import { forgetStatements, recordedStatements } from "./recorded-statements.ts";
import { requireDecoysUnchanged } from "./watched-decoys.ts";

// Every service and database of a test registers a listener for the end of the process.
process.setMaxListeners(Number.POSITIVE_INFINITY);

// The statements of a distributed database are recorded on one server, as those of one shard.
if (process.env.RECORD_SHARDED === "1") spreadTenants(() => "shard");

afterEach(requireDecoysUnchanged);

afterAll(async () => {
  const statements = recordedStatements();
  forgetStatements();
  const faults = await executedFaults(statements, inject("postgres").tables);
  if (faults.length > 0)
    throw new Error(
      `statements that name no merchant, keep state in their session, or that no distributed database runs:\n\n${faults.join("\n\n")}`,
    );
});
