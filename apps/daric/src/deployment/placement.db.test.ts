import { captureDaric } from "@daric/testing/daric";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { distribute, UnfitClusterError } from "./distribute.ts";
import { placedTables } from "./placement.ts";

const { tables } = inject("postgres");
let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("every table is placed once", () => {
  expect(placedTables.map(({ table }) => table).toSorted()).toEqual(Object.keys(tables).toSorted());
});

it("a table with a merchant's rows is placed by merchant, except directories, people with their messages, and the signer's tables", () => {
  const others = [
    "address_directory",
    "api_key_directory",
    "token_directory",
    "signing_requests",
    "signer_destinations",
    "audit_log",
    "memberships",
    "one_time_links",
    "shop_codes",
    "messages",
    "message_choices",
    "message_channels",
    "mail_stops",
    "refund_addresses",
    "refund_transfers",
  ];
  for (const { table, placement, column } of placedTables) {
    const columns = tables[table] ?? [];
    if (placement === "by merchant")
      expect([table, columns]).toEqual([table, expect.arrayContaining([column])]);
    else if (columns.includes("merchant_id")) expect(others).toContain(table);
  }
});

it("a plain PostgreSQL is refused with one line, before anything is written", async () => {
  const env = { DATABASE_URL: test.url, DATABASE_DIRECT_URL: test.ownerUrl };
  for (const args of [["distribute"], ["distribute", "--dry-run"]]) {
    const { code, out, err } = await captureDaric(args, env);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(
      /^daric: this is a plain PostgreSQL, which runs the whole service as it is; [^\n]*\n$/,
    );
  }
  const options = { serviceRole: "daric", signerRole: undefined, isDryRun: false, onStep: () => {} };
  await expect(distribute(test.owner, options)).rejects.toBeInstanceOf(UnfitClusterError);
});
