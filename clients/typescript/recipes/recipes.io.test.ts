import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { idOf } from "@daric/domain/ids";
import { signWebhook } from "@daric/webhooks/sending/signature";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";

const secret = `whsec_${"0123456789abcdef".repeat(4)}`;

/** How a request reaches the server of a recipe. */
type Recipe = { name: string; start(): Promise<{ post: typeof postTo; stop(): Promise<void> }> };
type Sent = { body: string; headers: Record<string, string> };

const postTo = (url: string, { body, headers }: Sent) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

const recipes: Recipe[] = [
  {
    name: "express",
    start: async () => {
      const { app } = await import("./express.ts");
      const server = app.listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      return {
        post: (path, sent) => postTo(`http://127.0.0.1:${port}${path}`, sent),
        stop: () => new Promise((resolve) => server.close(() => resolve())),
      };
    },
  },
  {
    name: "fastify",
    start: async () => {
      const { app } = await import("./fastify.ts");
      const url = await app.listen({ port: 0, host: "127.0.0.1" });
      return { post: (path, sent) => postTo(`${url}${path}`, sent), stop: () => app.close() };
    },
  },
  {
    name: "next",
    start: async () => {
      const { POST } = await import("./next.ts");
      const post = (path: string, sent: Sent) =>
        POST(new Request(`http://127.0.0.1${path}`, { method: "POST", ...sent }));
      return { post, stop: async () => {} };
    },
  },
];

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("WEBHOOK_SECRET", secret);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => vi.unstubAllEnvs());

function delivery(data: object, event = "deposit.confirmed"): Sent {
  const eventId = idOf("event", crypto.randomUUID());
  const body = JSON.stringify({ id: eventId, event, data });
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  return { body, headers: signWebhook({ secret, body: Buffer.from(body), eventId, timestampSeconds }) };
}

const paid = {
  depositAddressId: "01a1c0de-0000-7000-8000-000000001042",
  orderRef: "A-1042",
  orderAmount: "25.5",
  currency: "USDT",
  fiatAmount: null,
  fiatCurrency: null,
  paymentState: "exact",
  amountReceived: "25.5",
};
const paidInUsd = {
  ...paid,
  depositAddressId: "01a1c0de-0000-7000-8000-000000002001",
  orderRef: "A-2001",
  orderAmount: "20.6",
  fiatAmount: "19.99",
  fiatCurrency: "USD",
};

it.each(recipes)(
  "the recipe for $name fulfils a signed, complete, correctly priced event once",
  async ({ start }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const { post, stop } = await start();
    for (const short of [
      { ...paid, paymentState: "under" },
      { ...paid, orderAmount: "2.55" },
      { ...paid, currency: "TRX" },
      { ...paid, orderRef: null },
    ]) {
      expect((await post("/hook", delivery(short))).status).toBe(204);
    }
    expect(log.mock.calls.flat()).toEqual([
      "not delivered A-1042: only 25.5 USDT has arrived",
      "not delivered A-1042: its price is 2.55 USDT, and 25.50 USDT was asked for",
      "not delivered A-1042: its price is 25.5 TRX, and 25.50 USDT was asked for",
      "not delivered : no order has this reference",
    ]);
    log.mockClear();
    const whole = delivery(paid);
    for (const sent of [whole, whole, delivery(paid)]) expect((await post("/hook", sent)).status).toBe(204);
    expect(log.mock.calls).toEqual([
      ["paid", "A-1042", "25.50", "USDT"],
      ["not delivered A-1042: the event was handled before"],
      ["not delivered A-1042: it is delivered already"],
    ]);
    await stop();
  },
);

it.each(recipes)(
  "the recipe for $name fulfils an order in USD by its price in USD, whatever the rate made of it in coins",
  async ({ start }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const { post, stop } = await start();
    for (const wrong of [
      { ...paidInUsd, fiatAmount: "1.99" },
      { ...paidInUsd, orderAmount: "19.99", fiatAmount: null, fiatCurrency: null },
      { ...paid, fiatAmount: "25.5", fiatCurrency: "USD" },
    ]) {
      expect((await post("/hook", delivery(wrong))).status).toBe(204);
    }
    expect(log.mock.calls.flat()).toEqual(Array(3).fill(expect.stringContaining("its price is")));
    log.mockClear();
    expect((await post("/hook", delivery(paidInUsd))).status).toBe(204);
    expect(log.mock.calls).toEqual([["paid", "A-2001", "19.99", "USD"]]);
    await stop();
  },
);

it.each(recipes)(
  "the recipe for $name acts on the charge: a twin neither pays nor cancels, a paid rest delivers",
  async ({ start }) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const { post, stop } = await start();
    const twin = { ...paid, depositAddressId: "01a1c0de-0000-7000-8000-000000009999" };
    const rest = { ...twin, orderAmount: "12.75", restOf: paid.depositAddressId, restCompletes: true };
    const unpaid = { ...paidInUsd, orderRefPaid: false };
    for (const [data, event] of [
      [twin, "deposit.confirmed"],
      [{ ...twin, orderRefPaid: false }, "order.expired"],
      [{ ...paid, orderRefPaid: true }, "order.expired"],
      [{ ...paid, restOf: null, restCompletes: false }, "order.paid"],
      [rest, "order.paid"],
      [{ ...paid, paymentState: "under" }, "order.accepted"],
      [{ ...paid, orderRefPaid: false }, "order.expired"],
      [unpaid, "order.expired"],
      [{ ...paidInUsd, late: true }, "deposit.confirmed"],
    ] as const)
      expect((await post("/hook", delivery(data, event))).status).toBe(204);
    expect(log.mock.calls.map((line) => line.join(" "))).toEqual([
      `not delivered A-1042: the event is of the charge ${twin.depositAddressId}`,
      "not cancelled A-1042",
      "not cancelled A-1042",
      "received order.paid A-1042",
      "paid A-1042 25.50 USDT",
      "not delivered A-1042: it is delivered already",
      "not cancelled A-1042",
      "cancelled A-2001",
      "not delivered A-2001: it is cancelled: return the money, or deliver by hand",
    ]);
    await stop();
  },
);

it.each(recipes)("the recipe for $name refuses unsigned bodies, and logs the reason", async ({ start }) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const { post, stop } = await start();
  const sent = delivery(paid);
  const forged = await post("/hook", { ...sent, body: sent.body.replace("25.5", "99.5") });
  expect([forged.status, await forged.text()]).toEqual([400, "BAD_SIGNATURE"]);
  const bare = await post("/hook", { ...sent, headers: {} });
  expect([bare.status, await bare.text()]).toEqual([400, "MISSING_HEADER"]);
  expect(errors).toHaveBeenCalledTimes(2);
  expect(log).not.toHaveBeenCalled();
  await stop();
});

it("a body that express.json() or Fastify parsed is refused with advice, even if signed", async () => {
  const { default: express } = await import("express");
  const { fastify } = await import("fastify");
  const { verifyWebhook } = await import("@daric/sdk");
  const codes: string[] = [];
  const verified = async (body: unknown, headers: IncomingHttpHeaders): Promise<string> => {
    const error = await verifyWebhook(body as string, headers, secret).catch((reason) => reason);
    codes.push(error.code);
    return error.message;
  };
  const app = express().use(express.json());
  app.post("/hook", async (request, response) => {
    response.send(await verified(request.body, request.headers));
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const other = fastify();
  other.post("/hook", (request) => verified(request.body, request.headers));
  const { port } = server.address() as AddressInfo;
  const urls = [`http://127.0.0.1:${port}`, await other.listen({ port: 0, host: "127.0.0.1" })];
  for (const url of urls) {
    const answer = await postTo(`${url}/hook`, delivery(paid));
    expect(await answer.text()).toContain("Take the raw body");
  }
  expect(codes).toEqual(["BODY_PARSED", "BODY_PARSED"]);
  await other.close();
  server.close();
});

it("docs/sdk.md shows every recipe exactly, and no other code in TypeScript", () => {
  const page = readFileSync(new URL("../../../docs/sdk.md", import.meta.url), "utf8");
  const shown = [...page.matchAll(/```ts[^\n]*\n(.*?)```/gs)].map(([, code]) => code);
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith(".test.ts"));
  const written = files.map((name) => readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(shown.sort()).toEqual(written.sort());
});
