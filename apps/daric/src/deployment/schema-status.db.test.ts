import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findSchemaStatus, requireServedSchema } from "./schema-status.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let latest: number;

beforeAll(async () => {
  context = await createTestContext();
  ({ latest } = await findSchemaStatus(context.db));
  await context.owner.query(
    sql`insert into schema_version (version, name, md5) values (${latest + 1}, 'of a newer program', '')`,
  );
});
afterAll(() => context.close());

const serveFrom = (version: number) =>
  context.owner.query(sql`update deployment set serves_from = ${version}`);

it("a program works after a newer one has migrated, until a migration removes something that it uses", async () => {
  expect(await findSchemaStatus(context.db)).toMatchObject({ current: latest + 1, latest, isServed: true });
  await expect(requireServedSchema(context.db)).resolves.toBeUndefined();
  await serveFrom(latest + 1);
  await expect(requireServedSchema(context.db)).rejects.toThrow(
    `the database has schema version ${latest + 1}, which serves programs from ${latest + 1} on; this one has ${latest}: run the newer program`,
  );
  await serveFrom(latest);
});

it("`daric migrate` of an older program changes neither a newer schema that serves it, nor its rights", async () => {
  const { code, out } = await captureDaric(["migrate"], {
    DATABASE_URL: context.config.runtime.databaseUrl,
    DATABASE_DIRECT_URL: context.ownerUrl,
  });
  expect(code).toBe(0);
  expect(out).toContain("A newer program has migrated this database, and it serves this one: nothing to do.");
});
