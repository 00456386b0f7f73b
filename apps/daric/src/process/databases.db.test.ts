import { sql } from "@daric/postgres/sql";
import { roles } from "@daric/runtime/setting";
import { testEnvironment } from "@daric/testing/context";
import { createTestDatabase } from "@daric/testing/database";
import { expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { openDatabases } from "./databases.ts";

it("a caller's statement is not cancelled while a readiness check takes as long", async () => {
  const { url, drop } = await createTestDatabase();
  const config = readConfig(testEnvironment({ DATABASE_URL: url }), roles);
  const databases = openDatabases(config, { role: "all", onLost: () => {} });
  const checking = databases.readiness.query(sql`select pg_sleep(3)::text as slept`);
  const requested = databases.of("api").query(sql`select pg_sleep(2.7)::text as slept`);
  expect(await requested).toEqual([{ slept: "" }]);
  await checking;
  await databases.close();
  await drop();
});
