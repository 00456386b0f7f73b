import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { expect, it } from "vitest";
import { findComparableIn, findUncovered } from "./clear-store.ts";

it("of the blocks that are compared every stored deposit is known, however many others wait", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  await scanToRest(context, await aScanner(context, runs.reader));
  const { address: to } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  runs.run(...Array.from({ length: 1_000 }, () => ({ to, units: 1_000_000n })));
  chain.mine(1);
  runs.run({ to, units: 1_000_000n });
  chain.mine(1);
  await scanToRest(context, await aScanner(context, runs.reader));
  const { number } = await chain.reader.getHeadBlock();
  const isLast = ({ blockNumber }: { blockNumber: number }) => blockNumber === number;
  expect((await findUncovered(context.db, "devnet")).filter(isLast)).toEqual([]);
  const found = await findComparableIn(context.db, { network: "devnet", blocks: [{ number }] });
  expect(found).toHaveLength(1);
  expect(found.every(isLast)).toBe(true);
  await context.close();
});
