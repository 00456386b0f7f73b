import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listDeposits } from "../list-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
  await chain.scan(context);
}, 60_000);
afterAll(() => Promise.all([context.close(), chain.stop()]));

it.each(["witness_keys", "witnesses"] as const)(
  "12 of 27 %s that change at once delay nothing",
  async (kind) => {
    const { id: merchantId } = await aMerchant(context.db);
    const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" });
    await chain.mine(27);
    await chain.devchain.control("faults", { kind, count: 12 });
    await chain.pay(address, { trx: "25" });
    await chain.mine(19);
    await chain.scan(context);
    const { rows } = await listDeposits(context.db, { merchantId }, { limit: 300, offset: 0 });
    expect(rows.map(({ status }) => status)).toEqual(["CONFIRMED"]);
  },
  60_000,
);
