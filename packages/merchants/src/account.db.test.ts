import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;

beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

const read = (key?: string) =>
  app.inject({ url: "/v1/account", headers: key === undefined ? {} : { "x-api-key": key } });

it("a key of any scope reads its own merchant, environment and network, and exactly its own scopes", async () => {
  const { id, name, feeMode } = await aMerchant(context.db);
  for (const scopes of [["webhooks:read"], ["charges:read", "refunds:write"]] as const) {
    const { key } = await anApiKey(context, id, { scopes: [...scopes] });
    expect((await read(key)).json().data).toEqual({
      merchantId: id,
      name,
      environment: "test",
      network: context.config.chain.network,
      scopes: [...scopes],
      feeMode,
      currencies: ["USDT", "TRX"],
    });
  }
});

it("without a key there is no account", async () => {
  expect((await read()).json().error.code).toBe("UNAUTHORIZED");
});
