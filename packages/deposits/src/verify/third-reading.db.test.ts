import { IncompleteBlockError } from "@daric/chain/blocks/node-error";
import { publicNetworks } from "@daric/chain/nodes/networks";
import { sql } from "@daric/postgres/sql";
import type { RunReader } from "@daric/testing/fork-runs";
import { type SecondReading, startSecondReading } from "@daric/testing/second-reading";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fetchAgain } from "../rescan/fetch-again.ts";
import { requestRescan } from "../rescan/rescan.ts";
import { rescanBlock } from "../rescan/rescan-block.ts";
import { findRescan } from "../rescan/rescan-store.ts";
import { createAnswerCache } from "./answer-cache.ts";

const PAID = 17_500_000n;
const LATER_MS = 31_000;
let reading: SecondReading;
let nowMs: number;

beforeEach(async () => {
  reading = await startSecondReading();
  nowMs = 1_000_000;
});
afterEach(() => reading.close());

/** A watcher of one node on a public network, where the second reading is half a minute later. */
async function onNile() {
  reading.chain.mine(30);
  const clock = { ...reading.context.clock, monotonicMs: () => nowMs };
  const context = { ...reading.context, clock };
  const scanner = await aScanner(context, reading.runs.reader, { network: publicNetworks.nile });
  const poll = async (reader: RunReader) => {
    await reading.context.owner.query(sql`update blocks set scanned_at = scanned_at - interval '31 seconds'`);
    nowMs += LATER_MS;
    await scanToRest(context, Object.assign(scanner, { client: nodeGroup(atTip(reader)) }));
  };
  await poll(reading.runs.reader);
  return poll;
}

/** The same node, which reports a block above its head as incomplete. */
function atTip(reader: RunReader): RunReader {
  return {
    ...reader,
    fetchCompleteBlock: async (number, ...parent) => {
      const { number: head } = await reader.getHeadBlock();
      if (number > head) throw new IncompleteBlockError("node", number);
      return reader.fetchCompleteBlock(number, ...parent);
    },
  };
}

async function aPayment(): Promise<{ number: number; address: string }> {
  const { address } = await reading.aReceive();
  reading.runs.run({ to: address, units: PAID });
  return { number: await reading.mined(), address };
}

it("a payment that a single node omits in the second reading is not lost: a third reading decides", async () => {
  const poll = await onNile();
  const { number } = await aPayment();
  await poll(reading.runs.reader);
  reading.chain.mine(20);
  await poll(reading.runs.bending(number, () => []));
  expect(await reading.facts()).toEqual(["17500000 CONFIRMING"]);
  await poll(reading.runs.reader);
  expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
});

it("the answer that a single node gives twice counts, and a new amount after it is read again", async () => {
  const poll = await onNile();
  const { number } = await aPayment();
  const times = (factor: bigint) =>
    reading.runs.bending(number, (transfers) =>
      transfers.map((move) => ({ ...move, units: move.units * factor })),
    );
  await poll(times(7n));
  expect(await reading.facts()).toEqual(["122500000 DETECTED"]);
  reading.chain.mine(20);
  await poll(times(3n));
  await poll(reading.runs.reader);
  expect(await reading.facts()).toEqual(["122500000 CONFIRMING"]);
  await poll(reading.runs.reader);
  await poll(reading.runs.reader);
  expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
});

it("the same third reading corrects a single node's false answers about several blocks", async () => {
  const poll = await onNile();
  const hiding = (number: number) => reading.runs.bending(number, () => []);
  for (let block = 0; block < 3; block += 1) await poll(hiding((await aPayment()).number));
  expect(await reading.facts()).toEqual([]);
  reading.chain.mine(20);
  await poll(reading.runs.reader);
  await poll(reading.runs.reader);
  expect(await reading.facts()).toEqual(Array(3).fill("17500000 CONFIRMED"));
});

it("a rescan writes nothing to a block that a fork has replaced since the fetch", async () => {
  const { number } = await aPayment();
  await reading.poll();
  const { context, scanner } = reading;
  const network = scanner.network.name;
  const { id } = await requestRescan(context.db, { network, from: number, to: number });
  const rescan = await findRescan(context.db, { network, id });
  if (rescan === undefined) throw new Error("the range is gone");
  const answers = createAnswerCache();
  const rescanned = await fetchAgain(context, scanner, { number, needed: 1, answers });
  reading.chain.fork(1, ["dropped"]);
  await reading.poll();
  expect(await reading.facts()).toEqual(["17500000 REORG_PENDING"]);
  await expect(rescanBlock(context, scanner, { rescan, fetched: rescanned, answers })).rejects.toThrow(
    "was replaced meanwhile",
  );
  expect(await reading.facts()).toEqual(["17500000 REORG_PENDING"]);
});
