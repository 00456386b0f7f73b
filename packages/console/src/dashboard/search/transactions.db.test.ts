import { insertUnsupported } from "@daric/deposits/record/unsupported-store";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anAddress } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { aBrowser, amplePeopleLimits, aPerson, type Browser } from "@daric/testing/people";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

const ADDRESS = "198.51.100.7";
let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;
let app: ApiApp;
let merchantId: MerchantId;
let browser: Browser;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(amplePeopleLimits), startTestChain()]);
  // Our own blocks end below those of the chain.
  await setChainTime(context.db, new Date());
  await readUpTo(10);
});
afterAll(async () => {
  await chain.stop();
  await context.close();
});
beforeEach(async () => {
  app = createApp(context, { currentChain: () => chain });
  merchantId = (await aMerchant(context.db)).id;
  const person = await aPerson(context, { places: [{ merchantId, role: "viewer" }] });
  browser = aBrowser(app, ADDRESS);
  await browser.signIn(person.email);
  browser.merchantId = merchantId;
  return () => app.close();
});

const readUpTo = (height: number) => context.owner.query(sql`update scan_cursors set number = ${height}`);
const search = async (text: string) =>
  (await browser.send(`/dashboard/v1/search?q=${encodeURIComponent(text)}`)).body.data;
const NOTHING = { address: null, amount: null, currency: null };

it("a merchant reads what the nodes say of a transaction that is no payment of its own, and nothing of other merchants", async () => {
  const order = await aCharge(context.db, { merchantId, amount: "25.5" });
  const foreign = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
  const outsider = anAddress();
  const [here = ""] = await chain.pay(order.address, { usdt: "25.5" });
  const [away = ""] = await chain.pay(outsider, { trx: "3" });
  const [toForeign = ""] = await chain.pay(foreign.address, { usdt: "1" });
  await chain.mine(1);
  const paid = { result: "seen", address: order.address, amount: "25.5", currency: "USDT" };
  expect(await search(here)).toEqual({ results: [], is_cut: false, transaction: paid });
  const elsewhere = { result: "other_address", address: outsider, amount: "3", currency: "TRX" };
  expect((await search(`https://tronscan.org/#/transaction/${away}`)).transaction).toEqual(elsewhere);
  expect((await search(toForeign)).transaction).toMatchObject({
    result: "other_address",
    address: foreign.address,
  });
  expect((await search("0f".repeat(32))).transaction).toEqual({ result: "not_found", ...NOTHING });
  expect((await search(`0x${here}`)).transaction).toEqual({ result: "not_on_tron", ...NOTHING });
  await readUpTo(100_000);
  expect((await search(here)).transaction).toEqual({ ...paid, result: "missed" });
  await readUpTo(10);
  expect((await search("A-1042")).transaction).toBeNull();
});

it("a token that is not accepted leads to the payment that it came to", async () => {
  const order = await aCharge(context.db, { merchantId, amount: "25.5" });
  const txId = "ab".repeat(32);
  const arrival = {
    id: "0193a1b2-0000-7000-8000-000000000001",
    merchantId,
    chargeId: order.id,
    txId,
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
  const { results, transaction } = await search(txId);
  expect(results).toMatchObject([{ id: order.id, why: "transaction" }]);
  expect(transaction).toBeNull();
});

it("people and payers of one address share one budget of node calls", async () => {
  const { checkoutToken } = await aCharge(context.db, { merchantId });
  const results: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    const { transaction } = await search(n.toString(16).padStart(64, "0"));
    results.push(transaction.result);
  }
  expect(results).toEqual([...Array(10).fill("not_found"), "no_answer", "no_answer"]);
  const url = `/v1/checkout/${checkoutToken}/lookup`;
  const payload = { txHash: "0f".repeat(32) };
  const answer = await app.inject({ method: "POST", url, payload, remoteAddress: ADDRESS });
  expect(answer.json().data).toMatchObject({ result: "busy", retryAfterSeconds: expect.any(Number) });
});
