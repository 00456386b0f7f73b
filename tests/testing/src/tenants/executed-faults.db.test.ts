import { findMerchant, listMerchants } from "@daric/merchants/store";
import { sql } from "@daric/postgres/sql";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { aMerchant } from "../builders.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { executedFaults } from "./executed-faults.ts";
import { recordedStatements } from "./recorded-statements.ts";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const { tables } = inject("postgres");

it("the service's statements are recorded with their file, and those of tests are not", async () => {
  const { id } = await aMerchant(test.db);
  await test.db.query(sql`select name from merchants where name = 'of a test'`);
  await test.db.transaction((tx) => findMerchant(tx, id));
  const statements = recordedStatements();
  expect(statements.map(({ file }) => file)).toEqual(["merchants/store", "merchants/store"]);
  expect(statements.some(({ text }) => text.includes("of a test"))).toBe(false);
});

it("a statement without a merchant is reported with its file and text", async () => {
  const text = "update settlement_accounts set label = $2 where id = $1";
  const [fault] = await executedFaults([{ text, file: "anywhere/store" }], tables);
  expect(fault).toBe(`anywhere/store: the update of settlement_accounts is tied to no merchant\n${text}`);
});

it("a statement that keeps state in its session is reported, also one about all merchants", async () => {
  const text = "/* global: merchant-list */ select pg_advisory_lock(1)";
  const [fault] = await executedFaults([{ text, file: "anywhere/store" }], tables);
  expect(fault).toBe(`anywhere/store: calls pg_advisory_lock, which is of a session\n${text}`);
});

it("only a listed name allows a statement about all merchants", async () => {
  await listMerchants(test.db);
  const listed = recordedStatements().filter(({ text }) => text.startsWith("/* global: merchant-list */"));
  expect(listed).toHaveLength(1);
  expect(await executedFaults(listed, tables)).toEqual([]);
  const unlisted = { text: "/* global: everything */ select id from merchants", file: "merchants/store" };
  expect(await executedFaults([unlisted], tables)).toHaveLength(1);
});

it("the rule covers every table with a merchant's rows", () => {
  expect(tables.deposits).toContain("merchant_id");
  expect(tables.webhook_attempts).toContain("merchant_id");
});
