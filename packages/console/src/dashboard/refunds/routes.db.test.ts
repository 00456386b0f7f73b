import { createHash } from "node:crypto";
import type { ChargeId, MerchantId, RefundId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import { amountIn } from "@daric/domain/money";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { claimRefund } from "@daric/refunds/claim-refund";
import { createApp } from "@daric/server/app";
import { saveTerms } from "@daric/settlement/plan/terms-store";
import { aMerchant, anAddress, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit, type ChargeOverrides } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { ownersDatabase } from "@daric/testing/owners-database";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let chain: ForkChain;
let merchantId: MerchantId;
let wallet: string;
let owner: Browser;

beforeEach(async () => {
  context = await createTestContext({ ...amplePeopleLimits, PUBLIC_BASE_URL: "http://localhost:3000" });
  app = createApp(context);
  chain = createForkChain(Date.now());
  chain.mine(20);
  await scan();
  merchantId = (await aMerchant(context.db)).id;
  wallet = (await aSettlementAccount(context.db, merchantId)).address;
  owner = await as("owner");
});
afterEach(async () => {
  await app.close();
  await context.close();
});

const as = async (role: MerchantRole) =>
  signedIn(app, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);

async function scan(blocks = 0): Promise<void> {
  chain.mine(blocks);
  await scanToRest(context, await aScanner(context, chain.reader));
}

/** An order of 10 TRX that got this much. */
async function paidOrder(units: bigint, overrides: Partial<ChargeOverrides> = {}) {
  const charge = await aCharge(context.db, {
    ...{ merchantId, currency: "TRX", amount: "10", orderRef: "A-1042" },
    ...overrides,
  });
  chain.pay(charge.address, units);
  await scan(30);
  return charge;
}

const dataOf = async (browser: Browser, url: string, body?: object) =>
  (await browser.send(url, body)).body.data;
const ask = (chargeId: ChargeId, body: object = {}) =>
  dataOf(owner, `/v1/deposit-addresses/${chargeId}/refunds`, body);
const facts = (id: RefundId, browser = owner) => dataOf(browser, `/dashboard/v1/refunds/${id}`);
const inbox = async () =>
  (await dataOf(owner, "/dashboard/v1/inbox")).map((row: { reasons: string[] }) => row.reasons);
const tasks = async (browser = owner): Promise<string[]> =>
  (await dataOf(browser, "/dashboard/v1/inbox/refunds")).map((row: { task: string }) => row.task);

async function claim(claimUrl: string, address = anAddress()): Promise<string> {
  const token = claimUrl.split("/r/")[1] ?? "";
  await claimRefund(context, { token, address, vet: async () => undefined });
  return address;
}

let serial = 0;
/** Sends TRX with the next block, by default from the merchant's wallet. */
function send(to: string, units: bigint, from = wallet): string {
  serial += 1;
  const txId = createHash("sha256").update(`dashboard refund ${serial}`).digest("hex");
  const hexes = { fromHex: addressToHex(from), toHex: addressToHex(to) };
  const contract = { kind: "transfer" as const, ...hexes, units: amountIn("TRX", units) };
  chain.include({ txId, contractRet: "SUCCESS", expirationMs: Date.now() + 1_200_000, contract });
  return txId;
}

/** Stores terms as the settlement role finds them: a transfer by hand costs so much TRX, which is worth so much of each coin. */
async function terms(handPaysFrom: bigint): Promise<void> {
  const none = { priceUsdE8: undefined, paysFrom: undefined, oldPaysFrom: undefined, oldAfterMs: 1 };
  const byHand = { handPrice: 6_428_500n, handPriceUsdE8: 192_855_000n, handPaysFrom };
  const all = (["USDT", "TRX"] as const).map((currency) => ({ currency, price: 1n, ...none, ...byHand }));
  await ownersDatabase(context.db).transaction((tx) => saveTerms(tx, { terms: all, foundAt: new Date() }));
}

describe("the refunds of a payment", () => {
  it("say what is left of each coin that came, what is too much, and what a transfer costs", async () => {
    const charge = await paidOrder(15_000_000n);
    await aDeposit(context.db, { chargeId: charge.id, currency: "USDT", amount: "3", unmatched: true });
    const url = `/dashboard/v1/payments/${charge.id}/refunds`;
    expect(
      (await dataOf(owner, url)).coins.find((coin: { currency: string }) => coin.currency === "TRX"),
    ).toEqual({
      ...{ currency: "TRX", is_own: true, received: "15", promised: "0", left: "15" },
      ...{ surplus: "5", default_amount: "5" },
      ...{ is_worth: true, cost_trx: null, cost_usd: null },
    });
    await terms(5_000_001n);
    await ask(charge.id, { amount: "2" });
    const { coins, refunds, ...order } = await dataOf(owner, url);
    expect(order).toMatchObject({ closes_order: false, is_paid_order: true });
    expect(coins).toEqual(
      expect.arrayContaining([
        {
          ...{
            currency: "TRX",
            is_own: true,
            received: "15",
            promised: "2",
            left: "13",
            surplus: "3",
            default_amount: "3",
          },
          ...{ is_worth: false, cost_trx: "6.4285", cost_usd: "1.93" },
        },
        expect.objectContaining({ currency: "USDT", surplus: "0", default_amount: "3" }),
      ]),
    );
    expect(refunds).toMatchObject([{ amount: "2", status: "REQUESTED", claim_url: null }]);
  });

  it("are refused to a person without the right to read them", async () => {
    const charge = await paidOrder(15_000_000n);
    const developer = await as("developer");
    expect((await developer.send(`/dashboard/v1/payments/${charge.id}/refunds`)).status).toBe(403);
    expect((await developer.send("/dashboard/v1/inbox/refunds")).status).toBe(403);
    const viewer = await as("viewer");
    expect((await viewer.send(`/dashboard/v1/payments/${charge.id}/refunds`)).status).toBe(200);
    expect((await viewer.send("/dashboard/v1/refunds/pay-file", { currency: "TRX" })).status).toBe(403);
  });
});

describe("the facts of a refund", () => {
  it("name the person that asked, the side that named the address, and whether it paid the order", async () => {
    const charge = await paidOrder(15_000_000n);
    const [sender] = await context.db.query<{ address: string }>(sql`
      select from_address as address from deposits where merchant_id = ${merchantId}`);
    const first = await ask(charge.id, { amount: "1" });
    expect(await facts(first.id)).toMatchObject({
      ...{ named_by: null, has_paid: null, is_claim_open: true, contract: null, is_main_network: false },
      asked_by: { kind: "person", name: "Ada" },
    });
    await claim(first.claim_url);
    expect(await facts(first.id)).toMatchObject({ named_by: "payer", has_paid: false, is_claim_open: false });
    const second = await ask(charge.id, { amount: "1" });
    await claim(second.claim_url, sender?.address);
    expect(await facts(second.id)).toMatchObject({ has_paid: true });
  });

  it("warn of each address that was replaced, and list the transfers that may be it", async () => {
    const refund = await ask((await paidOrder(15_000_000n)).id);
    const replaced = await claim(refund.claim_url);
    const again = await dataOf(owner, `/v1/refunds/${refund.id}/ask-again`, {});
    const address = await claim(again.claim_url);
    expect(await facts(refund.id)).toMatchObject({ replaced_addresses: [replaced], transfers: [] });
    const stranger = anAddress();
    const txHash = send(address, 5_000_000n, stranger);
    await scan(1);
    expect((await facts(refund.id)).transfers).toMatchObject([
      { tx_hash: txHash, from_address: stranger, amount: "5", status: "PROPOSED", is_in_chain: true },
    ]);
  });

  it("say that another owner or admin must confirm what a person asked for, where there is one", async () => {
    const refund = await ask((await paidOrder(15_000_000n)).id, { amount: "6" });
    expect(await facts(refund.id)).toMatchObject({ may_confirm: true });
    const admin = await as("admin");
    expect(await facts(refund.id)).toMatchObject({ may_confirm: false });
    expect(await facts(refund.id, admin)).toMatchObject({ may_confirm: true });
  });
});

describe("the inbox", () => {
  it("suggests the refund of what is too much, and has no task about it once it is asked for", async () => {
    const charge = await paidOrder(15_000_000n);
    expect(await dataOf(owner, "/dashboard/v1/inbox")).toMatchObject([
      { reasons: ["overpaid"], refunds: [{ amount: "5", currency: "TRX" }] },
    ]);
    const { id } = await ask(charge.id);
    expect(await inbox()).toEqual([]);
    await dataOf(owner, `/v1/refunds/${id}/cancel`, {});
    expect(await inbox()).toEqual([["overpaid"]]);
  });

  it("has no task about a surplus that is worth less than its transfer", async () => {
    await paidOrder(15_000_000n);
    await terms(5_000_001n);
    expect(await inbox()).toEqual([]);
    await terms(5_000_000n);
    expect(await inbox()).toEqual([["overpaid"]]);
  });

  it("suggests the refund of a canceled order and of money in the other coin", async () => {
    const short = await paidOrder(4_000_000n, { status: "ARCHIVED" });
    const other = await aCharge(context.db, { merchantId, currency: "TRX", amount: "10" });
    await aDeposit(context.db, { chargeId: other.id, currency: "USDT", amount: "3", unmatched: true });
    expect(await dataOf(owner, "/dashboard/v1/inbox")).toMatchObject([
      { reasons: ["unmatched"], refunds: [{ amount: "3", currency: "USDT" }] },
      { reasons: ["underpaid"], refunds: [{ amount: "4", currency: "TRX" }] },
    ]);
    await ask(short.id);
    await ask(other.id, { currency: "USDT" });
    expect(await inbox()).toEqual([]);
  });

  it("has a refund as a task while a person must confirm it, pay it, or look at a transfer", async () => {
    const charge = await paidOrder(15_000_000n);
    const refund = await ask(charge.id, { amount: "6" });
    expect(await tasks()).toEqual(["confirm"]);
    const address = await claim(refund.claim_url);
    await dataOf(await as("admin"), `/v1/refunds/${refund.id}/confirm`, {});
    expect(await tasks()).toEqual(["pay"]);
    const home = await dataOf(owner, "/dashboard/v1/home");
    expect([home.attention, await tasks(await as("viewer"))]).toEqual([1, ["pay"]]);
    send(address, 6_000_000n, anAddress());
    await scan(1);
    expect(await tasks()).toEqual(["proposal"]);
    await dataOf(owner, `/dashboard/v1/inbox/${charge.id}/decide`, { decision: "dismiss", note: "not ours" });
    expect(await tasks()).toEqual(["pay"]);
    send(address, 6_000_000n);
    await scan(30);
    expect(await tasks()).toEqual([]);
  });

  it("has a task about a refund that was paid after it was canceled, until a person decides about the payment", async () => {
    const charge = await paidOrder(15_000_000n);
    const refund = await ask(charge.id);
    const address = await claim(refund.claim_url);
    await dataOf(owner, `/v1/refunds/${refund.id}/cancel`, {});
    expect(await tasks()).toEqual([]);
    send(address, 5_000_000n);
    await scan(30);
    expect(await tasks()).toEqual(["paid_canceled"]);
    await dataOf(owner, `/dashboard/v1/inbox/${charge.id}/decide`, { decision: "dismiss", note: "agreed" });
    expect(await tasks()).toEqual([]);
  });

  it("has a task about a refund without an address whose link takes none any more", async () => {
    const refund = await ask((await paidOrder(15_000_000n)).id);
    expect(await tasks()).toEqual([]);
    await ownersDatabase(context.db).query(
      sql`update refunds set claim_until = now() - interval '1 minute' where merchant_id = ${merchantId} and id = ${refund.id}`,
    );
    expect(await tasks()).toEqual(["ask_again"]);
  });
});

describe("the file to pay by", () => {
  it("has each refund that is ready, with what a person checks, and keeps its address for half an hour", async () => {
    const charge = await paidOrder(15_000_000n, { orderRef: "=1+1" });
    const [sender] = await context.db.query<{ address: string }>(sql`
      select from_address as address from deposits where merchant_id = ${merchantId}`);
    const ready = await ask(charge.id, { amount: "2", refundRef: "R-7" });
    await claim(ready.claim_url, sender?.address);
    const other = await ask(charge.id, { amount: "1.5" });
    const address = await claim(other.claim_url);
    await ask(charge.id, { amount: "1" });
    const file = await dataOf(owner, "/dashboard/v1/refunds/pay-file", { currency: "TRX" });
    expect(file).toMatchObject({
      count: 2,
      opened_before: 0,
      name: expect.stringMatching(/^refunds-trx-.*\.csv$/),
    });
    expect(file.csv.split("\r\n")).toEqual([
      '"address","amount","reference","currency","asked_by","address_named_by","address_paid_order","refund_id"',
      `"${sender?.address}",2,"R-7","TRX","person Ada","payer",true,"${ready.id}"`,
      `"${address}",1.5,"'=1+1","TRX","person Ada","payer",false,"${other.id}"`,
      "",
    ]);
    expect((await owner.send(`/v1/refunds/${ready.id}/ask-again`, {})).body.error.code).toBe("REFUND_CLOSED");
    expect(await dataOf(owner, "/dashboard/v1/refunds/pay-file", { currency: "TRX" })).toMatchObject({
      opened_before: 2,
    });
    expect(await dataOf(owner, "/dashboard/v1/refunds/pay-file", { currency: "USDT" })).toMatchObject({
      count: 0,
    });
    const log = await context.db.query(sql`
      select after from audit_log where merchant_id = ${merchantId} and action = 'open refunds to pay' order by id limit 1`);
    expect(log).toEqual([{ after: { currency: "TRX", refunds: [ready.id, other.id] } }]);
  });

  it("leaves out a row that another program wrote, and so do the tasks; its facts say so", async () => {
    const refund = await ask((await paidOrder(15_000_000n)).id);
    await claim(refund.claim_url);
    await ownersDatabase(context.db).query(sql`
      update refunds set address = ${anAddress()} where merchant_id = ${merchantId} and id = ${refund.id}`);
    expect(await dataOf(owner, "/dashboard/v1/refunds/pay-file", { currency: "TRX" })).toMatchObject({
      count: 0,
    });
    expect(await tasks()).toEqual([]);
    expect(await facts(refund.id)).toMatchObject({ is_ours: false, has_paid: null });
  });
});
