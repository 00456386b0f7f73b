import { createAddressSource } from "@daric/addresses/address-source";
import type { Transfer } from "@daric/chain/blocks/decode-transfers";
import { amountIn } from "@daric/domain/money";
import { aMerchant } from "@daric/testing/builders";
import { standOnServers } from "@daric/testing/cluster";
import { createTestContext } from "@daric/testing/context";
import { recordBlockOf } from "@daric/testing/record-transfers";
import { aHeader } from "@daric/testing/witnesses";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let leaveServers: () => Promise<void>;
beforeAll(async () => {
  context = await createTestContext();
  leaveServers = await standOnServers(context);
});
afterAll(async () => {
  await leaveServers();
  await context.close();
});

it("money on a reserved address without an order is money of no order", async () => {
  const { id: merchantId } = await aMerchant(context.db);
  const source = createAddressSource(context);
  const { address, bytes } = await source.take(merchantId);
  await source.stop();
  const transfer: Transfer = {
    txId: "1".padStart(64, "0"),
    source: "log",
    eventIndex: 0,
    isMerkleProven: true,
    currency: "USDT",
    fromHex: `41${"11".repeat(20)}`,
    toHex: addressToHex(address),
    units: amountIn("USDT", 5n),
  };
  const header = aHeader({ number: 1, id: "1".padStart(64, "0"), timeMs: Date.now() });
  const recorded = await context.db.transaction((tx) =>
    recordBlockOf(context, tx, { scope: { network: "devnet", epoch: 1n }, header, transfers: [transfer] }),
  );
  expect(recorded).toMatchObject({ count: 0, detected: [], unattributed: [{ bytes, units: 5n }] });
});
