import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { type RunReader, startForkRuns, type UsdtMove } from "@daric/testing/fork-runs";
import { readRangeAgain } from "@daric/testing/rescans";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TransactionInfo } from "../chain/parse-transaction-info.ts";
import type { Charge } from "../charges/charge.ts";
import { listDeposits } from "./list-store.ts";

const PAYER = `41${"77".repeat(20)}`;
const PAID = 17_500_000n;
/** More than ten minutes of blocks: what is not final by then is STUCK. */
const LONG = 230;

let context: Awaited<ReturnType<typeof createTestContext>>;
let order: Charge;

beforeEach(async () => {
  context = await createTestContext();
  order = await anOrder();
});
afterEach(() => context.close());

async function anOrder(currency: "USDT" | "TRX" = "USDT"): Promise<Charge> {
  const { id: merchantId } = await aMerchant(context.db);
  return aCharge(context.db, { merchantId, kind: "receive", currency });
}

const scan = async (...nodes: [RunReader, ...RunReader[]]) =>
  scanToRest(context, await aScanner(context, nodeGroup(...nodes)));

async function readAgain(number: number, ...nodes: [RunReader, ...RunReader[]]) {
  const scanner = await aScanner(context, nodeGroup(...nodes));
  return readRangeAgain(context, scanner, { from: number, to: number });
}

async function facts(): Promise<string[]> {
  const { merchantId } = order;
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
  return rows.map(({ amount, status }) => `${amount} ${status}`);
}

/** A router pays 17.5 USDT, and a node tells of it as it will. */
async function aRun(bend: (moves: readonly UsdtMove[]) => readonly UsdtMove[]) {
  const { chain, runs } = startForkRuns();
  await scan(runs.reader);
  runs.run({ to: order.address, units: PAID });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  return { chain, honest: runs.reader, number, liar: runs.bending(number, bend) };
}

const sevenTimes = (moves: readonly UsdtMove[]) => moves.map((move) => ({ ...move, units: move.units * 7n }));

describe("a deposit that was read with a false amount", () => {
  it("is what the node tells now once its block is read again, though it is STUCK, and is confirmed", async () => {
    const { chain, honest, liar, number } = await aRun(sevenTimes);
    await scan(liar);
    chain.mine(LONG);
    await scan(honest);
    expect(await facts()).toEqual(["122500000 STUCK"]);
    const { blocksDiffering, differing, depositsAdded } = await readAgain(number, honest);
    expect([blocksDiffering, depositsAdded]).toEqual([1, 1]);
    expect(differing).toEqual([
      expect.stringMatching(/was 122\.5 USDT to \w+ in our books, and is 17\.5 USDT to \w+ to the nodes/),
    ]);
    chain.mine(3);
    await scan(honest);
    expect(await facts()).toEqual(["17500000 CONFIRMED"]);
    const steps = await context.owner.query<{ event: string }>(
      sql`select event from deposit_events order by id`,
    );
    expect(steps.map(({ event }) => event)).toEqual([
      "detected",
      "buried",
      "stalled",
      "orphaned",
      "included",
      "buried",
      "finalized",
    ]);
  });

  it("is what a quorum tells, whatever one node goes on to tell", async () => {
    await context.close();
    context = await createTestContext({
      TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3",
    });
    order = await anOrder();
    const { chain, honest, liar, number } = await aRun(sevenTimes);
    await scan(liar);
    chain.mine(30);
    await scan(liar);
    const { config } = context;
    context = { ...context, config: { ...config, deposits: { ...config.deposits, quorum: 2 } } };
    chain.mine(LONG);
    await scan(liar, honest, honest);
    await readAgain(number, liar, honest, honest);
    chain.mine(3);
    await scan(liar, honest, honest);
    expect(await facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("stays where any node tells it as it is stored, and none is asked for a quorum", async () => {
    const { chain, honest, liar, number } = await aRun(sevenTimes);
    await scan(liar);
    chain.mine(30);
    await scan(honest);
    expect(await readAgain(number, honest, liar)).toMatchObject({ depositsAdded: 0 });
    expect(await facts()).toEqual(["122500000 CONFIRMING"]);
  });

  it("stays once it is confirmed, and the difference is named", async () => {
    const { chain, honest, liar, number } = await aRun(sevenTimes);
    await scan(honest);
    chain.mine(30);
    await scan(honest);
    const { differing } = await readAgain(number, liar);
    expect(differing).toEqual([
      expect.stringMatching(/is paid 122\.5 USDT by log 0 .* where our books have 17\.5$/),
    ]);
    expect(await facts()).toEqual(["17500000 CONFIRMED"]);
  });
});

it("a log that the node has made up fails once its block is read again", async () => {
  const { chain, runs } = startForkRuns();
  await scan(runs.reader);
  runs.run({ units: 1n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  await scan(runs.inventing(number, { to: order.address, units: PAID }));
  chain.mine(LONG);
  await scan(runs.reader);
  expect(await facts()).toEqual(["17500000 STUCK"]);
  const { differing } = await readAgain(number, runs.reader);
  expect(differing).toEqual([expect.stringMatching(/was 17\.5 USDT .* and is nothing to the nodes/)]);
  expect(await facts()).toEqual(["17500000 REORG_PENDING"]);
  chain.mine(3);
  await scan(runs.reader);
  expect(await facts()).toEqual(["17500000 FAILED"]);
});

describe("TRX that a contract sent", () => {
  /** What a node that saves internal transactions tells, and what one tells that does not, or of other ones alone. */
  function nodesOf(reader: RunReader, txId: string, address: string) {
    const values = [{ assetId: undefined, rawValue: 1_000_000n }];
    const internal = { index: 0, fromHex: PAYER, toHex: addressToHex(address), values };
    const telling = (internals: TransactionInfo["internals"]): RunReader => ({
      ...reader,
      getSolidBalance: async () => 1_000_000n,
      fetchCompleteBlock: async (...asked) => {
        const block = await reader.fetchCompleteBlock(...asked);
        const told = { internals, internalCount: internals.length };
        return {
          ...block,
          infos: block.infos.map((info) => (info.txId === txId ? { ...info, ...told } : info)),
        };
      },
    });
    return {
      saving: telling([internal]),
      forgetting: telling([]),
      other: telling([{ ...internal, toHex: PAYER }]),
    };
  }

  /** It leaves its block in a fork, and comes back in another. */
  async function aFork() {
    const { chain, runs } = startForkRuns();
    order = await anOrder("TRX");
    await scan(runs.reader);
    const txId = runs.run({ units: 1n });
    chain.mine(2);
    const nodes = nodesOf(runs.reader, txId, order.address);
    await scan(nodes.saving);
    expect(await facts()).toEqual(["1000000 CONFIRMING"]);
    chain.fork(3, ["kept"]);
    chain.mine(3);
    return { chain, nodes };
  }

  it("never fails because a node does not save it, though its transaction has expired since", async () => {
    const { chain, nodes } = await aFork();
    await scan(nodes.forgetting);
    const { config } = context;
    context = { ...context, config: { ...config, deposits: { ...config.deposits, droppedAfterMs: 1 } } };
    chain.mine(30);
    await scan(nodes.forgetting);
    expect(await facts()).toEqual(["1000000 REORG_PENDING"]);
  });

  it("is confirmed when another node shows it", async () => {
    const { chain, nodes } = await aFork();
    await scan(nodes.forgetting);
    chain.mine(30);
    await scan(nodes.forgetting);
    expect(await facts()).toEqual(["1000000 REORG_PENDING"]);
    const { number } = await chain.reader.getHeadBlock();
    await readRangeAgain(context, await aScanner(context, nodeGroup(nodes.saving)), {
      from: number - 36,
      to: number,
    });
    chain.mine(3);
    await scan(nodes.saving);
    expect(await facts()).toEqual(["1000000 CONFIRMED"]);
  });

  it("fails where the node shows that it went elsewhere", async () => {
    const { chain, nodes } = await aFork();
    await scan(nodes.other);
    chain.mine(30);
    await scan(nodes.other);
    expect(await facts()).toEqual(["1000000 FAILED"]);
  });
});
