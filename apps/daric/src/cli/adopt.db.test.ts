import { addressBytes } from "@daric/addresses/address-bytes";
import { createAddressSource } from "@daric/addresses/address-source";
import { ensureAccountKey } from "@daric/addresses/key-store";
import { listFoundMoney } from "@daric/addresses/unattributed-store";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { aMerchant, aSettlementAccount } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext, TEST_INTEGRITY_KEY, TEST_XPUB } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { runRescan } from "@daric/testing/rescans";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, it } from "vitest";

let chain: TestChain;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  [chain, context] = await Promise.all([startTestChain(), createTestContext()]);
  merchantId = (await aMerchant(context.db)).id;
  await aSettlementAccount(context.db, merchantId);
  await chain.scan(context);
});
afterAll(async () => {
  await context.close();
  await chain.stop();
});

const addressAt = (index: number) => deriveReceiveAddress(parseAccountXpub(TEST_XPUB), index);

/** An address of an index gap, as after a restore. */
async function lostAddress(index: number): Promise<string> {
  const address = addressAt(index);
  const key = await ensureAccountKey(context.db, { id: idOf("accountKey", uuidv7()), xpub: TEST_XPUB });
  await context.db.query(sql`update account_keys set next_index = greatest(next_index, ${index + 1})`);
  await context.db.query(sql`
    insert into address_directory (address, account_key_id, derivation_index)
    values (${addressBytes(address)}, ${key}, ${index})`);
  return address;
}

async function pay(address: string, usdt: string): Promise<string> {
  const [txId = ""] = await chain.pay(address, { usdt });
  // The block is verified, although no deposit waits for it.
  await chain.mine(80);
  await chain.scan(context);
  return txId;
}

const daric = (...args: string[]) =>
  captureDaric(args, {
    ...daricVariables(context, chain.devchain.url),
    DATABASE_DIRECT_URL: context.ownerUrl,
    ACCOUNT_XPUB: TEST_XPUB,
    DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY,
  });
const adopt = (address: string, orderRef: string, ...more: string[]) =>
  daric("adopt", address, "--merchant", merchantId, "--order-ref", orderRef, "--no-wait", "--json", ...more);

async function readAgain(): Promise<void> {
  const [row] = await context.db.query<{ id: bigint }>(
    sql`select id from rescans where finished_at is null order by id limit 1`,
  );
  await runRescan(context, await chain.scanner(context), Number(row?.id));
  await chain.mine(1);
  await chain.scan(context);
}

async function events() {
  return context.db.query(sql`
    select type, id::text, resource_id::text as "of" from webhook_events
    where merchant_id = ${merchantId} order by created_at desc, type limit 2`);
}

/** The output of `daric find` about our merchant's charges. */
async function find(text: string): Promise<{ charge: { merchantId: string } }[]> {
  const all: { charge: { merchantId: string } }[] = JSON.parse((await daric("find", text, "--json")).out);
  return all.filter(({ charge }) => charge.merchantId === merchantId);
}

const foundMoney = async () => JSON.parse((await daric("doctor", "--json")).out).foundMoney;

it("money of a lost order becomes a deposit of its merchant under its old ids, and the doctor finds no violation", async () => {
  const address = await lostAddress(300);
  const txId = await pay(address, "25.5");
  const path = "m/44'/195'/0'/0/300";
  const listed = { address, path, amount: "25.5", currency: "USDT", txHash: txId };
  expect(await foundMoney()).toMatchObject([listed]);
  for (const text of [address, txId])
    expect(JSON.parse((await daric("find", text, "--json")).out)).toMatchObject([
      { foundMoney: [listed], toDo: [expect.stringContaining("daric adopt")] },
    ]);
  for (const { out } of [await daric("find", address), await daric("doctor")])
    expect(out).toMatch(
      new RegExp(`Money of unknown orders: 1 transfer .*${address} +${path} +25.5 +USDT +${txId}`, "s"),
    );

  const id = uuidv7();
  const { code, out, err } = await adopt(address, "A-1", "--id", id);
  expect([code, err]).toEqual([0, ""]);
  expect(JSON.parse(out)).toMatchObject({ depositAddressId: id, isNew: true, transfers: 1 });
  expect((await daric("doctor")).out).toContain("transfer to a charge's address that was not credited");

  await readAgain();
  // The first reading reported the transfer: no node omitted it.
  const alarms = await context.metrics.registry.getSingleMetricAsString("daric_alarms_total");
  expect(alarms).toContain('daric_alarms_total{alarm="omitted_transfer"} 0');
  const depositId = derivedId("deposit", "devnet", txId, "log", 0, address);
  expect(await events()).toEqual([
    { type: "deposit.confirmed", id: derivedId("event", depositId, "deposit.confirmed"), of: depositId },
    { type: "order.paid", id: derivedId("event", id, "order.paid"), of: id },
  ]);
  const { code: broken, out: books } = await daric("doctor", "--json");
  expect([broken, JSON.parse(books).foundMoney]).toEqual([0, []]);
  expect(await find("A-1")).toMatchObject([
    { charge: { id, due: "25.5 USDT", paymentStatus: "paid" }, deposits: [{ status: "CONFIRMED" }] },
  ]);
  expect(
    await context.db.query(sql`select action, subject from audit_log where merchant_id = ${merchantId}`),
  ).toEqual([{ action: "adopt", subject: `charge ${id}` }]);
  expect(JSON.parse((await adopt(address, "A-1", "--id", id)).out)).toMatchObject({ isNew: false });
});

it("without --id and --amount any amount pays, and only the deposit is announced", async () => {
  const address = await lostAddress(301);
  await pay(address, "3");
  const { depositAddressId } = JSON.parse((await adopt(address, "A-2")).out);
  await readAgain();
  expect(await events()).toMatchObject([{ type: "deposit.confirmed" }, expect.anything()]);
  expect(await find(depositAddressId)).toMatchObject([{ charge: { due: null } }]);
});

it("an address beyond the known indexes is found by derivation, and its payments are deposits from then on", async () => {
  const { code, err, out } = await adopt(addressAt(1_234), "A-3", "--amount", "7");
  expect([code, err]).toEqual([0, ""]);
  const [row] = await context.db.query<{ next: bigint }>(sql`select next_index as next from account_keys`);
  expect(Number(row?.next)).toBeGreaterThan(1_234);
  await pay(addressAt(1_234), "7");
  expect(await find("A-3")).toMatchObject([
    { charge: { id: JSON.parse(out).depositAddressId, paymentStatus: "paid" } },
  ]);
});

it("a refused adoption changes nothing", async () => {
  const taken = await aCharge(context.db, { merchantId, amount: "1", orderRef: "B-1" });
  const lost = await lostAddress(302);
  const refused = async (...args: Parameters<typeof adopt>) => (await adopt(...args)).err;
  expect(await refused(taken.address, "B-2")).toContain(
    `belongs to charge ${taken.id} of merchant ${merchantId} already (order B-1)`,
  );
  expect(await refused("TNo", "B-2")).toContain('"TNo" is no TRON address');
  expect(await refused(lost, "B-2", "--id", "7")).toContain('--id "7" is no id');
  expect(await refused(lost, "B-2", "--id", taken.id, "--amount", "1")).toContain(
    "another charge of this merchant",
  );
  expect(
    await context.db.query(sql`
    select merchant_id from address_directory where address = ${addressBytes(lost)}`),
  ).toEqual([{ merchant_id: null }]);
});

it("on a distributed database a reserved address is adopted for its own merchant alone", async () => {
  const leaveServers = await standOnServers(context);
  try {
    const source = createAddressSource(context);
    const { address } = await source.take(merchantId);
    const { address: older } = await source.take(merchantId);
    await source.stop();
    const olderTxId = await pay(older, "3");
    const txId = await pay(address, "4");
    expect(await foundMoney()).toMatchObject([{ address, txHash: txId }, { address: older }]);
    const { id: other } = await aMerchant(context.db);
    await aSettlementAccount(context.db, other);
    const forOther = await daric("adopt", address, "--merchant", other, "--order-ref", "N-1", "--no-wait");
    expect(forOther.err).toContain(`was issued for merchant ${merchantId}: name that one`);
    expect(JSON.parse((await adopt(address, "N-1")).out)).toMatchObject({ isNew: true, transfers: 1 });
    expect((await daric("doctor")).out).toContain("transfer to a charge's address that was not credited");
    // The first of these is of an earlier test.
    await readAgain();
    await readAgain();
    expect(await find("N-1")).toMatchObject([{ deposits: [{ status: "CONFIRMED", txHash: txId }] }]);
    // The adopted one is newer, and takes no place of the list.
    expect(
      await listFoundMoney(context.db, { network: context.config.chain.network, limit: 1 }),
    ).toMatchObject([{ txId: olderTxId }]);
  } finally {
    await leaveServers();
  }
});
