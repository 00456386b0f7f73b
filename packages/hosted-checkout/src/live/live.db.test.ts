import { once } from "node:events";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

const SOON_MS = 1_000;
const CHECKOUT_SOCKETS = 50;
const ADDRESS_SOCKETS = CHECKOUT_SOCKETS + 2;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let app: ApiApp;
let url: string;
/** the app's SQL statements */
let statements: string[] = [];

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  [app, url] = await listening(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function listening(of: typeof context): Promise<[ApiApp, string]> {
  const counting = { ...of, db: counted(of.db) };
  const made = createApp(withSettings(counting, { http: { maxConnectionsPerAddress: 8 * ADDRESS_SOCKETS } }));
  return [made, await made.listen({ host: "127.0.0.1", port: 0 })];
}

function counted(db: typeof context.db): typeof context.db {
  return {
    ...db,
    query: (statement) => {
      statements.push(statement.sql);
      return db.query(statement);
    },
    answeringWithin: (ms) => counted(db.answeringWithin(ms)),
    forTenant: (tenant) => counted(db.forTenant(tenant)),
  };
}

const anOrder = () => aCharge(context.db, { merchantId, amount: "25.5" });

type Open = Awaited<ReturnType<typeof open>>;

/** Opens a page's socket and collects its messages. */
async function open(
  token: string,
  { at = url, query = "", ...options }: { at?: string; query?: string; origin?: string } = {},
) {
  const socket = new WebSocket(`${at.replace("http", "ws")}/v1/checkout/${token}/live${query}`, options);
  const received: { data: { state: string; status: { confirmations: number } } }[] = [];
  socket.on("message", (data) => received.push(JSON.parse(String(data))));
  await once(socket, "open");
  await expect.poll(() => received.length, { timeout: SOON_MS }).toBeGreaterThan(0);
  return { socket, received, states: () => received.map(({ data }) => data.state) };
}

/** The HTTP status that refuses a socket. */
async function refusalOf(token: string, options: { origin?: string } = {}): Promise<number> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/v1/checkout/${token}/live`, options);
  return new Promise((resolve, reject) => {
    socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
    socket.once("open", () => reject(new Error("the socket was opened")));
  });
}

async function close(...all: readonly Open[]): Promise<void> {
  for (const { socket } of all) {
    socket.close();
    if (socket.readyState !== WebSocket.CLOSED) await once(socket, "close");
  }
  await expect.poll(openSockets).toBe(0);
}

const openSockets = async () => (await context.metrics.checkoutSockets.get()).values[0]?.value ?? 0;

describe("a checkout's websocket", () => {
  it("sends the projection when it opens, and every change within a second of its commit by any process", async () => {
    const order = await anOrder();
    await setChainTime(context.db, new Date());
    const page = await open(order.checkoutToken);
    const polled = (await app.inject(`/v1/checkout/${order.checkoutToken}`)).json();
    expect(page.received[0]).toEqual({ type: "checkout", data: polled.data });

    await aDeposit(context.db, {
      chargeId: order.id,
      amount: "25.5",
      status: "CONFIRMING",
      blockNumber: 100,
    });
    await expect.poll(page.states, { timeout: SOON_MS }).toEqual(["awaiting", "confirming"]);
    const confirmations = () => page.received.at(-1)?.data.status.confirmations;
    const before = confirmations() ?? 0;
    await context.owner.query(sql`update scan_cursors set number = number + 1`);
    await expect.poll(confirmations, { timeout: SOON_MS }).toBe(before + 1);
    await close(page);
  });

  it("sends the same text again for a change outside the projection: the last blocks, another coin", async () => {
    const order = await anOrder();
    const page = await open(order.checkoutToken);
    await aDeposit(context.db, { chargeId: order.id, currency: "TRX", amount: "5", source: "transfer" });
    await expect.poll(() => page.received.length, { timeout: SOON_MS }).toBe(2);
    await setChainTime(context.db, new Date((order.expiresAt?.getTime() ?? 0) + 1));
    await expect.poll(() => page.received.length, { timeout: SOON_MS }).toBe(3);
    expect(page.received[1]).toEqual(page.received[0]);
    expect(page.states()).toEqual(["awaiting", "awaiting", "awaiting"]);
    await context.owner.query(sql`delete from scan_cursors`);
    await close(page);
  });

  it("sends the merchant's own changes, and the end of a rate's lock", async () => {
    const lockedAt = new Date(Date.now() - 60_000);
    const quote = { rateE4: 10_000n, lockedAt, expiresAt: new Date(Date.now() + 1_500) };
    const order = await aCharge(context.db, { merchantId, fiatAmount: "10", quote });
    const page = await open(order.checkoutToken);
    await context.owner.query(sql`update merchants set accent_color = '#123456' where id = ${merchantId}`);
    await expect.poll(() => page.received.length, { timeout: SOON_MS }).toBe(2);
    expect(page.received[1]).toMatchObject({ data: { merchant: { accentColor: "#123456" } } });
    await expect.poll(() => page.received.length, { timeout: 3 * SOON_MS }).toBe(3);
    expect(page.received[2]).toEqual(page.received[1]);
    await close(page);
  });

  it("sends its first text twice if something changed since the page was made", async () => {
    const order = await anOrder();
    const page = await app.inject(`/c/${order.checkoutToken}`);
    const query = `?version=${/data-version="([\w-]{12})"/.exec(page.body)?.[1]}`;
    const early = await open(order.checkoutToken, { query });
    await aDeposit(context.db, { chargeId: order.id, currency: "TRX", amount: "5", source: "transfer" });
    await expect.poll(() => early.received.length, { timeout: SOON_MS }).toBe(2);
    const late = await open(order.checkoutToken, { query });
    await expect.poll(() => late.received.length, { timeout: SOON_MS }).toBe(2);
    expect(early.received).toHaveLength(2);
    await close(early, late);
  });

  it("costs one statement each half second for all open sockets, and none without one", async () => {
    const orders = await Promise.all(Array.from({ length: 6 }, anOrder));
    const pages = await Promise.all(orders.map(({ checkoutToken }) => open(checkoutToken)));
    statements = [];
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.length).toBeLessThanOrEqual(3);
    expect(new Set(statements).size).toBe(1);
    await close(...pages);
    statements = [];
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(statements).toEqual([]);
  });

  it("is refused to pages of other sites, beyond the caps, and for a malformed token", async () => {
    const order = await anOrder();
    statements = [];
    expect(await refusalOf("A".repeat(40))).toBe(404);
    expect(await refusalOf(order.checkoutToken, { origin: "https://evil.example" })).toBe(404);
    expect(await refusalOf(order.checkoutToken, { origin: "null" })).toBe(404);
    expect(statements).toEqual([]);
    const pages = [await open(order.checkoutToken, { origin: url })];
    while (pages.length < CHECKOUT_SOCKETS) pages.push(await open(order.checkoutToken));
    expect(await refusalOf(order.checkoutToken)).toBe(429);
    while (pages.length < ADDRESS_SOCKETS) pages.push(await open((await anOrder()).checkoutToken));
    expect(await refusalOf((await anOrder()).checkoutToken)).toBe(429);
    await close(...pages);
    await close(await open(order.checkoutToken));
    expect((await app.inject(`/v1/checkout/${order.checkoutToken}/live`)).statusCode).toBe(404);
  });

  it("ends at once after any message from the page, and for an unknown token", async () => {
    const page = await open((await anOrder()).checkoutToken);
    page.socket.send("x");
    expect((await once(page.socket, "close"))[0]).toBe(1_006);
    const token = newCheckoutToken(context.checkoutKey);
    const outsider = new WebSocket(`${url.replace("http", "ws")}/v1/checkout/${token}/live`);
    expect((await once(outsider, "close"))[0]).toBe(1_008);
  });

  it("of an invalid record ends, and those read in the same batch get their messages", async () => {
    const [broken, order] = [await anOrder(), await anOrder()];
    await context.owner.query(sql`
      update deposit_addresses set expires_at = 'infinity', late_until = 'infinity' where id = ${broken.id}`);
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/checkout/${broken.checkoutToken}/live`);
    const [[code], page] = await Promise.all([once(socket, "close"), open(order.checkoutToken)]);
    expect(code).toBe(1_008);
    expect(page.states()).toEqual(["awaiting"]);
    await close(page);
  });

  it("gets a service restart at the end of the process, which does not wait for it", async () => {
    const [other, otherUrl] = await listening(context);
    const page = await open((await anOrder()).checkoutToken, { at: otherUrl });
    const deaf = await open((await anOrder()).checkoutToken, { at: otherUrl });
    deaf.socket.pause();
    const startedMs = performance.now();
    const closed = once(page.socket, "close");
    await other.close();
    expect(performance.now() - startedMs).toBeLessThan(900);
    expect((await closed)[0]).toBe(1_012);
    deaf.socket.terminate();
  });
});
