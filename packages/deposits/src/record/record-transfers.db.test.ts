import type { Transfer } from "@daric/chain/blocks/decode-transfers";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import type { Charge } from "@daric/charges/charge";
import { amountIn } from "@daric/domain/money";
import { sql } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { orphanDeposits } from "../status-store.ts";

const scope = { network: "devnet", epoch: 1n };
const now = Date.now();
let context: TestContext & { close(): Promise<void> };
let first: Charge;
let second: Charge;
let foreign: Charge;
let txId: string;
let serial = 0;

beforeAll(async () => {
  context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  first = await aCharge(context.db, { merchantId });
  second = await aCharge(context.db, { merchantId, currency: "TRX" });
  foreign = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
});
afterAll(() => context.close());
beforeEach(() => {
  serial += 1;
  txId = serial.toString(16).padStart(64, "0");
});

const block = (number: number, mark = "a"): BlockHeader =>
  aHeader({
    number,
    id: number.toString(16).padStart(16, "0") + mark.repeat(48),
    timeMs: now + number * 3_000,
  });

const usdtTo = (charge: Charge, units: bigint): Transfer => ({
  txId,
  source: "log",
  eventIndex: 0,
  isMerkleProven: true,
  currency: "USDT",
  fromHex: `41${"11".repeat(20)}`,
  toHex: addressToHex(charge.address),
  units: amountIn("USDT", units),
});

const record = (header: BlockHeader, ...transfers: Transfer[]) =>
  context.db.transaction((tx) => recordBlockOf(context, tx, { scope, header, transfers }));

const rowsOf = (id: string) =>
  context.db.query(sql`
    select address, units, block_id as "blockId", status from deposits where tx_id = ${id} order by block_number`);

const orphan = () => context.db.transaction((tx) => orphanDeposits(tx, scope, { above: 0 }));

it("a deposit that is included again has the amount and the block of its new inclusion", async () => {
  const { detected: before } = await record(block(1), usdtTo(first, 5n));
  await orphan();
  const { included, detected, refused } = await record(block(2, "b"), usdtTo(first, 7n));
  expect([detected, refused]).toEqual([[], []]);
  expect(included).toMatchObject([
    {
      id: before[0]?.id,
      amount: 7n,
      blockNumber: 2,
      blockId: block(2, "b").id,
      blockTime: new Date(now + 6_000),
      previousStatus: "REORG_PENDING",
    },
  ]);
});

it.each<[string, () => Charge]>([
  ["the same merchant", () => second],
  ["another merchant", () => foreign],
])("a transfer that after a fork pays an address of %s is a deposit of its own", async (_whose, payee) => {
  await record(block(1), usdtTo(first, 5n));
  await orphan();
  const { included, detected, refused } = await record(block(2, "b"), usdtTo(payee(), 7n));
  expect([included, refused]).toEqual([[], []]);
  expect(detected).toMatchObject([{ chargeId: payee().id, amount: 7n, status: "DETECTED" }]);
  expect(await rowsOf(txId)).toMatchObject([
    { address: first.address, status: "REORG_PENDING" },
    { address: payee().address, status: "DETECTED" },
  ]);
});

it("a second read of a deposit's block records nothing", async () => {
  await record(block(1), usdtTo(first, 5n));
  const again = await record(block(1), usdtTo(first, 5n));
  const nothing = {
    detected: [],
    included: [],
    refused: [],
    unattributed: [],
    outflows: [],
    unsupported: [],
  };
  expect(again).toEqual({ count: 1, ...nothing });
});

it("a deposit in our chain stays unchanged if a second block has its transfer", async () => {
  await record(block(1), usdtTo(first, 5n));
  const { refused, included } = await record(block(2), usdtTo(first, 6n));
  expect(included).toEqual([]);
  expect(refused).toMatchObject([{ txId, address: first.address }]);
  expect(await rowsOf(txId)).toMatchObject([{ units: 5n, blockId: block(1).id, status: "DETECTED" }]);
});

it("a deposit in our chain stays unchanged if a second block pays another address of its merchant", async () => {
  await record(block(1), usdtTo(first, 5n));
  const { refused, detected } = await record(block(2), usdtTo(second, 6n));
  expect([detected, refused.map(({ address }) => address)]).toEqual([[], [second.address]]);
  expect(await rowsOf(txId)).toMatchObject([{ address: first.address, status: "DETECTED" }]);
});

it("the id of a deposit derives from its transfer, so that a second database computes the same", async () => {
  const { detected } = await record(block(1), usdtTo(first, 5n));
  const id = derivedId("deposit", "devnet", txId, "log", 0, first.address);
  expect(detected).toMatchObject([{ id }]);
});
