import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext } from "@daric/testing/context";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findRecordedBalances } from "./balance-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.close());

it("the balances of addresses of several shards of a distributed database are read", async () => {
  const anAddress = async () => {
    const { id: merchantId } = await aMerchant(context.db);
    const { id: chargeId, address } = await aCharge(context.db, { merchantId });
    return { merchantId, chargeId, address, currency: "USDT" as const };
  };
  const addresses = [await anAddress(), await anAddress()];
  const standOnOne = await standOnServers(context);
  const recorded = await findRecordedBalances(context.db, { network: "devnet", addresses, to: 1 });
  await standOnOne();
  const none = { credited: 0n, left: 0n };
  expect(addresses.map((checked) => recorded.get(checked))).toEqual([none, none]);
});
