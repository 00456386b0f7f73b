import { NodeError } from "@daric/chain/blocks/node-error";
import { type Charge, getRefByToken } from "@daric/charges/charge";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import { createLookUp, type LookupChain } from "@daric/deposits/lookup/look-up";
import { insertUnsupported } from "@daric/deposits/record/unsupported-store";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { BODY_LIMIT_BYTES } from "@daric/http/server";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anAddress } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge, aDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPaymentLookup } from "./look-up-payment.ts";

const NOTHING_MORE = {
  amount: null,
  currency: null,
  confirmations: null,
  requiredConfirmations: null,
  addressEnd: null,
  retryAfterSeconds: null,
};
const NOT_FOUND = { ...NOTHING_MORE, result: "not_found", retryAfterSeconds: 20 };
const UNKNOWN = "0f".repeat(32);

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
let app: ApiApp;
let merchantId: MerchantId;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
  app = createApp(context, { currentChain: () => chain });
  merchantId = (await aMerchant(context.db)).id;
  // Our own blocks end below those of the chain.
  await setChainTime(context.db, new Date());
  await context.owner.query(sql`update scan_cursors set number = 10`);
});
afterAll(async () => {
  await app.close();
  await chain.stop();
  await context.close();
});

const anOrder = (overrides: Partial<Parameters<typeof aCharge>[1]> = {}) =>
  aCharge(context.db, { merchantId, amount: "25.5", ...overrides });

type Token = Pick<Charge, "checkoutToken">;

let payers = 0;
/** An address without earlier look-ups. */
function nextAddress(): string {
  payers += 1;
  return `10.0.0.${payers}`;
}

async function lookUp({ checkoutToken }: Token, txHash: unknown, server = app) {
  const url = `/v1/checkout/${checkoutToken}/lookup`;
  const remoteAddress = nextAddress();
  const answer = await server.inject({ method: "POST", url, payload: { txHash }, remoteAddress });
  const { data, error } = answer.json();
  return { status: answer.statusCode, data, error, headers: answer.headers };
}
const found = async (charge: Token, txHash: string) => (await lookUp(charge, txHash)).data;

/** Sends the form as a payer without scripts, and returns the page. */
async function form({ checkoutToken }: Token, txHash: string) {
  const answer = await app.inject({
    method: "POST",
    url: `/c/${checkoutToken}`,
    remoteAddress: nextAddress(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ txHash }).toString(),
  });
  return {
    status: answer.statusCode,
    shown: /data-answer>(.*?)<\/p>/.exec(answer.body)?.[1]?.replace(/<[^>]*>/g, ""),
    body: answer.body,
  };
}

describe("a transaction in our own blocks", () => {
  it("is counted once it is final, and seen with its confirmations before that", async () => {
    const order = await anOrder();
    const final = await aDeposit(context.db, { chargeId: order.id, amount: "20" });
    const seen = await aDeposit(context.db, {
      chargeId: order.id,
      amount: "5.5",
      status: "CONFIRMING",
      blockNumber: 4,
    });
    expect(await found(order, `https://tronscan.org/#/transaction/${final.txId.toUpperCase()}`)).toEqual({
      ...NOTHING_MORE,
      result: "counted",
      amount: "20",
      currency: "USDT",
    });
    expect(await found(order, seen.txId)).toEqual({
      ...NOTHING_MORE,
      result: "seen",
      amount: "5.5",
      currency: "USDT",
      confirmations: 7,
      requiredConfirmations: 19,
    });
  });

  it("has no confirmation while its block is off the chain, and is failed once it cannot pay", async () => {
    const order = await anOrder();
    const off = await aDeposit(context.db, { chargeId: order.id, status: "REORG_PENDING", blockNumber: 4 });
    const failed = await aDeposit(context.db, { chargeId: order.id, status: "FAILED" });
    expect(await found(order, off.txId)).toMatchObject({ result: "seen", confirmations: 0 });
    expect(await found(order, failed.txId)).toEqual({ ...NOTHING_MORE, result: "failed" });
  });

  it("is of another token for TRX to an order in USDT, and for an unknown token", async () => {
    const order = await anOrder();
    const { txId } = await aDeposit(context.db, { chargeId: order.id, amount: "50", currency: "TRX" });
    expect(await found(order, txId)).toEqual({
      ...NOTHING_MORE,
      result: "other_token",
      amount: "50",
      currency: "TRX",
    });
    const token = "ab".repeat(32);
    const arrival = {
      id: "0193a1b2-0000-7000-8000-000000000001",
      merchantId,
      chargeId: order.id,
      txId: token,
      source: "log",
      eventIndex: 0,
      address: order.address,
      fromAddress: anAddress(),
      contract: anAddress(),
      rawValue: 1n,
    } as const;
    const block = { number: 5, blockId: "cd".repeat(32) };
    await context.db.transaction((tx) =>
      insertUnsupported(tx, { network: "devnet", block, arrivals: [arrival] }),
    );
    expect(await found(order, token)).toEqual({ ...NOTHING_MORE, result: "other_token" });
  });

  it("is known to its own order alone: another order of the merchant gets the same answer as a stranger", async () => {
    const [order, other] = [await anOrder(), await anOrder({ orderRef: "SECRET-7" })];
    const { txId } = await aDeposit(context.db, { chargeId: other.id });
    const { data, headers } = await lookUp(order, txId);
    expect(data).toEqual(NOT_FOUND);
    expect(JSON.stringify([data, headers])).not.toMatch(/SECRET|0199|T[1-9A-HJ-NP-Za-km-z]{33}/);
  });
});

describe("a transaction that a node knows", () => {
  it("is seen if it paid here in a block that we have not read", async () => {
    const order = await anOrder();
    const [usdt = ""] = await chain.pay(order.address, { usdt: "25.5" });
    expect(await found(order, usdt)).toEqual(NOT_FOUND);
    await chain.mine(1);
    const seen = { ...NOTHING_MORE, result: "seen", confirmations: 0, requiredConfirmations: 19 };
    expect(await found(order, usdt)).toEqual({ ...seen, amount: "25.5", currency: "USDT" });
    expect(await form(order, usdt)).toMatchObject({
      status: 200,
      shown: expect.stringContaining("0 of 19 confirmations"),
    });
  });

  it("is of another token, or went elsewhere; another address of ours makes no difference", async () => {
    const order = await anOrder();
    const foreign = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
    const sibling = await anOrder();
    const [trx = ""] = await chain.pay(order.address, { trx: "50" });
    const outsider = anAddress();
    const [away = ""] = await chain.pay(outsider, { usdt: "1" });
    const [toOther = ""] = await chain.pay(foreign.address, { usdt: "1" });
    const [toSibling = ""] = await chain.pay(sibling.address, { usdt: "1" });
    await chain.mine(1);
    await aDeposit(context.db, { chargeId: sibling.id, txId: toSibling });
    expect(await found(order, trx)).toMatchObject({ result: "other_token", amount: "50", currency: "TRX" });
    for (const [txId, address] of [
      [away, outsider],
      [toSibling, sibling.address],
      [toOther, foreign.address],
    ] as const)
      expect(await found(order, txId)).toEqual({
        ...NOTHING_MORE,
        result: "other_address",
        addressEnd: address.slice(-4),
      });
  });

  it("is not found if our own block has no payment to this order, whatever the node says", async () => {
    const order = await anOrder();
    const [txId = ""] = await chain.pay(order.address, { usdt: "25.5" });
    await chain.mine(1);
    await context.owner.query(sql`update scan_cursors set number = 100000`);
    expect(await found(order, txId)).toEqual(NOT_FOUND);
    await context.owner.query(sql`update scan_cursors set number = 10`);
  });
});

describe("a malformed transaction id", () => {
  it("is refused by its form, without a query", async () => {
    const order = await anOrder();
    expect(await found(order, `0x${UNKNOWN}`)).toEqual({ ...NOTHING_MORE, result: "not_on_tron" });
    for (const junk of ["", "A-1042", 7, null, "a".repeat(501)]) {
      const { status, error } = await lookUp(await anOrder(), junk);
      expect([status, error.code, error.details[0].path]).toEqual([422, "VALIDATION_ERROR", "txHash"]);
    }
  });

  it("is answered on the page, which never repeats the input", async () => {
    const typed = `"><script>alert(1)</script>`;
    const { status, shown, body } = await form(await anOrder(), typed);
    expect([status, shown]).toEqual([200, expect.stringContaining("no transaction ID")]);
    expect(body).not.toContain("alert(1)");
    expect(body).toContain('<details class="lookup" open>');
    expect(body).toContain('<meta http-equiv="refresh" content="60">');
  });

  it("gets a page whatever was sent, and logs no fault", async () => {
    const { checkoutToken } = await anOrder();
    const post = async (type: string | undefined, payload = "") => {
      const headers = type === undefined ? {} : { "content-type": type };
      const answer = await app.inject({ method: "POST", url: `/c/${checkoutToken}`, headers, payload });
      return [answer.statusCode, answer.headers["content-type"]];
    };
    const html = "text/html; charset=utf-8";
    expect(await post(undefined)).toEqual([200, html]);
    expect(await post("application/x-www-form-urlencoded", "__proto__=a&txHash=1&txHash=2&%zz")).toEqual([
      200,
      html,
    ]);
    expect(await post("application/json", '{"txHash":"1"}')).toEqual([415, html]);
    expect(await post("multipart/form-data; boundary=a", "--a")).toEqual([415, html]);
    expect(await post("no media type", "txHash=1")).toEqual([415, html]);
    const tooLong = `txHash=${"1".repeat(BODY_LIMIT_BYTES)}`;
    expect(await post("application/x-www-form-urlencoded", tooLong)).toEqual([413, html]);
  });
});

async function lookedUp(order: Token, clientAddress: string) {
  const ref = await getRefByToken(context.db, order.checkoutToken);
  return { ...ref, currency: "USDT", due: null, clientAddress } as const;
}

/** A look-up over three nodes with these answers. */
function countingNodes(answer: () => Promise<undefined>) {
  let server = 0;
  const findRun = () => {
    server += 1;
    return answer();
  };
  const nodes = ["a", "b", "c"].map((label) => ({ label, findRun }));
  const lookUpPayment = lookUpOver({ client: { nodes }, network: chain.network });
  return { lookUpPayment, server: () => server };
}

function lookUpOver(chain: LookupChain | undefined) {
  const currentChain = () => chain;
  const lookUp = createLookUp(context);
  return createPaymentLookup({ ...context, lookUp, currentChain, requiredConfirmations: 19 });
}

describe("a look-up is bounded", () => {
  it("to six a minute for one checkout, on its page and in the API, separately for each", async () => {
    const [order, other] = [await anOrder(), await anOrder()];
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await lookUp(order, UNKNOWN)).status);
    for (let n = 0; n < 3; n += 1) statuses.push((await form(order, UNKNOWN)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect((await lookUp(order, UNKNOWN)).headers["retry-after"]).toMatch(/^\d+$/);
    expect((await lookUp(other, UNKNOWN)).status).toBe(200);
  });

  it("to 60 node calls a minute, 40 for one merchant and 20 for one address; beyond them it is busy, except for our own blocks", async () => {
    const order = await anOrder();
    const { txId } = await aDeposit(context.db, { chargeId: order.id });
    const { server, lookUpPayment } = countingNodes(async () => undefined);
    const [other, third] = [await aMerchant(context.db), await aMerchant(context.db)];
    const charge = await lookedUp(order, "10.1.0.1");
    const theirs = await lookedUp(await anOrder({ merchantId: other.id }), "10.1.0.9");
    const fromThere = await lookedUp(await anOrder({ merchantId: third.id }), "10.1.0.10");
    const results = async (of: typeof charge, count: number) => {
      const shown = new Map<string, number>();
      for (let n = 0; n < count; n += 1) {
        const { result } = await lookUpPayment(of, { txId: n.toString(16).padStart(64, "0") });
        shown.set(result, (shown.get(result) ?? 0) + 1);
      }
      return Object.fromEntries(shown);
    };
    // Two calls a look-up, and two nodes while most is left: an address can look up five unknown payments.
    expect(await results(charge, 8)).toEqual({ not_found: 5, busy: 3 });
    expect(server()).toBe(10);
    expect(await lookUpPayment(charge, { txId: UNKNOWN })).toEqual({
      result: "busy",
      retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60),
    });
    // One node each, once half of all is spent.
    expect(await results(await lookedUp(order, "10.1.0.2"), 12)).toEqual({ not_found: 7, busy: 5 });
    expect(server()).toBe(20);
    expect(await results(await lookedUp(order, "10.1.0.3"), 2)).toEqual({ busy: 2 });
    // The honest payer of another shop still gets answers, and the last of all are refused.
    expect(await results(theirs, 10)).toEqual({ not_found: 10 });
    expect(await results(fromThere, 2)).toEqual({ busy: 2 });
    expect(server()).toBe(30);
    expect(await lookUpPayment(charge, { txId })).toMatchObject({ result: "counted" });
  });

  it("to the next node if one fails, also when little is left", async () => {
    const order = await lookedUp(await anOrder(), "10.1.0.1");
    const { server, lookUpPayment } = countingNodes(async () => {
      throw new NodeError("away", { fault: "unreachable", node: "a" });
    });
    expect(await lookUpPayment(order, { txId: UNKNOWN })).toMatchObject({ result: "not_found" });
    expect(server()).toBe(2);
  });

  it("to eight node queries at once, however long these take, so that other requests keep their slots", async () => {
    const order = await anOrder();
    const waiting: (() => void)[] = [];
    const findRun = () => new Promise<undefined>((resolve) => waiting.push(() => resolve(undefined)));
    const nodes = [{ label: "a", findRun }];
    const lookUpPayment = lookUpOver({ client: { nodes }, network: chain.network });
    const charge = await lookedUp(order, "10.1.0.1");
    const results: string[] = [];
    const lookUps = Array.from({ length: 12 }, async () => {
      results.push((await lookUpPayment(charge, { txId: UNKNOWN })).result);
    });
    await expect.poll(() => [waiting.length, results.join()]).toEqual([8, "busy,busy,busy,busy"]);
    for (const answer of waiting) answer();
    await Promise.all(lookUps);
  });

  it("to tokens of ours: any other text is not found", async () => {
    for (const checkoutToken of [newCheckoutToken(context.checkoutKey), "x", "A".repeat(40), "%00"])
      expect((await lookUp({ checkoutToken }, UNKNOWN)).status).toBe(404);
  });

  it("to our own blocks while no node is verified", async () => {
    const order = await anOrder();
    const lookUpPayment = lookUpOver(undefined);
    const charge = await lookedUp(order, "10.1.0.1");
    expect(await lookUpPayment(charge, { txId: UNKNOWN })).toEqual({
      result: "not_found",
      retryAfterSeconds: 20,
    });
  });
});
