import type { Database, Sql } from "@daric/postgres/sql";
import { setClusterServers } from "@daric/postgres/tenants";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext } from "@daric/testing/context";
import { afterEach, expect, it } from "vitest";
import { findChangedTokens, findCheckouts } from "./store.ts";

/** A state is shown for less than a second without a look at its version. */
const CACHED_MS = 1_000;
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

it("while a server of a distributed database hangs, pages of merchants of the others are served, and its own get 503, from no cache either", async () => {
  const context = await createTestContext();
  undo.push(context.close);
  const order = async () => {
    const { id: merchantId } = await aMerchant(context.db);
    await anApiKey(context, merchantId);
    return aCharge(context.db, { merchantId });
  };
  const [there, here] = [await order(), await order()];
  undo.push(await standOnServers(context));
  const asked: Sql[] = [];
  const query: Database["query"] = (statement) => {
    asked.push(statement);
    return context.db.query(statement);
  };
  const db: Database = { ...context.db, query, answeringWithin: () => db };
  const app = createApp({ ...context, db });
  undo.push(() => app.close());
  const statusOf = async ({ checkoutToken }: { checkoutToken: string }) =>
    (await app.inject({ url: `/v1/checkout/${checkoutToken}` })).statusCode;
  expect([await statusOf(there), await statusOf(here)]).toEqual([200, 200]);

  // Each merchant is a shard of its own here.
  const serverOf = new Map([
    [there.merchantId as string, "one:5432"],
    [here.merchantId as string, "two:5432"],
  ]);
  undo.push(() => setClusterServers({ serverOf: new Map(), hung: new Set() }));
  const tokens = [there.checkoutToken, here.checkoutToken];
  const versions = [...(await findCheckouts(db, tokens)).values()].map(({ version }) => version);
  setClusterServers({ serverOf, hung: new Set(["one:5432"]) });
  asked.length = 0;
  const read = await findCheckouts(db, tokens);
  expect([...read.keys()]).toEqual([here.checkoutToken]);
  expect(await findChangedTokens(db, tokens, versions)).toEqual([there.checkoutToken]);
  expect(asked.length).toBeGreaterThan(2);
  for (const { text, values } of asked) {
    expect(values.flat()).not.toContain(there.merchantId);
    expect(unnamedTables(text)).toEqual([]);
  }
  await new Promise((resolve) => setTimeout(resolve, CACHED_MS));
  expect([await statusOf(there), await statusOf(here)]).toEqual([503, 200]);
  setClusterServers({ serverOf, hung: new Set() });
  expect([await statusOf(there), await statusOf(here)]).toEqual([200, 200]);
});

it("a process that has not counted the merchants serves pages while a server of a distributed database hangs", async () => {
  const context = await createTestContext();
  undo.push(context.close);
  const { id: merchantId } = await aMerchant(context.db);
  await anApiKey(context, merchantId);
  const { checkoutToken } = await aCharge(context.db, { merchantId });
  undo.push(await standOnServers(context));
  const app = createApp(context);
  undo.push(() => app.close());
  undo.push(() => setClusterServers({ serverOf: new Map(), hung: new Set() }));
  setClusterServers({ serverOf: new Map([[merchantId, "two:5432"]]), hung: new Set(["one:5432"]) });
  expect((await app.inject({ url: `/c/${checkoutToken}` })).statusCode).toBe(200);
});

/** The tables of merchants in a statement, by their names in it, without a merchant of their own: Citus would ask every server. */
function unnamedTables(text: string): string[] {
  const tables = text.matchAll(
    /\b(?:from|join) (deposit_addresses|charge_sums|deposits|merchants)\b( (?!where|left|on|order)\w+)?/g,
  );
  return [...tables].flatMap(([, table, alias]) => {
    const name = alias?.trim() ?? table;
    const column = `(?:${name}\\.)?${table === "merchants" ? "id" : "merchant_id"}`;
    return new RegExp(`\\b${column} = (?:\\$|any\\(\\$)`).test(text) ? [] : [String(name)];
  });
}
