import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { hexToAddress } from "@daric/tron/address";
import { expect, it } from "vitest";
import { NodeError } from "../chain/node-error.ts";
import type { DepositId } from "../domain/ids.ts";
import { findBlock, findCursor } from "./block-store.ts";
import { clearDeposits } from "./clear-deposits.ts";
import { type Clearance, createClearingMemory } from "./clearance.ts";
import { MIN_SOLID_LAG } from "./prove-solid.ts";
import { stallUncleared } from "./stall-store.ts";

it("what waits at an address beyond what is seen one by one counts too: it pays for nothing made up, and where it is made up itself keeps nothing real", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  const receive = () => aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  const [robbed, flooded] = [await receive(), await receive()];
  const away = () => Promise.reject(new NodeError("is away", { fault: "timeout", node: "node" }));
  const scan = async (reader: RunReader) =>
    scanToRest(context, await aScanner(context, nodeGroup({ ...reader, getSolidBalance: away })));
  await scan(runs.reader);
  runs.run({ to: flooded.address, units: 3_000_000n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  await scan(runs.bending(number, (moves) => [...moves, { to: robbed.address, units: 5_000_000n }]));
  runs.run({ to: robbed.address, units: 5_000_000n });
  chain.mine(1);
  const madeUp = Array.from({ length: 3 }, () => ({ to: flooded.address, units: 1_000_000n }));
  await scan(runs.bending(number + 1, (moves) => [...moves, ...madeUp]));
  runs.run({ to: flooded.address, units: 2_000_000n });
  chain.mine(25);
  await scan(runs.reader);
  const idAt = async (address: string) => {
    const rows = await context.db.query<{ id: DepositId }>(sql`
      select id from deposits
      where merchant_id = ${merchantId} and address = ${address} and block_number = ${number}`);
    return rows.map(({ id }) => id);
  };

  const cursor = (await findCursor(context.db, "devnet")) ?? expect.fail();
  const solid =
    (await findBlock(context.db, { network: "devnet", number: cursor.number - MIN_SOLID_LAG })) ??
    expect.fail();
  const scanner = await aScanner(context, nodeGroup(runs.reader));
  const limits = { page: 2, beside: 0 };
  const clearance = await clearDeposits(context, scanner, { cursor, solid, limits });
  expect(clearance).toMatchObject({
    cleared: await idAt(flooded.address),
    lacking: await idAt(robbed.address),
  });
  await context.close();
});

it("what is added up counts from its own block on, so that what has left since then keeps nothing behind it waiting", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  const { address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  const scan = async (reader: RunReader) =>
    scanToRest(context, await aScanner(context, nodeGroup({ ...reader, getSolidBalance: async () => 0n })));
  await scan(runs.reader);
  for (const move of [
    { to: address, units: 5_000_000n },
    { from: address, to: hexToAddress(`41${"22".repeat(20)}`), units: 5_000_000n },
    { to: address, units: 3_000_000n },
  ]) {
    runs.run(move);
    chain.mine(1);
  }
  chain.mine(210);
  await scan(runs.reader);
  const [first, second] = await context.db.query<{ id: DepositId; blockNumber: bigint; status: string }>(sql`
    select id, block_number as "blockNumber", status from deposits
    where merchant_id = ${merchantId} order by block_number`);
  expect([first?.status, second?.status]).toEqual(["STUCK", "STUCK"]);

  const cursor = (await findCursor(context.db, "devnet")) ?? expect.fail();
  const number = cursor.number - MIN_SOLID_LAG;
  const solid = (await findBlock(context.db, { network: "devnet", number })) ?? expect.fail();
  const clearing = { ...createClearingMemory(), stuckAfter: first };
  const scanner = { ...(await aScanner(context, nodeGroup(runs.reader))), memory: { clearing } };
  const limits = { page: 1, beside: 0 };
  expect(await clearDeposits(context, scanner, { cursor, solid, limits })).toMatchObject({
    cleared: [second?.id],
    seesAll: false,
  });
  await context.close();
});

it("where more waits uncovered than the database can add up in time, it waits alone, and is not looked at for a minute of blocks", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  const { address } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  const away = () => Promise.reject(new NodeError("is away", { fault: "timeout", node: "node" }));
  const scan = async () =>
    scanToRest(context, await aScanner(context, nodeGroup({ ...runs.reader, getSolidBalance: away })));
  await scan();
  runs.run({ to: address, units: 5_000_000n });
  chain.mine(45);
  await scan();
  const cursor = (await findCursor(context.db, "devnet")) ?? expect.fail();
  const scanner = await aScanner(context, nodeGroup(runs.reader));
  const first = cursor.number - 40;
  const look = (number: number) => clearDeposits(context, scanner, { cursor, solid: { ...cursor, number } });
  const held = await context.owner.transaction(async (tx) => {
    await tx.query(sql`lock table deposits in access exclusive mode`);
    return look(first);
  });
  expect(held).toMatchObject({ upTo: first, keepsBack: false, cleared: [], lacking: [] });
  expect(await look(first + 19)).toMatchObject({ upTo: first + 19, keepsBack: false, cleared: [] });
  expect((await look(first + 20)).cleared).toHaveLength(1);
  await context.close();
});

it("what is STUCK is gone through only where all that waits was seen, and of one block a thousand at a time", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  await scanToRest(context, await aScanner(context, runs.reader));
  const { address: to } = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  runs.run(...Array.from({ length: 1_001 }, () => ({ to, units: 1_000_000n })));
  chain.mine(2);
  await scanToRest(context, await aScanner(context, runs.reader));
  const solid = (await findCursor(context.db, "devnet")) ?? expect.fail();
  const { epoch } = (await aScanner(context, runs.reader)).lease;
  const stall = async (how: Pick<Clearance, "reason" | "seesAll">) => {
    const lacking = { keepsBack: true, upTo: 0, isSure: true, cleared: [], lacking: [], isMoreToAsk: false };
    const clearance = { ...lacking, ...how };
    const waiting = { solid, madeBefore: new Date(8.64e15), clearance, stuckAfterMs: 0 };
    const scope = { network: "devnet", epoch };
    return (await context.db.transaction((tx) => stallUncleared(tx, scope, waiting))).length;
  };
  expect(await stall({ reason: "quorum", seesAll: false })).toBe(1_000);
  expect(await stall({ reason: "quorum", seesAll: false })).toBe(1);
  expect(await stall({ reason: "balance", seesAll: false })).toBe(0);
  expect(await stall({ reason: "balance", seesAll: true })).toBe(1_000);
  await context.close();
});
