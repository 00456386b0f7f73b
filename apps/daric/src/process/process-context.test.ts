import { roles } from "@daric/runtime/setting";
import { testEnvironment } from "@daric/testing/context";
import { expect, it } from "vitest";
import { pingDatabase } from "../deployment/store.ts";
import { readConfig } from "./config.ts";
import { createProcessContext } from "./process-context.ts";

it("the queries of metrics do not count as waiting for a connection", async () => {
  // No program listens on this port.
  const config = readConfig(testEnvironment({ DATABASE_URL: "postgres://daric@127.0.0.1:1/daric" }), roles);
  const output = { write: () => {} };
  const { db, databases, metrics } = createProcessContext(config, { role: "all", output });
  const ping = () => pingDatabase(db).then(() => undefined);
  metrics.monthsAhead.answerBy(ping);
  metrics.readiness.answerBy(ping);
  expect(await metrics.registry.metrics()).toContain('daric_database_waiting{pool="readiness"} 0');
  await databases.close();
});
