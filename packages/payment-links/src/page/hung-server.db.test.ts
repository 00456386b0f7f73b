import { setClusterServers } from "@daric/postgres/tenants";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext } from "@daric/testing/context";
import { afterEach, expect, it } from "vitest";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

it("while a server of a distributed database hangs, links of merchants of the others are open, and its own get 503", async () => {
  const context = await createTestContext();
  undo.push(context.close);
  undo.push(await standOnServers(context));
  const app = createApp(context);
  undo.push(() => app.close());
  const link = async () => {
    const { id: merchantId } = await aMerchant(context.db);
    const { key } = await anApiKey(context, merchantId);
    const payload = { title: "Ticket", amount: "25" };
    const made = await app.inject({
      method: "POST",
      url: "/v1/payment-links",
      headers: { "x-api-key": key },
      payload,
    });
    return { merchantId, token: made.json().data.token as string };
  };
  const [there, here] = [await link(), await link()];
  const statusOf = async ({ token }: { token: string }) =>
    (await app.inject({ url: `/l/${token}` })).statusCode;

  // Each merchant is a shard of its own here.
  const serverOf = new Map([
    [there.merchantId as string, "one:5432"],
    [here.merchantId as string, "two:5432"],
  ]);
  undo.push(() => setClusterServers({ serverOf: new Map(), hung: new Set() }));
  setClusterServers({ serverOf, hung: new Set(["one:5432"]) });
  expect([await statusOf(there), await statusOf(here)]).toEqual([503, 200]);
  setClusterServers({ serverOf, hung: new Set() });
  expect([await statusOf(there), await statusOf(here)]).toEqual([200, 200]);
});
