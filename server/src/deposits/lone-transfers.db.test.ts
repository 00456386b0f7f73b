import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type RunReader, startForkRuns, type UsdtMove } from "@daric/testing/fork-runs";
import { alarms, aScanner, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { MerchantId } from "../domain/ids.ts";
import { LeaseLostError } from "../runtime/lease.ts";
import { findHidden } from "./find-hidden.ts";
import { listDeposits } from "./list-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext({
    TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3",
    TRON_QUORUM: "2",
  });
});
afterEach(() => context.close());
/** A block in which a contract runs, and a node that tells of a payment in it to an order that nobody has paid. */
async function anInvention(
  { chain, runs, startMs }: ReturnType<typeof startForkRuns>,
  merchantId: MerchantId,
): Promise<{ number: number; liar: RunReader }> {
  const order = await aCharge(context.db, {
    merchantId,
    currency: "USDT",
    amount: "3",
    expiresAt: new Date(startMs + 45 * 3000),
  });
  runs.run({ units: 1n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  return {
    number,
    liar: runs.bending(number, (moves) => [...moves, { to: order.address, units: 3_000_000n }]),
  };
}

it("what one node invents against a quorum is not recorded, speaks against that node alone, and keeps no order from its end", async () => {
  const { chain, runs, startMs } = startForkRuns();
  const merchantId = (await aMerchant(context.db)).id;
  await scanToRest(context, await aScanner(context, nodeGroup(runs.reader, runs.reader, runs.reader)));
  const { number, liar } = await anInvention({ chain, runs, startMs }, merchantId);
  const heard = listening(context);
  const scanner = await aScanner(heard.context, nodeGroup(runs.reader, liar, runs.reader));
  chain.mine(5);
  await scanToRest(heard.context, scanner);
  for (let n = 0; n < 8; n += 1) {
    chain.mine(60);
    await scanToRest(heard.context, scanner);
  }
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
  expect(rows).toEqual([]);
  const { hidden_transfer, lone_transfer } = await alarms(context);
  expect([hidden_transfer, lone_transfer]).toEqual([undefined, 1]);
  expect(heard.lines).toContainEqual(expect.objectContaining({ node: "node 2", block_number: number }));
  expect(await context.owner.query(sql`select type from webhook_events`)).toEqual([
    { type: "order.expired" },
  ]);
});

it("what the node that leads invents against a quorum fails, and keeps no order from its end", async () => {
  const { chain, runs, startMs } = startForkRuns();
  const merchantId = (await aMerchant(context.db)).id;
  const scan = async (...[leader]: (typeof runs.reader)[]) =>
    scanToRest(context, await aScanner(context, nodeGroup(leader ?? runs.reader, runs.reader, runs.reader)));
  await scan();
  const { liar } = await anInvention({ chain, runs, startMs }, merchantId);
  await scan(liar);
  const rows = async () => (await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 })).rows;
  expect(await rows()).toMatchObject([{ status: "DETECTED" }]);
  chain.mine(60);
  await scan(liar);
  chain.mine(1);
  await scan(liar);
  expect(await rows()).toMatchObject([{ status: "FAILED", failureReason: "failed_on_chain" }]);
  expect(await alarms(context)).toMatchObject({ hidden_transfer: 1 });
  expect(await context.owner.query(sql`select type from webhook_events`)).toEqual([
    { type: "order.expired" },
  ]);
});

it.each([
  ["hides", () => []],
  ["bends", (moves: readonly UsdtMove[]) => moves.map((move) => ({ ...move, units: 9_000_000n }))],
])("a watcher whose lease was taken over mends nothing that the leader %s", async (_, bend) => {
  const { chain, runs } = startForkRuns();
  const merchantId = (await aMerchant(context.db)).id;
  const { address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  await scanToRest(context, await aScanner(context, nodeGroup(runs.reader)));
  runs.run({ to: address, units: 3_000_000n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  const paused = await aScanner(context, nodeGroup(runs.bending(number, bend), runs.reader, runs.reader));
  await scanToRest(context, paused);
  const rows = async () =>
    (await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 })).rows.map(
      ({ amount, status }) => [amount, status],
    );
  const before = await rows();
  await context.db.query(sql`update leases set is_free = true`);
  await aScanner(context, runs.reader, { holder: "other" });
  const compareAll = async () => {
    while (await findHidden(context, paused, { to: number }));
  };
  await expect(compareAll()).rejects.toThrow(LeaseLostError);
  expect(await rows()).toEqual(before);
});
