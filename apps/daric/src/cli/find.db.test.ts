import { readFileSync } from "node:fs";
import type { Charge } from "@daric/charges/charge";
import { askForRefund } from "@daric/charges/close/ask-for-refund";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { aDevchain } from "@daric/testing/devchain-client";
import { anEndpointRow, depositData } from "@daric/testing/webhook-builders";
import { listDeliveries } from "@daric/webhooks/deliveries/delivery-log-store";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let order: Charge;
let txId: string;
let eventId: string;
let endpointId: string;

beforeAll(async () => {
  context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  endpointId = await anEndpointRow(context.db, merchantId);
  order = await aCharge(context.db, { merchantId, currency: "USDT", amount: "25.5", orderRef: "A-1042" });
  const deposit = await aDeposit(context.db, { chargeId: order.id, amount: "25.5" });
  ({ txId } = deposit);
  await context.db.transaction((tx) =>
    enqueueEvents(context, tx, [
      { merchantId, type: "deposit.confirmed", resourceId: deposit.id, data: depositData(deposit.id) },
    ]),
  );
  const { rows } = await listDeliveries(
    context.db,
    { merchantId, status: undefined, referenceId: deposit.id },
    { limit: 1, offset: 0 },
  );
  eventId = rows[0]?.eventId ?? "";
});
afterAll(() => context.close());

const find = (...args: string[]) => captureDaric(["find", ...args], daricVariables(context));

it("an order is found by its reference, its address or its id, and by the id of its transaction, deposit, event, delivery or endpoint", async () => {
  const byReference = JSON.parse((await find("A-1042", "--json")).out);
  expect(byReference).toMatchObject([
    {
      charge: {
        id: order.id,
        address: order.address,
        paymentStatus: "paid",
        due: "25.5 USDT",
        received: "25.5 USDT",
      },
      depositCount: 1,
      deposits: [{ status: "CONFIRMED", amount: "25.5 USDT", txHash: txId, waitsFor: null }],
      deliveries: [{ event: "deposit.confirmed", status: "PENDING", attempts: 0 }],
      decisions: [],
      toDo: ["nothing"],
    },
  ]);
  for (const text of [
    order.address,
    order.id,
    txId,
    `https://tronscan.org/#/transaction/${txId.toUpperCase()}`,
    byReference[0].deposits[0].id,
    byReference[0].deliveries[0].id,
    eventId,
    endpointId.toUpperCase(),
  ])
    expect(JSON.parse((await find(text, "--json")).out)).toEqual(byReference);
});

it("a refund is found by its id, with its order, what it waits for and its webhooks, and never its claim link", async () => {
  const paid = await aCharge(context.db, { merchantId: order.merchantId, amount: "5", orderRef: "A-9" });
  await aDeposit(context.db, { chargeId: paid.id, amount: "7.5" });
  const refund = await askForRefund(context, {
    ...{ merchantId: paid.merchantId, id: paid.id, amount: null, fiatAmount: null, currency: null },
    ...{ refundRef: "R-7", reason: null, address: null, askedBy: null, apiKeyId: null },
  });
  const { out } = await find(refund.id, "--json");
  expect(JSON.parse(out)).toMatchObject([
    {
      charge: { id: paid.id },
      refunds: [
        {
          ...{ id: refund.id, status: "REQUESTED", amount: "2.5 USDT", refundRef: "R-7", address: null },
          waitsFor: expect.stringContaining("an address of the payer"),
        },
      ],
      eventsWithoutDelivery: [{ event: "refund.requested" }],
    },
  ]);
  expect(out).not.toContain("/r/");
  expect((await find("A-9")).out).toContain(`refund ${refund.id}`);
});

it("the text output has the order, its deposits, its webhooks and the next step", async () => {
  const { code, out } = await find("A-1042");
  expect(code).toBe(0);
  for (const phrase of ["order A-1042", order.address, txId, "deposit.confirmed", "What to do:"])
    expect(out).toContain(phrase);
  expect(out.split("\n").length).toBeLessThan(50);
});

it("each line names an existing section of the manual", async () => {
  const sections = new Set(
    [
      ...readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8").matchAll(
        /^#+ (.+)$/gm,
      ),
    ].map(([, title = ""]) => title.toLowerCase().replaceAll(" ", "-")),
  );
  const [found] = JSON.parse((await find("A-1042", "--json")).out);
  const lines = [found.charge, ...found.deposits, ...found.deliveries];
  expect(lines).toHaveLength(3);
  const inFile = readFileSync(new URL("./find.ts", import.meta.url), "utf8");
  const named = [...inFile.matchAll(/docs\/operations\.md#(\w+)/g)].map(([, section = ""]) => section);
  for (const { runbook } of lines) expect(named).toContain(runbook.split("#")[1]);
  for (const section of named) expect(sections).toContain(section);
});

it("an event without an endpoint is shown without a delivery", async () => {
  const { id: merchantId } = await aMerchant(context.db);
  const { id: chargeId } = await aCharge(context.db, { merchantId, amount: "1", orderRef: "A-7" });
  const { id: resourceId } = await aDeposit(context.db, { chargeId, amount: "1" });
  const data = depositData(resourceId);
  await context.db.transaction((tx) =>
    enqueueEvents(context, tx, [{ merchantId, type: "deposit.confirmed", resourceId, data }]),
  );
  expect(JSON.parse((await find("A-7", "--json")).out)).toMatchObject([
    { deliveries: [], eventsWithoutDelivery: [{ event: "deposit.confirmed" }] },
  ]);
  expect((await find("A-7")).out).toMatch(/deposit\.confirmed +no endpoint/);
});

it.each(["", "  "])("an empty text (%j) is refused with the rule", async (text) => {
  const { code, err } = await find(text);
  expect([code, err]).toEqual([2, expect.stringMatching(/^daric: [^\n]*It must not be empty/)]);
});

it("a transaction that is no payment of ours is looked up at the nodes, which say what it is", async () => {
  const devchain = await aDevchain();
  try {
    const tronWeb = devchain.tronWeb(devchain.payer.privateKey);
    const away = await tronWeb.trx.sendTransaction("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", 3_000_000);
    const token = await tronWeb.contract().at(devchain.usdtContract);
    const reverted = await token
      .transfer("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "900000000000000")
      .send({ feeLimit: 100_000_000, shouldPollResponse: false });
    const paid = { address: order.address, trx: "2" };
    const [ours = ""] = (await devchain.control<{ txids: string[] }>("faucet", paid)).txids;
    await devchain.mine(1);
    const variables = { ...daricVariables(context), TRON_NETWORK: "devnet", TRON_NODE_URLS: devchain.url };
    const said = async (text: string) => {
      const { code, err } = await captureDaric(["find", text], variables);
      expect(code).toBe(1);
      return err;
    };
    expect(await said(away.txid)).toMatch(
      /127\.0\.0\.1:\d+: block \d+, it pays no address of ours: 3 TRX to TR7N/,
    );
    expect(await said(reverted)).toMatch(/it failed \(REVERT\), so it paid nothing/);
    expect(await said(ours)).toMatch(/it pays to our address \w+, and Daric has read/);
    expect(await said("ab".repeat(32))).toMatch(/127\.0\.0\.1:\d+ knows no such transaction in a block/);
    variables.TRON_NODE_URLS = "http://127.0.0.1:1";
    expect(await said(away.txid)).toContain("no node was asked");
  } finally {
    await devchain.stop();
  }
});

it("an id that begins with 0x is of another network, and a reference of 64 hex digits is found", async () => {
  const { code, err } = await find(`0x${txId}`);
  expect([code, err]).toEqual([1, expect.stringMatching(/0x is a transaction of another network/)]);
  const { id: merchantId } = await aMerchant(context.db);
  const orderRef = "5e".repeat(32);
  const { id } = await aCharge(context.db, { merchantId, amount: "1", orderRef });
  expect(JSON.parse((await find(orderRef, "--json")).out)).toMatchObject([{ charge: { id } }]);
});

it("an unknown reference is refused", async () => {
  expect(await find("A-9999")).toMatchObject({ code: 1, err: "daric: no payment is known of A-9999\n" });
});

it("a refusal shows control characters too, as in a text that was pasted", async () => {
  const { err } = await find("x\u001b[2Jq");
  expect(err).toContain("no payment is known of x\\u001b[2Jq");
});
