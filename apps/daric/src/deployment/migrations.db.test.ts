import { migrationStatus } from "@daric/postgres/migrate";
import { createTestDatabase } from "@daric/testing/database";
import { expect, it } from "vitest";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";

it("the migrations of the service are applied to every test database", async () => {
  const migrated = await createTestDatabase();
  const { current, latest } = await migrationStatus(migrated.db, MIGRATIONS_DIRECTORY);
  expect(current).toBe(latest);
  expect(latest).toBeGreaterThan(0);
  await migrated.drop();
});
