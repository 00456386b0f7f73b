import { sql } from "@daric/postgres/sql";
import type { RunReader, UsdtMove } from "@daric/testing/fork-runs";
import {
  away,
  counting,
  failingEach,
  type Play,
  sending,
  startPlay,
  TWO_OF_THREE,
  telling,
} from "@daric/testing/second-reading";
import { aScanner, nodeGroup } from "@daric/testing/watch";
import { addressWord, uintWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { publicNetworks } from "../../chain/nodes/networks.ts";
import type { Charge } from "../../charges/charge.ts";
import { LeaseLostError } from "../../runtime/lease.ts";
import { findCursor } from "../block-store.ts";
import { finalize } from "./finalize.ts";
import { faultsOf } from "./name-blocks.ts";

const PAID = 10_000_000n;
let play: Play;
let receive: Charge;
let honest: RunReader;

beforeEach(async () => {
  play = await startPlay(TWO_OF_THREE);
  receive = await play.aReceive();
  honest = play.runs.reader;
});
afterEach(() => play.close());

const payment = () => ({ to: receive.address, units: PAID });

/** A block in which a router moves this, and where it is. */
async function aRun(...moves: readonly UsdtMove[]): Promise<number> {
  play.runs.run(...moves);
  return play.mined();
}

describe("a node that leads and lies for ever", () => {
  it.each<[string, (moves: readonly UsdtMove[]) => readonly UsdtMove[], string[]]>([
    [
      "about an amount",
      (moves) => moves.map((move) => ({ ...move, units: move.units * 7n })),
      ["10000000 CONFIRMED"],
    ],
    ["by hiding a log", () => [], ["10000000 CONFIRMED"]],
    [
      "by moving a log to another place",
      (moves) => [{ units: 1n }, ...moves],
      ["10000000 CONFIRMED", "10000000 FAILED"],
    ],
    [
      "by inventing a log",
      (moves) => [...moves, { ...payment(), units: 3n }],
      ["10000000 CONFIRMED", "3 FAILED"],
    ],
  ])("%s is outvoted by two, and named", async (_how, bend, then) => {
    const liar = play.runs.bending(await aRun(payment()), bend);
    await play.look(liar, honest, honest);
    await play.lookAfter(20, liar, honest, honest);
    await play.lookAfter(1, liar, honest, honest);
    expect(await play.facts()).toEqual(then);
    expect(await play.checks()).toContain("quorum passed: 2 of 3 nodes tell it alike: node 2, node 3");
    expect(play.lines).toContainEqual(
      expect.objectContaining({
        node: "node 1",
        msg: "a node tells a solid block otherwise than enough other nodes",
      }),
    );
  });

  it.each([
    ["tells another amount", 9_000_000n, ["1000000 CONFIRMED"]],
    ["hides it", 0n, ["1000000 CONFIRMED"]],
  ])("about an internal transfer is outvoted by two: it %s", async (_how, told, then) => {
    const { address: to } = await play.aReceive("TRX");
    const { address: other } = await play.aReceive("TRX");
    const txId = play.runs.run({ units: 1n });
    await play.mined();
    const storing = sending(honest, txId, [
      { to, sun: 1_000_000n },
      { to: other, sun: 0n },
    ]);
    const lie = told === 0n ? [{ to: other, sun: 0n }] : [{ to, sun: told }];
    const liar = sending(honest, txId, lie);
    await play.look(liar, storing, storing);
    await play.lookAfter(20, liar, storing, storing);
    await play.lookAfter(1, liar, storing, storing);
    expect(await play.facts()).toEqual(then);
  });

  it("about the fee of a direct call takes nothing off what others show whole", async () => {
    const contractHex = publicNetworks.nile.usdtContractHex;
    const dataHex = `a9059cbb${addressWord(addressToHex(receive.address))}${uintWord(100_000_000n)}`;
    const call = { ownerHex: `41${"11".repeat(20)}`, contractHex, dataHex };
    const expirationMs = play.startMs + 3_600_000;
    play.chain.include({
      txId: "d1".repeat(32),
      contractRet: "SUCCESS",
      expirationMs,
      contract: { kind: "vm", call },
    });
    const number = await play.mined();
    const showing = play.runs.bending(number, () => [{ ...payment(), units: 100_000_000n }]);
    const liar = play.runs.bending(number, () => [
      { ...payment(), units: 98_000_000n },
      { units: 2_000_000n },
    ]);
    await play.look(liar, showing, showing);
    expect(await play.facts()).toEqual(["98000000 DETECTED"]);
    await play.lookAfter(20, liar, showing, showing);
    expect(await play.facts()).toEqual(["100000000 CONFIRMED"]);
  });
});

it("a payment that another node than the leader invents is not recorded, and keeps no order from its end", async () => {
  const liar = play.runs.inventing(await aRun({ units: 1n }), payment());
  for (let n = 0; n < 4; n += 1) await play.lookAfter(10, honest, liar, honest);
  expect(await play.facts()).toEqual([]);
  expect(await play.alarms()).toEqual({ lone_transfer: 1 });
});

it("a node that fails every tenth call beside one that always lies holds up no block and no payment", async () => {
  const numbers = [await aRun(payment()), await aRun(payment()), await aRun({ units: 1n })];
  const liar: RunReader = {
    ...honest,
    fetchCompleteBlock: (number, ...parent) => {
      const node = numbers.includes(number) ? play.runs.bending(number, () => [{ units: 2n }]) : honest;
      return node.fetchCompleteBlock(number, ...parent);
    },
  };
  const nodes = [honest, liar, failingEach(10, honest)];
  for (let n = 0; n < 10; n += 1) {
    await aRun({ units: 1n });
    await play.lookAfter(3, ...nodes);
  }
  const cursor = await findCursor(play.context.db, "devnet");
  expect(await play.facts()).toEqual(["10000000 CONFIRMED", "10000000 CONFIRMED"]);
  expect(play.scanner.verifying.upTo?.number ?? cursor?.solidNumber).toBe((cursor?.number ?? 0) - 18);
});

it("a node is asked once for each block, however long the others fail, and its answers count then", async () => {
  const second = counting(honest);
  const told = new Set<number>();
  const tellingOnce: RunReader = {
    ...honest,
    fetchCompleteBlock: (number, ...parent) => {
      const reader = told.has(number) ? away(honest) : honest;
      told.add(number);
      return reader.fetchCompleteBlock(number, ...parent);
    },
  };
  const dead: RunReader = { ...honest, fetchCompleteBlock: away(honest).fetchCompleteBlock };
  const numbers = [await aRun(payment()), await aRun({ units: 1n }), await aRun(payment())];
  for (let n = 0; n < 8; n += 1) {
    await play.lookAfter(3, tellingOnce, second.reader, dead);
    play.scanner.verifying.voices.failures.clear();
  }
  expect(await play.facts()).toEqual(["10000000 CONFIRMING", "10000000 CONFIRMING"]);
  await play.lookAfter(1, tellingOnce, second.reader, honest);
  expect(await play.facts()).toEqual(["10000000 CONFIRMED", "10000000 CONFIRMED"]);
  expect(second.asked.filter((number) => numbers.includes(number))).toEqual(numbers);
});

describe("nodes that store no internal transfers", () => {
  /** A contract sends TRX to us in one block; a node that stores it, and none that does not, shows it. */
  async function sent() {
    const { address } = await play.aReceive("TRX");
    const txId = play.runs.run({ units: 1n });
    await play.mined();
    return sending(honest, txId, [{ to: address, sun: 1_000_000n }]);
  }

  it("one of three fails no payment and holds none up", async () => {
    const storing = await sent();
    await play.look(honest, storing, storing);
    await play.lookAfter(20, honest, storing, storing);
    await play.lookAfter(1, honest, storing, storing);
    expect(await play.facts()).toEqual(["1000000 CONFIRMED"]);
  });

  it("two of three fail no payment: it waits STUCK, and is confirmed once another node shows it", async () => {
    const storing = await sent();
    await play.look(storing, honest, honest);
    await play.lookAfter(20, storing, honest, honest);
    await play.lookMuchLater(storing, honest, honest);
    expect(await play.facts()).toEqual(["1000000 STUCK quorum"]);
    expect(await play.checks()).toEqual([
      expect.stringMatching(/^quorum waiting: 2 nodes must .*; node 1: 1000000/),
    ]);
    await play.lookAfter(20, storing, honest, storing);
    expect(await play.facts()).toEqual(["1000000 CONFIRMED"]);
  });

  it("hide no payment that the leader does not store and another node shows: it is recorded and waits", async () => {
    const storing = await sent();
    await play.lookAfter(20, honest, storing, honest);
    expect(await play.facts()).toEqual(["1000000 CONFIRMING"]);
    await play.lookAfter(20, honest, storing, storing);
    expect(await play.facts()).toEqual(["1000000 CONFIRMED"]);
  });
});

it("an answer about another block counts for nothing, and names the node", async () => {
  await aRun(payment());
  await play.look();
  const foreign = telling(honest, (info) => ({ ...info, blockTimeMs: info.blockTimeMs + 3_000 }));
  await play.lookAfter(20, honest, foreign, foreign);
  expect(await play.facts()).toEqual(["10000000 CONFIRMING"]);
  for (let n = 0; n < 3; n += 1) await play.lookAfter(1, honest, foreign, foreign);
  const words = faultsOf(play.context, play.scanner);
  expect(words.filter((one) => /the info of transaction \w+ is of another block$/.test(one))).toHaveLength(2);
  play.scanner.verifying.voices.failures.clear();
  await play.lookAfter(20, honest, foreign, honest);
  expect(await play.facts()).toEqual(["10000000 CONFIRMED"]);
});

describe.each([
  ["hides", () => []],
  ["bends", (moves: readonly UsdtMove[]) => moves.map((move) => ({ ...move, units: 9_000_000n }))],
])("a watcher whose lease was taken over", (how, bend) => {
  it(`corrects nothing that the leader ${how}`, async () => {
    const liar = play.runs.bending(await aRun(payment()), bend);
    await play.lookAfter(10, liar, honest, honest);
    const before = await play.facts();
    play.chain.mine(10);
    const { context, scanner } = play;
    await scanBlocksOnly(liar);
    const cursor = await findCursor(context.db, "devnet");
    await context.db.query(sql`update leases set is_free = true`);
    await aScanner(context, honest, { holder: "other" });
    const settling = async () => cursor && finalize(context, scanner, cursor);
    await expect(settling()).rejects.toThrow(LeaseLostError);
    expect(await play.facts()).toEqual(before);
  });

  /** Reads on while the others are away: nothing is settled. */
  async function scanBlocksOnly(liar: RunReader): Promise<void> {
    await play.look(liar, away(honest), away(honest));
    play.scanner.verifying.voices.failures.clear();
    Object.assign(play.scanner, { client: nodeGroup(liar, honest, honest) });
    play.scanner.verifying.settledAt = undefined;
  }
});
