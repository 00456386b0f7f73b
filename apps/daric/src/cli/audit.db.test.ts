import { sql } from "@daric/postgres/sql";
import { createTestContext, TEST_PEPPER } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { afterAll, beforeAll, expect, it } from "vitest";
import { commandActor } from "./audit-command.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

const daric = (...args: string[]) =>
  captureDaric(args, {
    ...daricVariables(context),
    DATABASE_DIRECT_URL: context.ownerUrl,
    DARIC_KEY_PEPPER: TEST_PEPPER,
  });
const created = async (...args: string[]) =>
  JSON.parse((await daric(...args, "--json")).out) as { id: string };

it("changes by commands are listed with their actor, newest first, and without a secret", async () => {
  const { id: merchantId } = await created("merchant", "create", "--name", "Blue Bottle Books");
  const key = await created("key", "create", "--merchant", merchantId, "--name", "shop");
  await created("key", "revoke", key.id);
  await daric("sweep", "pause", "--reason", "a test of the wallet");
  await daric("sweep", "resume");
  await context.owner.query(sql`
    insert into audit_log (at, actor, action, subject, reason) values (now() - interval '40 days', 'ada', 'scan resume', 'block 7', '')`);
  const { out } = await daric("audit", "--json");
  const acts = JSON.parse(out) as { actor: string; action: string; subject: string; reason: string }[];
  expect(acts.map(({ action, subject }) => `${action}: ${subject}`)).toEqual([
    "sweep resume: settlement",
    "sweep pause: settlement",
    `key revoke: key ${key.id}`,
    `key create: key ${key.id}`,
    `merchant create: merchant ${merchantId}`,
  ]);
  expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set([commandActor]));
  expect(acts[1]?.reason).toBe("a test of the wallet");
  expect(out).not.toMatch(/sk_/);
  const listed = async (...args: string[]) =>
    (JSON.parse((await daric("audit", "--json", ...args)).out) as object[]).length;
  expect(await listed("--since", "60d")).toBe(6);
  expect(await listed("--since", "60d", "--until", "35d")).toBe(1);
  expect(await listed("--since", "60d", "--by", "ADA")).toBe(1);
  expect(await listed("--merchant", merchantId)).toBe(3);
  expect((await daric("audit", "--since", "60d", "--by", "ada")).out).toMatch(
    /^AT +BY +FROM +ACTION +SUBJECT +CHANGE\n\S+ +ada +command line +scan resume +block 7 +-\n$/,
  );
});

it("an unreadable time is refused", async () => {
  expect(await daric("audit", "--since", "yesterday")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--since must be a duration like 7d"),
  });
});
