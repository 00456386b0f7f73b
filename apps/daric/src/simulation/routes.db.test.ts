import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import type { ApiScope } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

const UNKNOWN_MERCHANT = "0193a1b2-0000-7000-8000-000000000001";
/** No program listens on this port. */
const CLOSED = "http://127.0.0.1:1";

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await chain.stop();
  await context.close();
});

const anOrder = (overrides: Partial<ChargeOverrides> = {}) =>
  aCharge(context.db, { merchantId, ...overrides });

type Place = { nodeUrl?: string; network?: "devnet" | "nile"; as?: string };

async function simulate(id: string, body: object, { nodeUrl, network = "devnet", as = key }: Place = {}) {
  const app = createApp(
    withSettings(context, { chain: { network, nodeUrls: [nodeUrl ?? chain.devchain.url] } }),
  );
  const answer = await app.inject({
    method: "POST",
    url: `/v1/test/deposit-addresses/${id}/simulate`,
    headers: { "x-api-key": as },
    payload: body,
  });
  await app.close();
  return { status: answer.statusCode, body: answer.json() };
}

/** The TRX that the chain has paid to an address, from the chain itself. */
async function trxOf(address: string): Promise<number> {
  await chain.mine(1);
  const answer = await fetch(`${chain.devchain.url}/wallet/getaccount`, {
    method: "POST",
    body: JSON.stringify({ address, visible: true }),
  });
  return ((await answer.json()) as { balance?: number }).balance ?? 0;
}

describe("a simulated payment", () => {
  it("is on the chain, exactly as in the answer", async () => {
    const order = await anOrder({ currency: "TRX", amount: "120" });
    const { status, body } = await simulate(order.id, { case: "over" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      case: "over",
      deposit_address_id: order.id,
      payments: [{ tx_hash: expect.stringMatching(/^[0-9a-f]{64}$/), currency: "TRX", amount: "180" }],
    });
    expect(await trxOf(order.address)).toBe(180_000_000);
  });

  it("writes nothing into the database: the watcher finds the deposit", async () => {
    const order = await anOrder();
    await simulate(order.id, { case: "exact" });
    const rows = await context.owner.query(sql`select id from deposits`);
    expect(rows).toEqual([]);
  });

  it("pays the amount due with the fee on top", async () => {
    const order = await anOrder({
      amount: "99",
      payAmount: "100.505051",
      feeMode: "client",
      feeBasisPoints: 100,
    });
    const { body } = await simulate(order.id, { case: "exact" });
    expect(body.data.payments).toMatchObject([{ amount: "100.505051" }]);
  });
});

describe("a refused test case", () => {
  it("is `late` before the order has expired, or for a receive address", async () => {
    const order = await anOrder();
    const early = await simulate(order.id, { case: "late" });
    expect(early).toMatchObject({ status: 409, body: { error: { code: "ORDER_NOT_EXPIRED" } } });
    expect(early.body.message).toContain(order.expiresAt?.toISOString());
    const receive = await anOrder({ kind: "receive" });
    expect(await simulate(receive.id, { case: "late" })).toMatchObject({
      status: 409,
      body: { error: { code: "ORDER_NOT_EXPIRED" }, message: expect.stringContaining("never expires") },
    });
  });

  it("is an unknown case, an amount without a half, or one beyond the chain's limit", async () => {
    const order = await anOrder({ amount: "0.000001" });
    const huge = await anOrder({ currency: "TRX", amount: "999999999999" });
    for (const [id, testCase] of [
      [order.id, "double"],
      [order.id, "under"],
      [huge.id, "exact"],
    ] as const) {
      expect(await simulate(id, { case: testCase }), testCase).toMatchObject({
        status: 422,
        body: { error: { code: "VALIDATION_ERROR", details: [{ path: "case" }] } },
      });
    }
  });

  it("reports the transactions before the failure", async () => {
    const order = await anOrder({ currency: "TRX", amount: "3000000000" });
    const { status, body } = await simulate(order.id, { case: "twice" });
    expect([status, body.error.details[0].message]).toEqual([
      422,
      expect.stringMatching(/; [0-9a-f]{64} was sent before$/),
    ]);
  });

  it("reports an unreachable node, and one that is no devchain", async () => {
    const order = await anOrder();
    const other = createServer((_request, response) => response.end('{"Error":"no such path"}'));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    for (const nodeUrl of [CLOSED, `http://127.0.0.1:${port}`]) {
      const { status, body } = await simulate(order.id, { case: "exact" }, { nodeUrl });
      expect([status, body.error.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
      expect(body.message).toContain(nodeUrl.slice("http://".length));
      expect(body.message).toContain("TRON_NODE_URLS must name a devchain first");
    }
    other.close();
  });
});

describe("the access to simulations", () => {
  it("needs a checkout token, has a limit per minute, and exists on a devnet alone", async () => {
    const order = await anOrder({ currency: "TRX", amount: "120" });
    const onChain = (network: "devnet" | "nile" | "private" | "mainnet") =>
      createApp(withSettings(context, { chain: { network, nodeUrls: [chain.devchain.url] } }));
    const pay = (app: ReturnType<typeof onChain>, token: string, body: object = { case: "exact" }) =>
      app.inject({ method: "POST", url: `/v1/checkout/${token}/simulate`, payload: body });
    const devnet = onChain("devnet");
    const paid = await pay(devnet, order.checkoutToken);
    expect([paid.statusCode, paid.json().data]).toMatchObject([
      200,
      { case: "exact", deposit_address_id: order.id, payments: [{ currency: "TRX", amount: "120" }] },
    ]);
    expect(await trxOf(order.address)).toBe(120_000_000);
    expect((await pay(devnet, order.checkoutToken, { case: "double" })).statusCode).toBe(422);
    expect((await pay(devnet, newCheckoutToken(context.checkoutKey))).statusCode).toBe(404);
    expect((await pay(devnet, "x")).statusCode).toBe(404);
    for (let n = 2; n < 12; n += 1) await pay(devnet, order.checkoutToken, {});
    expect((await pay(devnet, order.checkoutToken)).json().error.code).toBe("RATE_LIMITED");
    await devnet.close();
    for (const network of ["nile", "private", "mainnet"] as const) {
      const app = onChain(network);
      expect([network, (await pay(app, order.checkoutToken)).statusCode]).toEqual([network, 404]);
      await app.close();
    }
  });

  it("is absent on a public network: the path is unknown there", async () => {
    const order = await anOrder();
    expect(await simulate(order.id, { case: "exact" }, { network: "nile" })).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
  });

  it("needs a merchant's key with charges:write, for its own charges", async () => {
    const order = await anOrder();
    const other = await aMerchant(context.db);
    const foreign = (await anApiKey(context, other.id)).key;
    const scopes: ApiScope[] = ["charges:read"];
    const reader = (await anApiKey(context, merchantId, { scopes })).key;
    const refusals = await Promise.all([
      simulate(order.id, { case: "exact" }, { as: foreign }),
      simulate(UNKNOWN_MERCHANT, { case: "exact" }),
      simulate("no-id", { case: "exact" }),
      simulate(order.id, { case: "exact" }, { as: reader }),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, "NOT_FOUND"],
      [404, "NOT_FOUND"],
      [404, "NOT_FOUND"],
      [403, "INSUFFICIENT_SCOPE"],
    ]);
  });
});
