import type { Charge } from "@daric/charges/charge";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns, type UsdtTransfer } from "@daric/testing/fork-runs";
import { rescanRange, runRescan } from "@daric/testing/rescans";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { hexToAddress } from "@daric/tron/address";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listDeposits } from "../list-store.ts";
import { requestRescan } from "../rescan/rescan.ts";

const [OUT, ELSEWHERE] = [hexToAddress(`41${"22".repeat(20)}`), hexToAddress(`41${"33".repeat(20)}`)];
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: ForkChain;
let runs: ForkRuns;
let receive: Charge;

beforeEach(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  ({ chain, runs } = startForkRuns());
  receive = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  await scan(runs.reader);
});
afterEach(() => context.close());

const scan = async (...nodes: [RunReader, ...RunReader[]]) =>
  scanToRest(context, await aScanner(context, nodeGroup(...nodes)));

/** Moves all of these by one transaction in a block that is read and final. */
async function read(reader: RunReader | undefined, ...transfers: UsdtTransfer[]): Promise<number> {
  runs.run(...transfers);
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  if (reader !== undefined) await scan(reader);
  chain.mine(30);
  await scan(reader ?? runs.reader);
  return number;
}

/** Sets a quorum of two of three nodes. */
async function setQuorum(): Promise<void> {
  const nodes = Array.from({ length: 3 }, (_, index) => `http://127.0.0.1:${index + 1}`).join(",");
  const withQuorum = await createTestContext({ TRON_NODE_URLS: nodes, TRON_QUORUM: "2" });
  context = { ...context, config: withQuorum.config };
  await withQuorum.close();
}

async function readAgainBy(number: number, ...nodes: [RunReader, ...RunReader[]]) {
  const rescan = await rescanRange(context, await aScanner(context, nodeGroup(...nodes)), {
    from: number,
    to: number,
  });
  chain.mine(3);
  await scan(...nodes);
  return rescan;
}

async function facts(): Promise<string[]> {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
  return rows.map(({ eventIndex, amount, status }) => `${eventIndex}: ${amount} ${status}`).toSorted();
}

const outflows = () =>
  context.db.query(sql`
    select event_index as "eventIndex", to_address as to, units from outflows
    where merchant_id = ${merchantId} order by event_index`);

describe("a rescan of a block about which nodes lied", () => {
  const payment = () => ({ to: receive.address, units: 10_000_000n });

  it("confirms no payment twice after one node reported it at another index than two of three", async () => {
    const number = (await chain.reader.getHeadBlock()).number + 1;
    await read(
      runs.bending(number, (transfers) => [{ units: 1n }, ...transfers]),
      payment(),
    );
    expect(await facts()).toEqual(["1: 10000000 CONFIRMED"]);
    await setQuorum();
    await readAgainBy(number, runs.reader, runs.reader, runs.reader);
    chain.mine(20);
    await scan(runs.reader, runs.reader, runs.reader);
    expect(await facts()).toEqual(["1: 10000000 CONFIRMED"]);
  });

  it("delays no payment for one that two of three nodes have withdrawn", async () => {
    await setQuorum();
    const number = (await chain.reader.getHeadBlock()).number + 1;
    const moving = runs.bending(number, () => [{ units: 1n }, { units: 2n }, payment()]);
    await read(moving, payment(), payment());
    const hiding = runs.bending(number, (transfers) => transfers.slice(0, 1));
    await scan(moving, hiding, hiding);
    expect(await facts()).toEqual(["0: 10000000 CONFIRMED", "2: 10000000 FAILED"]);
    await readAgainBy(number, runs.reader, runs.reader, runs.reader);
    expect((await facts()).slice(0, 2)).toEqual(["0: 10000000 CONFIRMED", "1: 10000000 CONFIRMED"]);
  });

  it("adds a payment that a node always hid, though its address holds money already", async () => {
    await read(undefined, payment());
    const number = (await chain.reader.getHeadBlock()).number + 1;
    const hiding = runs.bending(number, (transfers) => transfers.slice(0, 1));
    await read(hiding, { units: 1n }, payment());
    expect(await facts()).toEqual(["0: 10000000 CONFIRMED"]);
    await readAgainBy(number, runs.reader);
    expect(await facts()).toEqual(["0: 10000000 CONFIRMED", "1: 10000000 CONFIRMED"]);
  });

  it("keeps a CONFIRMED payment, whatever the nodes report", async () => {
    const number = await read(undefined, payment());
    const liar = runs.bending(number, (transfers) =>
      transfers.map((move) => ({ ...move, units: move.units * 7n })),
    );
    await readAgainBy(number, liar);
    expect(await facts()).toEqual(["0: 10000000 CONFIRMED"]);
  });

  it("changes no recorded outflow", async () => {
    const number = await read(undefined, { from: receive.address, to: OUT, units: 1n });
    const liar = runs.bending(number, (transfers) =>
      transfers.map((move) => ({ ...move, units: 90_000_000n })),
    );
    expect(await readAgainBy(number, liar, runs.reader)).toMatchObject({ status: "DONE" });
    expect(await outflows()).toEqual([{ eventIndex: 0, to: OUT, units: 1n }]);
  });

  it.each([
    ["first", true],
    ["last", false],
  ])("succeeds though a node reports other recipients of an outflow, queried %s", async (_when, isFirst) => {
    const from = receive.address;
    const number = await read(undefined, { from, to: OUT, units: 5n }, { from, to: ELSEWHERE, units: 6n });
    const before = await outflows();
    const liar = runs.bending(number, (transfers) => transfers.slice(1));
    const both: [RunReader, RunReader] = isFirst ? [liar, runs.reader] : [runs.reader, liar];
    expect(await readAgainBy(number, ...both)).toMatchObject({ status: "DONE" });
    expect(await outflows()).toEqual(before);
  });
});

it("a rescan whose blocks cannot be written notes the reason, and ends", async () => {
  const number = await read(undefined, { units: 1n });
  const scanner = await aScanner(context, nodeGroup(runs.reader));
  const { id } = await requestRescan(context.db, { network: scanner.network.name, from: number, to: number });
  await context.owner.query(sql`
    alter table rescans add constraint never check (nodes = '[]') not valid`);
  expect(await runRescan(context, scanner, id)).toMatchObject({
    status: "WAITING",
    note: expect.stringContaining("never"),
  });
  await context.owner.query(sql`update rescans set updated_at = now() - interval '11 minutes', note = null`);
  expect(await runRescan(context, scanner, id)).toMatchObject({ status: "REFUSED" });
});
