import { sql } from "@daric/postgres/sql";
import { testEnvironment } from "@daric/testing/context";
import { createTestDatabase } from "@daric/testing/database";
import { expect, it } from "vitest";
import { roles } from "../runtime/setting.ts";
import { readConfig } from "./config.ts";
import { openDatabases } from "./databases.ts";

it("a statement of a caller is left alone while a look of ours takes as long", async () => {
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
