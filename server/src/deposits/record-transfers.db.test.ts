import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Transfer } from "../chain/decode-transfers.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import type { Charge } from "../charges/charge.ts";
import { amountIn } from "../domain/money.ts";
import { recordTransfers } from "./record-transfers.ts";
import { orphanDeposits } from "./status-store.ts";

const scope = { network: "devnet", epoch: 1n };
const now = Date.now();
let context: TestContext & { close(): Promise<void> };
let first: Charge;
let second: Charge;
let txId: string;
let serial = 0;

beforeAll(async () => {
  context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  first = await aCharge(context.db, { merchantId });
  second = await aCharge(context.db, { merchantId, currency: "TRX" });
});
afterAll(() => context.close());
beforeEach(() => {
  serial += 1;
  txId = serial.toString(16).padStart(64, "0");
});

const block = (number: number, mark = "a"): BlockHeader => ({
  number,
  id: number.toString(16).padStart(16, "0") + mark.repeat(48),
  parentId: "0".repeat(64),
  timeMs: now + number * 3_000,
});

const usdtTo = (charge: Charge, units: bigint): Transfer => ({
  txId,
  source: "log",
  eventIndex: 0,
  currency: "USDT",
  fromHex: `41${"11".repeat(20)}`,
  toHex: addressToHex(charge.address),
  units: amountIn("USDT", units),
});

const record = (header: BlockHeader, ...transfers: Transfer[]) =>
  context.db.transaction((tx) => recordTransfers(context, tx, { scope, header, transfers }));

const orphan = () => context.db.transaction((tx) => orphanDeposits(tx, scope, { above: 0 }));

it("a deposit that is included again has the amount, the recipient and the block of its new inclusion", async () => {
  await record(block(1), usdtTo(first, 5n));
  await orphan();
  const { included, detected, refused } = await record(block(2, "b"), usdtTo(second, 7n));
  expect([detected, refused]).toEqual([[], []]);
  expect(included).toMatchObject([
    {
      amount: 7n,
      chargeId: second.id,
      address: second.address,
      unmatched: true,
      blockNumber: 2,
      blockId: block(2, "b").id,
      blockTime: new Date(now + 6_000),
      previousStatus: "REORG_PENDING",
    },
  ]);
});

it("a deposit in a block that is read twice is no second sighting", async () => {
  await record(block(1), usdtTo(first, 5n));
  const again = await record(block(1), usdtTo(first, 5n));
  expect(again).toEqual({ count: 1, detected: [], included: [], refused: [] });
});

it("a deposit that stands in our chain is refused a second block, and stays as it is", async () => {
  await record(block(1), usdtTo(first, 5n));
  const { refused, included } = await record(block(2), usdtTo(first, 6n));
  expect(included).toEqual([]);
  expect(refused).toMatchObject([{ txId, blockId: block(2).id }]);
  const rows = await context.db.query(sql`
    select units, block_id as "blockId", status from deposits where tx_id = ${txId}`);
  expect(rows).toEqual([{ units: 5n, blockId: block(1).id, status: "DETECTED" }]);
});
