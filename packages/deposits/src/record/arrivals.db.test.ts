import type { Transfer, UnsupportedTransfer } from "@daric/chain/blocks/decode-transfers";
import type { Charge } from "@daric/charges/charge";
import { amountIn } from "@daric/domain/money";
import { sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { alarms, listening } from "@daric/testing/watch";
import { addressToHex, hexToAddress } from "@daric/tron/address";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listDeposits } from "../list-store.ts";
import { lookUpTransaction } from "../look-up-transaction.ts";
import { orphanDeposits } from "../status-store.ts";
import { reportUnsupported } from "./report-block.ts";
import { reportOutflows } from "./report-outflows.ts";

const scope = { network: "devnet", epoch: 1n };
const now = Date.now();
const OUTSIDE = `41${"11".repeat(20)}`;
const page = { limit: 10, offset: 0 };
let context: TestContext & { close(): Promise<void> };
let ours: Charge;
let other: Charge;
let txId: string;
let serial = 0;

beforeAll(async () => {
  context = await createTestContext();
  ours = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id, currency: "TRX" });
  other = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id, currency: "TRX" });
});
afterAll(() => context.close());
beforeEach(() => {
  serial += 1;
  txId = serial.toString(16).padStart(64, "0");
});

const block = (number: number, mark = "a") => ({
  number,
  id: number.toString(16).padStart(16, "0") + mark.repeat(48),
  parentId: "0".repeat(64),
  timeMs: now + number * 3_000,
  witnessHex: OUTSIDE,
});

type Path = { from?: string; to?: string };

/** TRX that a contract sends, or a native transfer. */
function trx(units: bigint, { from = OUTSIDE, to = OUTSIDE, ...rest }: Path & Partial<Transfer>): Transfer {
  const common = { txId, source: "internal", eventIndex: 0, isMerkleProven: false, ...rest } as const;
  return { ...common, currency: "TRX", fromHex: from, toHex: to, units: amountIn("TRX", units) };
}

const hexOf = ({ address }: Charge) => addressToHex(address);

const record = (number: number, transfers: Transfer[], mark?: string) =>
  context.db.transaction((tx) =>
    recordBlockOf(context, tx, { scope, header: block(number, mark), transfers }),
  );

const orphan = () => context.db.transaction((tx) => orphanDeposits(tx, scope, { above: 0 }));

describe("TRX that a contract sends", () => {
  it("is a deposit with its index in the transaction, listed and looked up like any other", async () => {
    const sent = [0, 3].map((eventIndex) => trx(4_000_000n, { to: hexOf(ours), eventIndex }));
    const { detected } = await record(1, sent);
    const internal = { status: "DETECTED", source: "internal", amount: 4_000_000n, isMerkleProven: false };
    expect(detected).toMatchObject([
      { ...internal, eventIndex: 0 },
      { ...internal, eventIndex: 3 },
    ]);
    const { merchantId } = ours;
    expect((await listDeposits(context.db, { merchantId, txHash: txId }, page)).total).toBe(2);
    const { rows } = await lookUpTransaction(context.db, { merchantId, txHash: txId }, page);
    expect(rows.map(({ deposit }) => deposit.source)).toEqual(["internal", "internal"]);
  });

  it("is included again with the amount of its new run, Merkle-proven or not", async () => {
    await record(1, [trx(4_000_000n, { to: hexOf(ours) })]);
    await orphan();
    const sent = trx(5_000_000n, { to: hexOf(ours), isMerkleProven: true });
    const { included } = await record(2, [sent], "b");
    expect(included).toMatchObject([{ amount: 5_000_000n, blockNumber: 2, isMerkleProven: true }]);
    await orphan();
    const { included: again } = await record(3, [{ ...sent, isMerkleProven: false }], "c");
    expect(again).toMatchObject([{ blockNumber: 3, isMerkleProven: false }]);
  });
});

describe("an outflow of our addresses", () => {
  const outflows = () =>
    context.db.query(sql`
      select merchant_id as "merchantId", address, units, block_number as "blockNumber", block_id as "blockId"
      from outflows where tx_id = ${txId} order by event_index`);

  it("is stored from the same read of a block as payments, with the address's merchant", async () => {
    const native = { source: "transfer", isMerkleProven: true } as const;
    const found = await record(1, [
      trx(7_000_000n, { from: hexOf(ours), ...native }),
      trx(2_000_000n, { from: hexOf(other), eventIndex: 1 }),
      trx(1_000_000n, { to: hexOf(ours), eventIndex: 2 }),
    ]);
    expect(found.outflows).toMatchObject([
      { merchantId: ours.merchantId, address: ours.address, units: 7_000_000n, isMerkleProven: true },
      { merchantId: other.merchantId, address: other.address, units: 2_000_000n, isMerkleProven: false },
    ]);
    expect(await outflows()).toMatchObject([{ address: ours.address }, { address: other.address }]);
  });

  it("to another of our addresses is both an outflow and a deposit", async () => {
    const found = await record(1, [trx(7_000_000n, { from: hexOf(ours), to: hexOf(other) })]);
    expect(found.outflows).toMatchObject([{ address: ours.address, toAddress: other.address }]);
    expect(found.detected).toMatchObject([{ address: other.address }]);
  });

  it("to the same address is not recorded", async () => {
    const found = await record(1, [trx(7_000_000n, { from: hexOf(ours), to: hexOf(ours) })]);
    expect([found.outflows, found.detected]).toEqual([[], []]);
  });

  it("belongs to the block that has it now, with its amount there, and is new only once", async () => {
    await record(1, [trx(7_000_000n, { from: hexOf(ours) })]);
    const again = await record(2, [trx(8_000_000n, { from: hexOf(ours) })], "b");
    expect(again.outflows).toEqual([]);
    expect(await outflows()).toMatchObject([
      { units: 8_000_000n, blockNumber: 2n, blockId: block(2, "b").id },
    ]);
  });

  it("may be the TRX of a contract call, which pays no order", async () => {
    const callValues = [
      trx(7_000_000n, { from: hexOf(ours), to: hexOf(other), source: "transfer", isMerkleProven: true }),
    ];
    const found = await context.db.transaction((tx) =>
      recordBlockOf(context, tx, { scope, header: block(1), transfers: [], callValues }),
    );
    expect(found.outflows).toMatchObject([
      { address: ours.address, units: 7_000_000n, isMerkleProven: true },
    ]);
    expect([found.count, found.detected]).toEqual([0, []]);
    expect(await outflows()).toMatchObject([{ address: ours.address, units: 7_000_000n }]);
  });

  it("raises an alarm only if the address's own key has signed nothing that explains it", async () => {
    const logged = listening(context);
    const { outflows: left } = await record(1, [
      trx(7_000_000n, { from: hexOf(ours), isMerkleProven: true }),
      trx(2_000_000n, { from: hexOf(ours), eventIndex: 1 }),
    ]);
    reportOutflows(logged.context, 1, left);
    expect(await alarms(context)).toEqual({ unexplained_outflow: 1 });
    expect(logged.lines).toMatchObject([{ address: ours.address, units: "2000000", currency: "TRX" }]);
  });
});

/** A transaction that adds its statements to `texts`. */
function noting(tx: Transaction, texts: string[]): Transaction {
  return {
    ...tx,
    query: (statement) => {
      texts.push(statement.text);
      return tx.query(statement);
    },
  };
}

it("hundreds of outflows and tokens of a block take as many statements as one of each; without them there is none", async () => {
  const counted = async (number: number, count: number) => {
    const serials = Array.from({ length: count }, (_, eventIndex) => eventIndex);
    const texts: string[] = [];
    await context.db.transaction((tx) =>
      recordBlockOf(context, noting(tx, texts), {
        scope,
        header: block(number),
        transfers: [
          trx(1n, { to: hexOf(other), source: "transfer" }),
          ...serials.map((eventIndex) => trx(1n, { from: hexOf(ours), eventIndex })),
        ],
        unsupported: serials.map((eventIndex) => ({
          txId,
          source: "log",
          eventIndex,
          contractHex: OUTSIDE,
          fromHex: OUTSIDE,
          toHex: hexOf(other),
          rawValue: 1n,
        })),
      }),
    );
    return texts;
  };
  const none = await counted(1, 0);
  txId = txId.replace(/^0/, "1");
  const one = await counted(2, 1);
  txId = txId.replace(/^1/, "2");
  const many = await counted(3, 300);
  expect([one.length - none.length, many.length - none.length]).toEqual([2, 2]);
});

describe("a token that is not accepted", () => {
  const token = (toHex: string, contractHex = `41${"33".repeat(20)}`): UnsupportedTransfer => ({
    txId,
    source: "log",
    eventIndex: 4,
    contractHex,
    fromHex: OUTSIDE,
    toHex,
    rawValue: 2n ** 200n,
  });
  const arrive = (number: number, unsupported: UnsupportedTransfer[]) =>
    context.db.transaction((tx) =>
      recordBlockOf(context, tx, { scope, header: block(number), transfers: [], unsupported }),
    );

  it("that reaches one of our addresses is stored once, apart from money, with its contract and full value", async () => {
    const { unsupported, count } = await arrive(1, [token(hexOf(ours)), token(OUTSIDE)]);
    expect([unsupported.length, count]).toEqual([1, 0]);
    expect((await arrive(2, [token(hexOf(ours))])).unsupported).toEqual([]);
    const rows = await context.db.query(sql`
      select merchant_id as "merchantId", address, contract, raw_value as "rawValue" from unsupported_transfers
      where tx_id = ${txId}`);
    const { merchantId, address } = ours;
    expect(rows).toEqual([
      { merchantId, address, contract: hexToAddress(`41${"33".repeat(20)}`), rawValue: String(2n ** 200n) },
    ]);
    expect((await listDeposits(context.db, { merchantId, txHash: txId }, page)).total).toBe(0);
  });

  it("of TRC-10 is named by its id, and each arrival is logged and counted", async () => {
    const logged = listening(context);
    const { unsupported } = await arrive(1, [token(hexOf(ours), "trc10:1002000")]);
    reportUnsupported(logged.context, 1, unsupported);
    expect(logged.lines).toMatchObject([{ contract: "trc10:1002000", address: ours.address }]);
    expect((await context.metrics.unsupportedTransfers.get()).values).toMatchObject([
      { labels: { source: "log" }, value: 1 },
    ]);
  });
});
