import { once } from "node:events";
import { idOf, type MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { claimRefund } from "@daric/refunds/claim-refund";
import { claimToken } from "@daric/refunds/claim-token";
import { createApp } from "@daric/server/app";
import { aMerchant, anAddress } from "@daric/testing/builders";
import { aCharge, aDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { ownersDatabase } from "@daric/testing/owners-database";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";

const SOON_MS = 2_000;
const POLICY = 1_008;
let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let url: string;
/** the SQL statements of the app's shared poll */
let statements: string[] = [];
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  [app, url] = await listening();
});
afterAll(async () => {
  await app.close();
  await context.close();
});

/** A process of role `api`, whose bounded reads are counted. */
async function listening(): Promise<[ApiApp, string]> {
  const { db } = context;
  const answeringWithin: typeof db.answeringWithin = (ms) => {
    const quick = db.answeringWithin(ms);
    const query: typeof quick.query = (statement) => {
      statements.push(statement.sql);
      return quick.query(statement);
    };
    return { ...quick, query };
  };
  const made = createApp({ ...context, db: { ...db, answeringWithin } });
  return [made, await made.listen({ host: "127.0.0.1", port: 0 })];
}

async function aMember(of?: MerchantId) {
  const merchantId = of ?? (await aMerchant(context.db)).id;
  const person = await aPerson(context, { places: [{ merchantId, role: "owner" }] });
  return { merchantId, person, browser: await signedIn(app, person, merchantId) };
}

type Parts = Record<string, string>;

function socketOf({ cookie = "" }: Pick<Browser, "cookie">, query: string, { at = url, origin = url } = {}) {
  const address = `${at.replace("http", "ws")}/dashboard/v1/live${query}`;
  return new WebSocket(address, { origin, headers: { cookie } });
}

/** Opens a page's socket and collects its messages. */
async function open(browser: Browser, query = `?merchantId=${browser.merchantId}`, at = url) {
  const socket = socketOf(browser, query, { at, origin: at });
  const received: Parts[] = [];
  socket.on("message", (text) => received.push(JSON.parse(String(text)).data));
  await expect.poll(() => received.length, { timeout: SOON_MS }).toBe(1);
  const changed = async () => {
    await expect.poll(() => received.length, { timeout: SOON_MS }).toBeGreaterThan(1);
    const [before = {}, after = {}] = [received[0], received.at(-1)];
    received.splice(0, received.length - 1);
    return Object.keys(after).filter((part) => before[part] !== after[part]);
  };
  return { socket, received, changed };
}

async function refusalOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
    socket.once("open", () => reject(new Error("the socket was opened")));
  });
}

it("a page hears within a second which part of its merchant changed, from any process, and nothing of others", async () => {
  const { merchantId, browser } = await aMember();
  const [other, otherUrl] = await listening();
  const [page, elsewhere] = [await open(browser), await open(browser, undefined, otherUrl)];
  expect(Object.keys(page.received[0] ?? {})).toEqual(["payments", "webhooks", "account"]);

  const charge = await aCharge(context.db, { merchantId, amount: "10" });
  expect(await page.changed()).toEqual(["payments"]);
  expect(await elsewhere.changed()).toEqual(["payments"]);
  await aDeposit(context.db, { chargeId: charge.id, amount: "10", status: "CONFIRMING", blockNumber: 100 });
  await setChainTime(context.db, new Date());
  expect(await page.changed()).toEqual(["payments"]);

  await browser.send(`/dashboard/v1/payments/${charge.id}/notes`, { text: "seen" });
  expect(await page.changed()).toEqual(["account"]);

  await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id, amount: "10" });
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(page.received).toHaveLength(1);
  await other.close();
  page.socket.terminate();
});

it("a page hears of each block while a refund is being paid, because its transfer has no event", async () => {
  const { merchantId, browser } = await aMember();
  const { id } = await aCharge(context.db, { merchantId, amount: "10" });
  await aDeposit(context.db, { chargeId: id, amount: "15" });
  await setChainTime(context.db, new Date());
  const refund = (await browser.send(`/v1/deposit-addresses/${id}/refunds`, {})).body.data;
  const claimed = { merchantId, id: idOf("refund", refund.id), claimNumber: 1 };
  const token = claimToken(context, claimed);
  await claimRefund(context, { token, address: anAddress(), vet: async () => undefined });
  const page = await open(browser);
  const aBlock = () =>
    ownersDatabase(context.db).query(sql`update scan_cursors set number = number + 1 where true`);
  await aBlock();
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(page.received).toHaveLength(1);
  await browser.send(`/v1/refunds/${refund.id}/pay`, {});
  expect(await page.changed()).toContain("payments");
  await aBlock();
  expect(await page.changed()).toEqual(["payments"]);
  page.socket.terminate();
});

it("any number of pages cost two statements each half second, and none without a page", async () => {
  const members = await Promise.all([aMember(), aMember(), aMember()]);
  const pages = await Promise.all([...members, ...members].map(({ browser }) => open(browser)));
  statements = [];
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.length).toBeLessThanOrEqual(6);
  expect(new Set(statements).size).toBe(2);
  for (const { socket } of pages) socket.close();
  await Promise.all(pages.map(({ socket }) => once(socket, "close")));
  await new Promise((resolve) => setTimeout(resolve, 100));
  statements = [];
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(statements).toEqual([]);
});

it("a socket ends when its session ends, and when its person loses the merchant", async () => {
  const { merchantId, browser } = await aMember();
  const leaving = await aMember(merchantId);
  const [ended, left] = [await open(browser), await open(leaving.browser)];
  const codes = Promise.all([once(ended.socket, "close"), once(left.socket, "close")]);
  await context.owner.query(sql`delete from memberships where person_id = ${leaving.person.id}`);
  await browser.send("/dashboard/v1/sign-out", {});
  expect((await codes).map(([code]) => code)).toEqual([POLICY, POLICY]);
});

it("a cashier's page hears of own orders and links alone, and follows a change of the role", async () => {
  const { merchantId } = await aMember();
  const person = await aPerson(context, { places: [{ merchantId, role: "cashier" }] });
  const browser = await signedIn(app, person, merchantId);
  const page = await open(browser);
  expect(Object.keys(page.received[0] ?? {})).toEqual(["payments"]);
  const other = await aCharge(context.db, { merchantId, amount: "10" });
  await aDeposit(context.db, { chargeId: other.id, amount: "10" });
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(page.received).toHaveLength(1);

  const own = await aCharge(context.db, { merchantId, createdBy: person.id, amount: "10" });
  expect(await page.changed()).toEqual(["payments"]);
  await aDeposit(context.db, { chargeId: own.id, amount: "10" });
  expect(await page.changed()).toEqual(["payments"]);
  await browser.send("/v1/payment-links", { title: "Ticket", amount: "5" });
  expect(await page.changed()).toEqual(["payments"]);

  const become = (role: string) =>
    context.owner.query(sql`update memberships set role = ${role} where person_id = ${person.id}`);
  await become("viewer");
  expect(await page.changed()).toEqual(["payments", "webhooks", "account"]);
  await become("cashier");
  expect(await page.changed()).toEqual(["payments"]);
  expect(Object.keys(page.received[0] ?? {})).toEqual(["payments"]);
  page.socket.terminate();
});

it("a page of another site, a request without a session, and another's merchant are refused", async () => {
  const [{ browser }, stranger] = [await aMember(), await aMember()];
  const query = `?merchantId=${browser.merchantId}`;
  expect(await refusalOf(socketOf(browser, query, { origin: "https://evil.example" }))).toBe(404);
  expect(await refusalOf(socketOf({ cookie: undefined }, query))).toBe(401);
  expect(await refusalOf(socketOf(stranger.browser, query))).toBe(404);
  expect(await refusalOf(socketOf(browser, ""))).toBe(403);
  expect((await browser.send(`/dashboard/v1/live${query}`)).status).toBe(404);
});

it("an operator hears of the service, and a session has at most twenty sockets", async () => {
  const operator = await signedIn(app, await aPerson(context, { isOperator: true }));
  const page = await open(operator, "");
  expect(Object.keys(page.received[0] ?? {})).toEqual(["service"]);
  const others = await Promise.all(Array.from({ length: 19 }, () => open(operator, "")));
  expect(await refusalOf(socketOf(operator, ""))).toBe(429);
  for (const { socket } of [page, ...others]) socket.terminate();
});
