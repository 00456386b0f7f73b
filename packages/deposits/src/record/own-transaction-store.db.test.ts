import { amountIn } from "@daric/domain/money";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterEach, beforeEach, expect, it } from "vitest";
import { recordOwnTransactions } from "./own-transaction-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.close());

it("the sum returned to an address never falls by a second read of its block, and another block replaces it", async () => {
  const merchantId = (await aMerchant(context.db)).id;
  const { id: chargeId, address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "5" });
  const maxBurnt = amountIn("TRX", 1n);
  /** Records `returned` from a block, and returns the stored value. */
  const report = async (digit: string, returned: bigint) => {
    const own = [
      { merchantId, chargeId, address, txId: "ab".repeat(32), maxBurnt, returned, isTopUp: false },
    ];
    const block = { number: 7, blockId: digit.repeat(64) };
    await context.db.transaction((tx) => recordOwnTransactions(tx, { network: "devnet", block, own }));
    const [row] = await context.db.query<{ returned: string }>(
      sql`select returned::text as returned from own_transactions where merchant_id = ${merchantId}`,
    );
    return row?.returned;
  };
  expect([await report("a", 5n), await report("a", 0n), await report("a", 6n)]).toEqual(["5", "5", "6"]);
  expect(await report("b", 2n)).toBe("2");
});
