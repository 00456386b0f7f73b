import { sql } from "@daric/postgres/sql";
import { spreadTenants } from "@daric/postgres/tenants";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Transfer } from "../../chain/blocks/decode-transfers.ts";
import { amountIn } from "../../domain/money.ts";
import { NotYetError } from "../not-yet-error.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterEach(() => spreadTenants(undefined));
afterAll(() => context.close());

it("a payment waits for a node of a distributed database that does not show its order yet", async () => {
  spreadTenants((id) => id);
  const charge = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
  const transfer: Transfer = {
    txId: "1".padStart(64, "0"),
    source: "log",
    eventIndex: 0,
    isMerkleProven: true,
    currency: "USDT",
    fromHex: `41${"11".repeat(20)}`,
    toHex: addressToHex(charge.address),
    units: amountIn("USDT", 5n),
  };
  const header = aHeader({ number: 1, id: "1".padStart(64, "0"), timeMs: Date.now() });
  const record = () =>
    context.db.transaction((tx) =>
      recordBlockOf(context, tx, { scope: { network: "devnet", epoch: 1n }, header, transfers: [transfer] }),
    );
  // The node that failed during the commit: the directory has the address, and the order is not there.
  const moved = crypto.randomUUID();
  await context.owner.query(sql`
    update deposit_addresses set id = ${moved} where merchant_id = ${charge.merchantId} and id = ${charge.id}`);
  await expect(record()).rejects.toBeInstanceOf(NotYetError);
  await context.owner.query(sql`
    update deposit_addresses set id = ${charge.id} where merchant_id = ${charge.merchantId} and id = ${moved}`);
  expect((await record()).detected).toMatchObject([{ chargeId: charge.id, amount: 5n }]);
});
