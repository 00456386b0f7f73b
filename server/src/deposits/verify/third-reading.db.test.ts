import { sql } from "@daric/postgres/sql";
import type { RunReader } from "@daric/testing/fork-runs";
import { type Play, startPlay } from "@daric/testing/second-reading";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { IncompleteBlockError } from "../../chain/blocks/node-error.ts";
import { publicNetworks } from "../../chain/nodes/networks.ts";
import { requestRescan } from "../rescan/rescan.ts";
import { askForBlock, rescanBlock } from "../rescan/rescan-block.ts";
import { findRescan } from "../rescan/rescan-store.ts";

const PAID = 17_500_000n;
const LATER_MS = 31_000;
let play: Play;
let nowMs: number;

beforeEach(async () => {
  play = await startPlay();
  nowMs = 1_000_000;
});
afterEach(() => play.close());

/** A watcher of one node on a public network, where one voice is asked a second time half a minute later. */
async function onNile() {
  play.chain.mine(30);
  const clock = { ...play.context.clock, monotonicMs: () => nowMs };
  const context = { ...play.context, clock };
  const scanner = await aScanner(context, play.runs.reader, { network: publicNetworks.nile });
  const look = async (reader: RunReader) => {
    await play.context.owner.query(sql`update blocks set scanned_at = scanned_at - interval '31 seconds'`);
    nowMs += LATER_MS;
    await scanToRest(context, Object.assign(scanner, { client: nodeGroup(atTip(reader)) }));
  };
  await look(play.runs.reader);
  return look;
}

/** The same node, which says of the block after the newest that it is not there yet. */
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
  const { address } = await play.aReceive();
  play.runs.run({ to: address, units: PAID });
  return { number: await play.mined(), address };
}

it("what one node leaves out when it is asked a second time is not lost: it is asked a third time", async () => {
  const look = await onNile();
  const { number } = await aPayment();
  await look(play.runs.reader);
  play.chain.mine(20);
  await look(play.runs.bending(number, () => []));
  expect(await play.facts()).toEqual(["17500000 CONFIRMING"]);
  await look(play.runs.reader);
  expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
});

it("what one node says twice is taken, and another amount that it says then is asked for again", async () => {
  const look = await onNile();
  const { number } = await aPayment();
  const times = (factor: bigint) =>
    play.runs.bending(number, (moves) => moves.map((move) => ({ ...move, units: move.units * factor })));
  await look(times(7n));
  expect(await play.facts()).toEqual(["122500000 DETECTED"]);
  play.chain.mine(20);
  await look(times(3n));
  await look(play.runs.reader);
  expect(await play.facts()).toEqual(["122500000 CONFIRMING"]);
  await look(play.runs.reader);
  await look(play.runs.reader);
  expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
});

it("what one node told falsely of several blocks is put right in all of them by the same third reading", async () => {
  const look = await onNile();
  const hiding = (number: number) => play.runs.bending(number, () => []);
  for (let block = 0; block < 3; block += 1) await look(hiding((await aPayment()).number));
  expect(await play.facts()).toEqual([]);
  play.chain.mine(20);
  await look(play.runs.reader);
  await look(play.runs.reader);
  expect(await play.facts()).toEqual(Array(3).fill("17500000 CONFIRMED"));
});

it("nothing is written to a block of a range that a fork has replaced since nodes were asked", async () => {
  const { number } = await aPayment();
  await play.look();
  const { context, scanner } = play;
  const network = scanner.network.name;
  const { id } = await requestRescan(context.db, { network, from: number, to: number });
  const rescan = await findRescan(context.db, { network, id });
  if (rescan === undefined) throw new Error("the range is gone");
  const asked = await askForBlock(context, scanner, { number, child: undefined });
  play.chain.fork(1, ["dropped"]);
  await play.look();
  expect(await play.facts()).toEqual(["17500000 REORG_PENDING"]);
  await expect(rescanBlock(context, scanner, { rescan, asked })).rejects.toThrow("was replaced meanwhile");
  expect(await play.facts()).toEqual(["17500000 REORG_PENDING"]);
});
