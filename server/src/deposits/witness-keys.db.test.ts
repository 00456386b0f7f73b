import { aMerchant } from "@daric/testing/builders";
import { startTestChain, type TestChain } from "@daric/testing/chain";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findKnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { listDeposits } from "./list-store.ts";

/** Blocks in an hour. */
const HOUR = 1_200;

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestChain;

beforeAll(async () => {
  [context, chain] = await Promise.all([createTestContext(), startTestChain()]);
  await chain.scan(context);
}, 60_000);
afterAll(() => Promise.all([context.close(), chain.stop()]));

it("on one honest node that replaces 3 of 27 keys an hour every payment is confirmed, and none is ever STUCK", async () => {
  const { id: merchantId } = await aMerchant(context.db);
  const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" });
  const kinds = ["witness_keys", "witnesses"] as const;
  for (const kind of kinds) {
    await chain.devchain.control("faults", { kind, count: 3, everyMs: HOUR * 3_000 });
    await chain.pay(address, { trx: "25" });
    // The next three come in the middle, and the payment after them is confirmed by who signs then.
    for (const blocks of [HOUR - 30, 60]) {
      await chain.mine(blocks);
      await chain.scan(context);
      await chain.pay(address, { trx: "25" });
    }
  }
  await chain.mine(30);
  await chain.scan(context);
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 300, offset: 0 });
  expect(rows.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => "CONFIRMED"));
  const { values } = await context.metrics.deposits.get();
  expect(values.filter(({ labels }) => labels.status === "STUCK")).toEqual([]);
  const known = await findKnownWitnesses(context.db, "devnet");
  expect(known?.keys.filter(({ witnessHex, signerHex }) => witnessHex !== signerHex).length).toBeGreaterThan(
    3,
  );
}, 240_000);
