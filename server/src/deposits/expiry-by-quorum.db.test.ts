import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NodeError } from "../chain/node-error.ts";
import type { MerchantId } from "../domain/ids.ts";
import { listDeposits } from "./list-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: ForkChain;
let runs: ForkRuns;
let startMs: number;
const urls = "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3";
beforeEach(async () => {
  context = await createTestContext({ TRON_NODE_URLS: urls, TRON_QUORUM: "2" });
  merchantId = (await aMerchant(context.db)).id;
  ({ chain, runs, startMs } = startForkRuns());
});
afterEach(() => context.close());
async function scan(...readers: readonly RunReader[]) {
  await scanToRest(context, await aScanner(context, nodeGroup(...readers)));
}
/** Says of our blocks what an honest node says, and to a quorum nothing. */
const away = (): RunReader & { readonly getHeader: (number: number) => Promise<never> } => {
  const refuse = () => Promise.reject(new NodeError("is away", { fault: "timeout", node: "node" }));
  return { ...runs.reader, getHeader: refuse, fetchCompleteBlock: refuse };
};
const rows = async () => (await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 })).rows;
const told = async () =>
  (await context.owner.query<{ type: string }>(sql`select type from webhook_events`)).map(({ type }) => type);

describe("with a quorum an order that was paid on time does not expire where the leader hides the payment", () => {
  it.each([
    ["while the blocks since are compared", { isWatched: false, blocks: 205, isAway: false }],
    ["which is three minutes old", { isWatched: true, blocks: 60, isAway: false }],
    ["and the others are away when its time is over", { isWatched: true, blocks: 60, isAway: true }],
  ])("%s", async (_, { isWatched, blocks, isAway }) => {
    if (isWatched) await scan(runs.reader, runs.reader, runs.reader);
    const order = await aCharge(context.db, {
      merchantId,
      currency: "USDT",
      amount: "3",
      expiresAt: new Date(startMs + 45 * 3000),
    });
    runs.run({ to: order.address, units: 3_000_000n });
    chain.mine(1);
    const liar = runs.bending((await chain.reader.getHeadBlock()).number, () => []);
    chain.mine(blocks);
    if (isAway) {
      await scan(liar, away(), away());
      expect(await told()).toEqual([]);
      chain.mine(1);
    }
    await scan(liar, runs.reader, runs.reader);
    chain.mine(30);
    await scan(liar, runs.reader, runs.reader);
    expect(await rows()).toMatchObject([{ status: "CONFIRMED", late: false }]);
    expect(await told()).not.toContain("order.expired");
    expect(await told()).toContain("order.paid");
  });
});

it("with a quorum an order that nobody paid expires when the blocks up to its end are compared", async () => {
  await aCharge(context.db, {
    merchantId,
    currency: "USDT",
    amount: "3",
    expiresAt: new Date(startMs + 45 * 3000),
  });
  runs.run({ units: 1n });
  chain.mine(60);
  await scan(runs.reader, away(), away());
  expect(await told()).toEqual([]);
  chain.mine(1);
  await scan(runs.reader, runs.reader, runs.reader);
  expect(await told()).toEqual(["order.expired"]);
});
