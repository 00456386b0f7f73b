import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { expect, it } from "vitest";
import { findComparableIn, findUncovered } from "./clear-store.ts";
import type { Scanner } from "./scanner.ts";

it("of the blocks that are compared every stored deposit is known, however many others wait", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  await scanToRest(context, await aScanner(context, runs.reader));
  const receive = () => aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  const [{ address: to }, last] = [await receive(), await receive()];
  runs.run(...Array.from({ length: 1_000 }, () => ({ to, units: 1_000_000n })));
  chain.mine(1);
  runs.run({ to: last.address, units: 1_000_000n });
  chain.mine(1);
  await scanToRest(context, await aScanner(context, runs.reader));
  const { number } = await chain.reader.getHeadBlock();
  const isLast = ({ blockNumber }: { blockNumber: number }) => blockNumber === number;
  expect((await findUncovered(context.db, { network: "devnet" })).uncovered.filter(isLast)).toEqual([]);
  const found = await findComparableIn(context.db, { network: "devnet", blocks: [{ number }] });
  expect(found).toHaveLength(1);
  expect(found.every(isLast)).toBe(true);
  await context.close();
});

it("of very many what was made up is not confirmed by what came to its address behind them", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  const receive = () => aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  const [paid, flooded] = [await receive(), await receive()];
  const memory: Scanner["memory"] = {};
  const scan = async (reader: RunReader) =>
    scanToRest(context, { ...(await aScanner(context, nodeGroup(reader))), memory });
  await scan(runs.reader);
  runs.run({ units: 1n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  const madeUp = [{ to: paid.address, units: 5_000_000n }];
  while (madeUp.length < 1_000) madeUp.push({ to: flooded.address, units: 1_000_000n });
  runs.run({ to: paid.address, units: 5_000_000n });
  chain.mine(1);
  await scan(runs.bending(number, () => madeUp));
  chain.mine(25);
  await scan(runs.reader);
  const confirmed = await context.db.query(sql`
    select block_number as "blockNumber" from deposits where merchant_id = ${merchantId} and status = 'CONFIRMED'`);
  expect(confirmed).toEqual([{ blockNumber: BigInt(number + 1) }]);
  await context.close();
});

it("behind a thousand that were made up and are STUCK what is real is confirmed, at their address and at another one, however much comes meanwhile", async () => {
  const context = await createTestContext();
  const merchantId = (await aMerchant(context.db)).id;
  const { chain, runs } = startForkRuns();
  const receive = () => aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  const [flooded, paid, busy] = [await receive(), await receive(), await receive()];
  let memory: Scanner["memory"] = {};
  const scan = async (reader: RunReader) => {
    memory = { ...memory, cursor: undefined };
    await scanToRest(context, { ...(await aScanner(context, nodeGroup(reader))), memory });
  };
  await scan(runs.reader);
  runs.run({ units: 1n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  const madeUp = Array.from({ length: 1_000 }, () => ({ to: flooded.address, units: 1_000_000n }));
  await scan(runs.bending(number, () => madeUp));
  runs.run({ to: paid.address, units: 5_000_000n });
  runs.run({ to: flooded.address, units: 2_000_000n });
  chain.mine(205);
  const empty = { ...runs.reader, getSolidBalance: async () => 0n };
  await scan(empty);
  chain.mine(1);
  await scan(empty);
  const countsOf = () =>
    context.db.query(sql`
      select deposit_address_id as id, status, count(*)::int from deposits where merchant_id = ${merchantId} and deposit_address_id <> ${busy.id}
      group by deposit_address_id, status order by count(*), id`);
  expect(await countsOf()).toEqual([
    { id: paid.id, status: "STUCK", count: 1 },
    { id: flooded.id, status: "STUCK", count: 1_001 },
  ]);
  memory = {};
  for (let look = 0; look < 4; look += 1) {
    for (let block = 0; block < 21; block += 1) {
      runs.run({ to: busy.address, units: 1n });
      chain.mine(1);
    }
    if (look > 0) await scan(runs.reader);
  }
  expect(await countsOf()).toEqual([
    ...[paid.id, flooded.id].toSorted().map((id) => ({ id, status: "CONFIRMED", count: 1 })),
    { id: flooded.id, status: "STUCK", count: 1_000 },
  ]);
  await context.close();
}, 60_000);
