import type { Queryable } from "@daric/postgres/sql";
import { spreadTenants } from "@daric/postgres/tenants";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, expect, it } from "vitest";
import { findByEnds } from "./search-store.ts";
import { hashesFrom } from "./search-text.ts";

afterAll(() => spreadTenants(undefined));

it("an address is found by its ends on a distributed database, whose coordinator has the directory alone", async () => {
  const context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  const { id, address } = await aCharge(context.db, { merchantId });
  const ends = {
    head: address.slice(0, 8),
    tail: address.slice(-8),
    hashes: hashesFrom(address.slice(0, 8)),
  };
  const asked: string[] = [];
  const query: Queryable["query"] = (statement) => {
    asked.push(statement.text);
    return context.db.query(statement);
  };
  spreadTenants((tenant) => tenant);
  expect(await findByEnds({ query }, { merchantId }, ends)).toEqual([{ id, why: "address" }]);
  const inBoth = asked.filter(
    (text) => /address_directory/.test(text) && /deposit_addresses|deposits/.test(text),
  );
  expect(inBoth).toEqual([]);
  await context.close();
});
