import { NodeError } from "@daric/chain/blocks/node-error";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { askForRefund, type RefundRequest } from "@daric/charges/close/ask-for-refund";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { one, sql } from "@daric/postgres/sql";
import { askAgain } from "@daric/refunds/ask-again";
import { cancelRefund } from "@daric/refunds/cancel-refund";
import { moveRefund } from "@daric/refunds/change-refund";
import { claimToken } from "@daric/refunds/claim-token";
import type { Refund } from "@daric/refunds/refund";
import { findRefund, lockRefund } from "@daric/refunds/store";
import { createApp } from "@daric/server/app";
import { aMerchant, anAddress } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const SHOP = "Bits & <i>Bobs</i>";
const SENDER = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
let app: ApiApp;
let merchantId: MerchantId;
/** an account of the chain */
let known: string;

beforeAll(async () => {
  [context, chain] = await Promise.all([
    createTestContext({ TRUSTED_PROXIES: "127.0.0.1" }),
    startTestChain(),
  ]);
  app = createApp(context, { currentChain: () => chain });
  merchantId = (await aMerchant(context.db, { name: SHOP, supportEmail: "help@shop.example" })).id;
  known = chain.devchain.payer.address;
});
afterAll(async () => {
  await app.close();
  await chain.stop();
  await context.close();
});

const nothing = {
  ...{ amount: null, fiatAmount: null, currency: null, refundRef: null, reason: null, address: null },
  ...{ askedBy: null, apiKeyId: null },
} as const;

/** A refund of 5 USDT that came too much for an order. */
async function aRefund(request: Partial<RefundRequest> = {}, overrides: Partial<ChargeOverrides> = {}) {
  const charge = await aCharge(context.db, { merchantId, amount: "25", orderRef: "A-17", ...overrides });
  await aDeposit(context.db, { chargeId: charge.id, amount: "30", fromAddress: SENDER });
  return askForRefund(context, { ...nothing, merchantId, id: charge.id, ...request });
}
const again = async ({ id }: Pick<Refund, "id">) =>
  (await findRefund(context.db, { merchantId, id })) ?? expect.fail("no refund");

let clients = 0;
/** Each call is of a client of its own. */
function aClient() {
  clients += 1;
  return { "x-forwarded-for": `203.0.${Math.floor(clients / 250)}.${(clients % 250) + 1}` };
}

async function claim(refund: Refund, address: string, by = app) {
  const url = `/v1/refund-claims/${claimToken(context, refund)}`;
  const answer = await by.inject({ method: "POST", url, payload: { address }, headers: aClient() });
  const { data, error } = answer.json();
  return { status: answer.statusCode, data, code: error?.code, message: answer.json().message, answer };
}
async function look(refund: Refund) {
  const answer = await app.inject(`/v1/refund-claims/${claimToken(context, refund)}`);
  return { status: answer.statusCode, data: answer.json().data, message: answer.json().message };
}
const page = (refund: Refund, query = "") => app.inject(`/r/${claimToken(context, refund)}${query}`);
async function submit(
  refund: Refund,
  fields: Record<string, string>,
  { query = "", headers = {}, by = app } = {},
) {
  return by.inject({
    method: "POST",
    url: `/r/${claimToken(context, refund)}${query}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...aClient(), ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}
/** The address with another letter in its middle. */
function wrongByOne(address: string): string {
  return `${address.slice(0, 12)}${address[12] === "a" ? "b" : "a"}${address.slice(13)}`;
}

describe("the page of a claim link", () => {
  it("says what, how much, from which shop and for which order; looking changes nothing", async () => {
    const refund = await aRefund();
    for (let times = 0; times < 3; times += 1) {
      const { statusCode, body, headers } = await page(refund);
      expect(statusCode).toBe(200);
      expect(body).toContain("Bits &amp; &lt;i&gt;Bobs&lt;/i&gt;");
      expect(body.replace(/<[^>]*>/g, "")).toContain("5.00\u00a0USDT");
      expect(body).toContain("A-17");
      expect(body).toContain('<form class="order" method="post">');
      expect(body).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
      expect(headers).toMatchObject({
        "referrer-policy": "same-origin",
        "cache-control": expect.stringContaining("no-store"),
        "x-robots-tag": "noindex, nofollow",
        "content-security-policy": expect.stringMatching(/script-src 'none'.*frame-ancestors 'none'/),
      });
    }
    expect(refund).toMatchObject(await again(refund));
  });

  it("takes an address in two steps: it is shown in groups first, and taken when it is confirmed", async () => {
    const refund = await aRefund();
    const first = await submit(refund, { address: ` ${known.slice(0, 9)} ${known.slice(9)}\u200b\n` });
    expect(first.statusCode).toBe(200);
    expect(first.body).toContain(`<span>${known.slice(0, 4)}</span><span>${known.slice(4, 8)}</span>`);
    expect(first.body).toContain("look alike at both ends");
    expect(first.body).toContain("No payment of this order came from this address.");
    expect((await again(refund)).address).toBeNull();
    const second = await submit(refund, { address: known, confirmed: "yes" }, { query: "?lang=ar" });
    expect([second.statusCode, second.headers.location]).toEqual([
      303,
      `${claimToken(context, refund)}?lang=ar`,
    ]);
    expect(await again(refund)).toMatchObject({ status: "READY", address: known, namedBy: "payer" });
    const after = (await page(refund)).body;
    expect(after).toContain("Your address is saved");
    expect(after).toContain(`<span>${known.slice(0, 4)}</span>`);
    expect(after).not.toContain("<form");
  });

  it("says that an address paid the order, and that it may be an exchange's", async () => {
    const { body } = await submit(await aRefund(), { address: SENDER });
    expect(body).toContain("This address paid the order. If you paid from an exchange");
  });

  it("says that an address is new on the chain, and that the first transfer activates it", async () => {
    const refund = await aRefund();
    const { body } = await submit(refund, { address: anAddress() });
    expect(body).toContain("The first transfer to it activates it.");
    expect((await submit(refund, { address: known })).body).not.toContain("activates");
  });

  it("refuses a form that another site sent", async () => {
    const refund = await aRefund();
    const fields = { address: known, confirmed: "yes" };
    const foreign = await submit(refund, fields, { headers: { origin: "https://evil.example" } });
    expect(foreign.statusCode).toBe(403);
    expect((await again(refund)).address).toBeNull();
    const { publicBaseUrl = "" } = context.config.http;
    const ours = await submit(refund, fields, { headers: { origin: new URL(publicBaseUrl).origin } });
    expect(ours.statusCode).toBe(303);
  });

  it.each([
    ["", "Escriba su dirección."],
    ["hello", "Esto no es una dirección de TRON."],
    ["0x52908400098527886E0F7030069857D2E4169EE7", "Esta es una dirección de Ethereum."],
    ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "Esta es una dirección de Bitcoin."],
    [wrongByOne(SENDER), "Hay un carácter equivocado."],
    ['"><script>alert(1)</script>', "Esto no es una dirección de TRON."],
  ])("names the fault of %j in the page's language, and keeps what was typed", async (address, told) => {
    const { statusCode, body } = await submit(await aRefund(), { address }, { query: "?lang=es" });
    expect(statusCode).toBe(422);
    expect(body.replace(/<[^>]*>/g, "")).toContain(told);
    expect(body).toContain('aria-describedby="fault hint" aria-invalid="true"');
    expect(body).not.toContain("<script>alert");
  });

  it("of two browsers at one claim takes the first address, and tells the second", async () => {
    const refund = await aRefund();
    const other = anAddress();
    await Promise.all([submit(refund, { address: known }), submit(refund, { address: other })]);
    const answers = await Promise.all(
      [known, other].map((address) => submit(refund, { address, confirmed: "yes" })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409)?.body ?? "";
    expect(refused).toContain("This link took an address already.");
    const { address } = await again(refund);
    expect(refused).toContain(`<span>${address?.slice(4, 8)}</span>`);
  });

  it.each([
    ["canceled", "canceled this refund", 200, async (refund: Refund) => cancelRefund(context, refund)],
    [
      "expired",
      "This link has expired",
      409,
      (refund: Refund) =>
        context.owner.query(sql`
          update refunds set claim_until = now() where merchant_id = ${merchantId} and id = ${refund.id}`),
    ],
    ["replaced", "There is a newer link", 409, async (refund: Refund) => askAgain(context, refund)],
  ])("of a %s link gives the reason and asks for nothing", async (_, told, status, end) => {
    const refund = await aRefund();
    await end(refund);
    const { statusCode, body } = await page(refund);
    expect([statusCode, body.includes("<form")]).toEqual([status, false]);
    expect(body).toContain(told);
    const posted = await submit(refund, { address: known, confirmed: "yes" });
    expect([posted.statusCode, posted.body.includes(told)]).toEqual([409, true]);
    expect((await again(refund)).address).toBeNull();
  });

  it("shows how the money goes: on the chain, and paid with its transaction", async () => {
    const refund = await aRefund();
    await claim(refund, known);
    const txId = "5e".repeat(32);
    const move = (change: Omit<Parameters<typeof moveRefund>[2], "refund">) =>
      context.db.transaction(async (tx) => {
        const locked = (await lockRefund(tx, refund)) ?? expect.fail("no refund");
        return moveRefund(context, tx, { ...change, refund: locked });
      });
    await move({ event: "seen", txId, sentAt: new Date() });
    expect((await page(refund)).body).toContain("The money is on its way");
    await move({ event: "completed", completedAt: new Date(), paidUnits: refund.units });
    const { statusCode, body } = await page(refund);
    expect([statusCode, body.includes("<form"), body.includes(txId)]).toEqual([200, false, true]);
    expect(body.replace(/<[^>]*>/g, "")).toContain("5.00\u00a0USDT went to your address.");
    expect(await claim(refund, SENDER)).toMatchObject({ status: 409, code: "REFUND_CLOSED" });
    expect((await look(refund)).data).toMatchObject({ tx_hash: txId, paid_amount: "5", address: known });
  });

  it("behind a link that a newer one replaced shows nothing of the refund", async () => {
    const refund = await aRefund();
    await claim(await askAgain(context, refund), known);
    const { body } = await page(refund);
    expect(body).not.toMatch(/A-17|USDT/);
    expect(body).not.toContain(known.slice(4, 8));
    expect((await look(refund)).status).toBe(409);
  });

  it("proposes the sender of a large surplus; another address needs the shop's word", async () => {
    const charge = await aCharge(context.db, { merchantId, amount: "25" });
    await aDeposit(context.db, { chargeId: charge.id, amount: "500", fromAddress: SENDER });
    const refund = await askForRefund(context, { ...nothing, merchantId, id: charge.id });
    const { body } = await page(refund);
    expect(body).toContain(`name="address" value="${SENDER}"`);
    expect(body).toContain("must agree to any other address");
    expect((await submit(refund, { address: known })).body).toContain("must agree first");
    await submit(refund, { address: known, confirmed: "yes" });
    expect(await again(refund)).toMatchObject({
      status: "REQUESTED",
      address: known,
      needsConfirmation: "other_address",
    });
    expect((await page(refund)).body).toContain("must confirm the refund");
  });

  it("never passes on its link with a report to the operator", async () => {
    await aMerchant(context.db);
    const refund = await aRefund();
    const { body } = await page(refund);
    expect(body).toContain("Report this page");
    expect(body).not.toContain(claimToken(context, refund));
  });
});

describe("a made-up token", () => {
  it("costs no query, and gets the page or the JSON of a link that leads nowhere", async () => {
    const alone = createApp(await createOfflineContext());
    const token = claimToken(context, await aRefund());
    const made = ["x", "A".repeat(92), `${token.slice(0, -2)}AA`, `${token}A`];
    for (const junk of made)
      for (const method of ["GET", "POST"] as const) {
        const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
        const shown = await alone.inject({ method, url: `/r/${junk}`, headers });
        expect([shown.statusCode, shown.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
        const payload = method === "POST" ? { payload: { address: known } } : {};
        const told = await alone.inject({ method, url: `/v1/refund-claims/${junk}`, ...payload });
        expect([told.statusCode, told.json().error.code]).toEqual([404, "NOT_FOUND"]);
      }
    await alone.close();
  });
});

describe("POST /v1/refund-claims/:token", () => {
  it("takes an address once; the same again answers the same, another 409", async () => {
    const refund = await aRefund();
    expect((await look(refund)).data).toEqual({
      ...{ shop: SHOP, order_ref: "A-17", amount: "5", currency: "USDT", status: "REQUESTED" },
      ...{ takes_address: true, waits_for_shop: false, default_address: null, address: null },
      ...{ address_paid_order: null, claim_expires_at: refund.claimUntil.toISOString() },
      ...{ tx_hash: null, paid_amount: null },
    });
    const first = await claim(refund, SENDER);
    expect(first.status).toBe(200);
    expect(first.data).toMatchObject({ status: "READY", address: SENDER, address_paid_order: true });
    expect(first.data.takes_address).toBe(false);
    expect(await claim(refund, SENDER)).toMatchObject({ status: 200, data: first.data });
    expect(await claim(refund, known)).toMatchObject({ status: 409, code: "REFUND_CLOSED" });
    expect((await look(refund)).data).toEqual(first.data);
  });

  it("refuses an address of ours in the words for any unusable one, the token, and one that the token blocked", async () => {
    const refund = await aRefund();
    const ours = await aCharge(context.db, { merchantId, amount: "1" });
    const unusable = "address cannot take this refund: use the address of a wallet of your own";
    expect(await claim(refund, ours.address)).toMatchObject({ status: 422, message: unusable });
    const [token] = chain.network.tokens;
    expect((await claim(refund, token?.contract ?? "")).message).toMatch(/is a contract/);
    const blocked = anAddress();
    await chain.devchain.control("token", { blacklist: [blocked] });
    await chain.mine(1);
    expect((await claim(refund, blocked)).message).toMatch(/is blacklisted by USDT/);
    expect(await again(refund)).toMatchObject({ address: null, refusedAddresses: 3 });
  });

  it("closes with ten refused addresses, also those of the form, until the shop asks again", async () => {
    const refund = await aRefund();
    const set = (count: number) =>
      context.owner.query(sql`
        update refunds set refused_addresses = ${count} where merchant_id = ${merchantId} and id = ${refund.id}`);
    await set(8);
    expect((await submit(refund, { address: "hello" })).statusCode).toBe(422);
    expect((await claim(refund, wrongByOne(known))).status).toBe(422);
    expect(await claim(refund, known)).toMatchObject({ status: 409, code: "REFUND_CLOSED" });
    expect((await page(refund)).body).toContain("takes no more addresses");
    const next = await askAgain(context, refund);
    expect((await claim(next, known)).status).toBe(200);
  });

  it("of a canceled refund answers 409 REFUND_CLOSED", async () => {
    const refund = await aRefund();
    await cancelRefund(context, refund);
    expect(await claim(refund, known)).toMatchObject({ status: 409, code: "REFUND_CLOSED" });
    expect((await look(refund)).data).toMatchObject({ status: "CANCELED", takes_address: false });
  });

  it("takes six a minute of a link", async () => {
    const refund = await aRefund();
    for (let times = 0; times < 6; times += 1) expect((await claim(refund, "hello")).status).toBe(422);
    const seventh = await claim(refund, known);
    expect([seventh.status, seventh.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(seventh.answer.headers["retry-after"])).toBeGreaterThan(0);
    const shown = await submit(refund, { address: known });
    expect([shown.statusCode, shown.body.includes("could not check the address")]).toEqual([429, true]);
  });

  it("is not shown a refund that another program changed, nor does it change it", async () => {
    const refund = await aRefund();
    await context.owner.query(sql`
      update refunds set units = units + 1 where merchant_id = ${merchantId} and id = ${refund.id}`);
    expect((await look(refund)).status).toBe(404);
    expect((await claim(refund, known)).status).toBe(404);
  });
});

describe("while nodes", () => {
  const withNode = (call: TronNode["call"]) => {
    const [node] = chain.client.nodes;
    if (node === undefined) throw new Error("no node");
    const lying = new Proxy(node, { get: (of, name) => (name === "call" ? call : Reflect.get(of, name)) });
    const by = createApp(context, {
      currentChain: () => ({ ...chain, client: { ...chain.client, nodes: [lying] } }),
    });
    return by;
  };

  it("do not answer, fail, or are not known yet, no address passes, and none counts as refused", async () => {
    const refund = await aRefund();
    const failing = withNode(async () => {
      throw new NodeError("is away", { fault: "unreachable", node: "node" });
    });
    const hanging = withNode(() => new Promise(() => {}));
    const starting = createApp(context, { currentChain: () => undefined });
    for (const by of [failing, hanging, starting]) {
      const told = await claim(refund, known, by);
      expect([told.status, told.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    }
    const shown = await submit(refund, { address: known, confirmed: "yes" }, { by: failing });
    expect([shown.statusCode, shown.body.includes(`value="${known}"`)]).toEqual([503, true]);
    expect(await again(refund)).toMatchObject({ address: null, refusedAddresses: 0 });
    await Promise.all([failing.close(), hanging.close(), starting.close()]);
  });

  it("say that an address is a contract, it is refused", async () => {
    const hex = (params: object) => (params as { address: string }).address;
    const by = withNode(async (path, params, parse) =>
      parse(
        path.endsWith("getaccount")
          ? { address: hex(params), type: "Contract" }
          : { result: { result: true }, constant_result: ["0".repeat(64)] },
      ),
    );
    expect((await claim(await aRefund(), anAddress(), by)).message).toMatch(/is a contract, not a wallet/);
    await by.close();
  });

  it("are asked no more than the look-up's limits allow one client", async () => {
    const by = createApp(context, { currentChain: () => chain });
    const headers = { "x-forwarded-for": "198.51.100.7" };
    const statuses: number[] = [];
    for (let times = 0; times < 11; times += 1) {
      const refund = await aRefund();
      const answer = await submit(refund, { address: anAddress() }, { headers, by });
      statuses.push(answer.statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 503]);
    await by.close();
  });
});

it("a claim is announced once it makes the refund ready", async () => {
  const refund = await aRefund();
  await claim(refund, known);
  const { types } = one(
    await context.owner.query<{ types: string[] }>(sql`
      select array_agg(type order by position) as types from webhook_events
      where merchant_id = ${merchantId} and resource_id = ${refund.id}`),
  );
  expect(types).toEqual(["refund.requested", "refund.ready"]);
});
