import type { MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { rescanRange } from "@daric/testing/rescans";
import { alarms, aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listDeposits } from "../list-store.ts";

type Nodes = [RunReader, ...RunReader[]];

let context: Awaited<ReturnType<typeof createTestContext>>;
let trusting: TestContext;
let merchantId: MerchantId;
let address: string;
let chain: ReturnType<typeof startForkRuns>["chain"];
let runs: ReturnType<typeof startForkRuns>["runs"];

beforeEach(async () => {
  context = await createTestContext();
  trusting = withSettings(context, { deposits: { unproven: "trust" } });
  merchantId = (await aMerchant(context.db)).id;
  ({ chain, runs } = startForkRuns());
  ({ address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" }));
  await scan(runs.reader);
});
afterEach(() => context.close());

async function scan(...nodes: Nodes): Promise<void> {
  await scanToRest(trusting, await aScanner(trusting, nodeGroup(...nodes)));
}

/** Confirms a payment of 10, and returns the number of its block. */
async function confirmed(): Promise<number> {
  runs.run({ to: address, units: 10_000_000n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  chain.mine(30);
  await scan(runs.reader);
  expect(await deposit()).toMatchObject({ status: "CONFIRMED", amount: 10_000_000n });
  return number;
}

async function deposit() {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
  const { headNumber: _, ...deposit } = one(rows);
  return deposit;
}

/** The deposit's history and events. */
const history = () =>
  context.db.query(sql`
    select event, to_status, units from deposit_events where merchant_id = ${merchantId} order by id`);

async function readAgain(number: number, ...nodes: Nodes) {
  const scanner = await aScanner(trusting, nodeGroup(...nodes));
  return rescanRange(trusting, scanner, { from: number, to: number });
}

describe("a CONFIRMED deposit in a rescan", () => {
  it("stays if the node reports another amount, and the difference is listed with its node", async () => {
    const number = await confirmed();
    const [before, events] = [await deposit(), await history()];
    const liar = runs.bending(number, () => [{ to: address, units: 4_000_000n }]);
    const rescan = await readAgain(number, liar);
    expect(rescan).toMatchObject({ status: "DONE", blocksDiffering: 1, depositsAdded: 0 });
    expect(rescan.differing).toEqual([
      `log 0 of ${before.txId} is CONFIRMED as 10 USDT to ${address} in our database (deposit ${before.id}), and is 4 USDT to ${address} at node 1. Ours stays`,
    ]);
    expect(await alarms(context)).toMatchObject({ rescan_differs: 1 });
    chain.mine(25);
    await scan(liar);
    expect([await deposit(), await history()]).toEqual([before, events]);
  });

  it("stays if two of three nodes report it differently, and each is listed with its answer", async () => {
    const number = await confirmed();
    const before = await deposit();
    const liars = [4_000_000n, undefined].map((units) =>
      runs.bending(number, () => (units === undefined ? [] : [{ to: address, units }])),
    ) as [RunReader, RunReader];
    const rescan = await readAgain(number, ...liars, runs.reader);
    expect(rescan.differing).toEqual([
      expect.stringMatching(/and is 4 USDT to \w+ at node 1\. Ours stays$/),
      expect.stringMatching(/and is nothing at node 2\. Ours stays$/),
    ]);
    await scan(runs.reader);
    expect(await deposit()).toEqual(before);
  });

  it("is no difference if every node reports it as stored", async () => {
    const number = await confirmed();
    const before = await deposit();
    const rescan = await readAgain(number, runs.reader, runs.reader, runs.reader);
    expect(rescan).toMatchObject({ status: "DONE", blocksDiffering: 0, differing: [], depositsAdded: 0 });
    expect(await deposit()).toEqual(before);
    expect(await alarms(context)).toEqual({});
  });
});
