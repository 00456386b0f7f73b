import { addressBytes } from "@daric/addresses/address-bytes";
import { createAddressSource } from "@daric/addresses/address-source";
import { issuedInDirectory } from "@daric/addresses/directory-store";
import { issueAddress } from "@daric/addresses/issue-address";
import { idOf } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { copyDatabase, type TestDatabase } from "@daric/testing/database";
import { alarms } from "@daric/testing/watch";
import { uuidv7 } from "uuidv7";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startDepositWorker } from "./worker.ts";

const MERCHANT = idOf("merchant", uuidv7());

let chain: TestChain;
let context: TestContext & { close(): Promise<void> };
let restored: TestDatabase | undefined;

beforeEach(async () => {
  chain = await startTestChain();
  context = await createTestContext();
});
afterEach(async () => {
  await restored?.drop();
  await context.close();
  await chain.stop();
});

/** The addresses of this many orders. */
async function order(db: Queryable, count: number): Promise<string[]> {
  const source = createAddressSource({ ...context, db: context.db });
  const orders = Array.from({ length: count }, () =>
    issueAddress(source, MERCHANT, async ({ bytes, address, accountKeyId, index }) => {
      await db.query(
        issuedInDirectory(sql`
          select ${bytes}::bytea, ${uuidv7()}::uuid, ${uuidv7()}::uuid, ${accountKeyId}::uuid, ${index}::bigint`),
      );
      return address;
    }),
  );
  const addresses = await Promise.all(orders);
  await source.stop();
  return addresses;
}

it("a payment for an order that a restored database lacks is stored as unattributed, with an alarm", {
  timeout: 300_000,
}, async () => {
  await order(context.db, 1);
  restored = await copyDatabase(context.config.runtime.databaseUrl);
  const [forgotten = ""] = await order(context.db, 1);
  const [txId] = await chain.pay(forgotten, { usdt: "7.5" });
  await chain.mine(3);

  const { db } = restored;
  const watcher = startDepositWorker({ ...context, db }, chain);
  const kept = () => db.query(sql`select tx_id, address, currency, units from unattributed_transfers`);
  await expect
    .poll(kept, { timeout: 240_000 })
    .toEqual([{ tx_id: txId, address: addressBytes(forgotten), currency: "USDT", units: 7_500_000n }]);
  await watcher.stop();
  expect(await alarms(context)).toEqual({ index_gap: 1, unattributed_transfer: 1 });
});
