import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import { publicNetworks } from "@daric/chain/nodes/networks";
import type { Charge } from "@daric/charges/charge";
import { sql } from "@daric/postgres/sql";
import { LeaseLostError } from "@daric/runtime/lease";
import { alarmKey } from "@daric/runtime/metrics";
import { auditDatabase } from "@daric/server/doctor/audit";
import { isNight } from "@daric/testing/at-night";
import type { RunReader, UsdtTransfer } from "@daric/testing/fork-runs";
import {
  altering,
  away,
  counting,
  failingEach,
  type SecondReading,
  sending,
  startSecondReading,
  TWO_OF_THREE,
  withoutInternals,
} from "@daric/testing/second-reading";
import { usdtOn } from "@daric/testing/usdt";
import { aScanner, nodeGroup } from "@daric/testing/watch";
import { addressWord, uintWord } from "@daric/tron/abi";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { settleAgain } from "../follow/scanner.ts";
import { faultsOf } from "./agreed-height.ts";
import { finalize } from "./finalize.ts";

const PAID = 10_000_000n;
let reading: SecondReading;
let receive: Charge;
let honest: RunReader;

beforeEach(async () => {
  reading = await startSecondReading(TWO_OF_THREE);
  receive = await reading.aReceive();
  honest = reading.runs.reader;
});
afterEach(() => reading.close());

const payment = () => ({ to: receive.address, units: PAID });

/** Makes a block in which a router moves this, and returns its number. */
async function aRun(...transfers: readonly UsdtTransfer[]): Promise<number> {
  reading.runs.run(...transfers);
  return reading.mined();
}

describe("a lasting lie of the leading node", () => {
  it.each<[string, (transfers: readonly UsdtTransfer[]) => readonly UsdtTransfer[], string[]]>([
    [
      "about an amount",
      (transfers) => transfers.map((move) => ({ ...move, units: move.units * 7n })),
      ["10000000 CONFIRMED"],
    ],
    ["by hiding a log", () => [], ["10000000 CONFIRMED"]],
    [
      "by moving a log to another place",
      (transfers) => [{ units: 1n }, ...transfers],
      ["10000000 CONFIRMED", "10000000 FAILED"],
    ],
    [
      "by inventing a log",
      (transfers) => [...transfers, { ...payment(), units: 3n }],
      ["10000000 CONFIRMED", "3 FAILED"],
    ],
  ])("%s is outvoted by two, and named", async (_how, bend, then) => {
    const liar = reading.runs.bending(await aRun(payment()), bend);
    await reading.poll(liar, honest, honest);
    await reading.pollAfter(20, liar, honest, honest);
    await reading.pollAfter(1, liar, honest, honest);
    expect(await reading.facts()).toEqual(then);
    expect(await reading.checks()).toContain("quorum passed: 2 of 3 nodes agree: node 2, node 3");
    expect(reading.lines).toContainEqual(
      expect.objectContaining({
        node: "node 1",
        event: "single_node_transfer",
      }),
    );
    // What the alert repeats is made of what was parsed.
    expect(
      reading.context.metrics.alarmWords.get(alarmKey({ alarm: "single_node_transfer", node: "node 1" })),
    ).toMatch(
      /^it reported transaction \w{64} of block \d+ differently from the quorum: (no payment|[\d.]+ USDT to …\w+.*) instead of /,
    );
  });

  it.each([
    ["reports another amount", 9_000_000n, ["1000000 CONFIRMED"]],
    ["hides it", 0n, ["1000000 CONFIRMED"]],
  ])("about an internal transfer is outvoted by two nodes: it %s", async (_how, reported, then) => {
    const { address: to } = await reading.aReceive("TRX");
    const { address: other } = await reading.aReceive("TRX");
    const txId = reading.runs.run({ units: 1n });
    await reading.mined();
    const storing = sending(honest, txId, [
      { to, sun: 1_000_000n },
      { to: other, sun: 0n },
    ]);
    const lie = reported === 0n ? [{ to: other, sun: 0n }] : [{ to, sun: reported }];
    const liar = sending(honest, txId, lie);
    await reading.poll(liar, storing, storing);
    await reading.pollAfter(20, liar, storing, storing);
    await reading.pollAfter(1, liar, storing, storing);
    expect(await reading.facts()).toEqual(then);
  });

  it.runIf(isNight)(
    "about the fee of a direct call reduces no amount that the others report in full",
    async () => {
      const { contractHex } = usdtOn(publicNetworks.nile);
      const dataHex = `a9059cbb${addressWord(addressToHex(receive.address))}${uintWord(100_000_000n)}`;
      const call = { ownerHex: `41${"11".repeat(20)}`, contractHex, dataHex };
      const expirationMs = reading.startMs + 3_600_000;
      reading.chain.include({
        txId: "d1".repeat(32),
        contractRet: "SUCCESS",
        expirationMs,
        contract: { kind: "vm", call },
      });
      const number = await reading.mined();
      const showing = reading.runs.bending(number, () => [{ ...payment(), units: 100_000_000n }]);
      const liar = reading.runs.bending(number, () => [
        { ...payment(), units: 98_000_000n },
        { units: 2_000_000n },
      ]);
      await reading.poll(liar, showing, showing);
      expect(await reading.facts()).toEqual(["98000000 DETECTED"]);
      await reading.pollAfter(20, liar, showing, showing);
      expect(await reading.facts()).toEqual(["100000000 CONFIRMED"]);
    },
  );
});

it("a node that turns to another chain has no vote by the answers that it gave before", async () => {
  const number = await aRun(payment());
  await reading.poll();
  const fetch = honest.fetchCompleteBlock;
  const fails = () => Promise.reject(new IncompleteBlockError("node", number));
  const silent: RunReader = {
    ...honest,
    fetchCompleteBlock: (...wanted) => (wanted[0] === number ? fails() : fetch(...wanted)),
  };
  await reading.pollAfter(20, silent, silent, honest);
  expect(await reading.facts()).toEqual(["10000000 CONFIRMING"]);
  const elsewhere = <H extends BlockHeader | undefined>(header: H): H =>
    header && { ...header, id: `${header.id.slice(0, 40)}${"f".repeat(24)}` };
  const turned: RunReader = {
    ...honest,
    getHeadBlock: async () => elsewhere(await honest.getHeadBlock()),
    getSolidBlock: async () => elsewhere(await honest.getSolidBlock()),
    getBlock: async (height) => {
      const block = await honest.getBlock(height);
      return block && { ...block, header: elsewhere(block.header) };
    },
  };
  await reading.pollAfter(25, silent, silent, turned);
  expect([...reading.scanner.following.verifying.standing.excluded]).toEqual([2]);
  await reading.pollAfter(1, honest, silent, turned);
  expect(await reading.facts()).toEqual(["10000000 CONFIRMING"]);
  await reading.pollAfter(1);
  expect(await reading.facts()).toEqual(["10000000 CONFIRMED"]);
});

it("a payment that another node than the leader invents is not recorded, and delays no order's expiry", async () => {
  const liar = reading.runs.inventing(await aRun({ units: 1n }), payment());
  for (let n = 0; n < 4; n += 1) await reading.pollAfter(10, honest, liar, honest);
  expect(await reading.facts()).toEqual([]);
  expect(await reading.alarms()).toEqual({ single_node_transfer: 1 });
});

it.runIf(isNight)(
  "a node that fails every tenth call and another that always lies delay no block and no payment",
  async () => {
    const numbers = [await aRun(payment()), await aRun(payment()), await aRun({ units: 1n })];
    const liar: RunReader = {
      ...honest,
      fetchCompleteBlock: (number, ...parent) => {
        const node = numbers.includes(number) ? reading.runs.bending(number, () => [{ units: 2n }]) : honest;
        return node.fetchCompleteBlock(number, ...parent);
      },
    };
    const nodes = [honest, liar, failingEach(10, honest)];
    for (let n = 0; n < 10; n += 1) {
      await aRun({ units: 1n });
      await reading.pollAfter(3, ...nodes);
    }
    const cursor = await findCursor(reading.context.db, "devnet");
    expect(await reading.facts()).toEqual(["10000000 CONFIRMED", "10000000 CONFIRMED"]);
    expect(reading.scanner.following.verifying.upTo?.number ?? cursor?.solidNumber).toBe(
      (cursor?.number ?? 0) - 18,
    );
  },
);

it.runIf(isNight)(
  "a node is called once for each block, however long the others fail, and its answers are kept",
  async () => {
    const second = counting(honest);
    const reported = new Set<number>();
    const reportingOnce: RunReader = {
      ...honest,
      fetchCompleteBlock: (number, ...parent) => {
        const reader = reported.has(number) ? away(honest) : honest;
        reported.add(number);
        return reader.fetchCompleteBlock(number, ...parent);
      },
    };
    const dead: RunReader = { ...honest, fetchCompleteBlock: away(honest).fetchCompleteBlock };
    const numbers = [await aRun(payment()), await aRun({ units: 1n }), await aRun(payment())];
    for (let n = 0; n < 8; n += 1) {
      await reading.pollAfter(3, reportingOnce, second.reader, dead);
      reading.scanner.following.verifying.answers.failures.clear();
    }
    expect(await reading.facts()).toEqual(["10000000 CONFIRMING", "10000000 CONFIRMING"]);
    await reading.pollAfter(1, reportingOnce, second.reader, honest);
    expect(await reading.facts()).toEqual(["10000000 CONFIRMED", "10000000 CONFIRMED"]);
    expect(second.requested.filter((number) => numbers.includes(number))).toEqual(numbers);
  },
);

/** A contract sends TRX to us in one block; returns a node that stores internal transfers. */
async function sent(sun = 1_000_000n) {
  const { address } = await reading.aReceive("TRX");
  const txId = reading.runs.run({ units: 1n });
  await reading.mined();
  return sending(honest, txId, [{ to: address, sun }]);
}

const faults = () =>
  faultsOf(reading.context, reading.scanner, reading.scanner.following.verifying).join("; ");

describe("nodes that store no internal transfers", () => {
  it("one of three fails no payment and delays none, and is named", async () => {
    const storing = await sent();
    const without = withoutInternals(storing);
    await reading.poll(without, storing, storing);
    await reading.pollAfter(20, without, storing, storing);
    await reading.pollAfter(1, without, storing, storing);
    expect(await reading.facts()).toEqual(["1000000 CONFIRMED"]);
    expect(faults()).toBe(
      "node 1 does not store internal transactions, so it has no vote on them: java-tron needs vm.saveInternalTx = true",
    );
  });

  it("two of three outvote no node that stores them, though they have stored some before, and are named once", async () => {
    const before = await sent(2_000_000n);
    await reading.poll(before, before, before);
    await reading.pollAfter(20, before, before, before);
    const { address } = await reading.aReceive("TRX");
    const txId = reading.runs.run({ units: 1n });
    await reading.mined();
    const storing = sending(before, txId, [{ to: address, sun: 1_000_000n }]);
    const without = altering(storing, (info) =>
      info.txId === txId ? { ...info, internals: [], internalCount: 0 } : info,
    );
    await reading.poll(storing, without, without);
    for (let n = 0; n < 3; n += 1) await reading.pollAfter(20, storing, without, without);
    await reading.pollMuchLater(storing, without, without);
    expect(await reading.facts()).toEqual(["2000000 CONFIRMED", "1000000 STUCK quorum"]);
    expect((await reading.checks()).at(-1)).toMatch(
      /node 1: 1000000 .*; node 2 and node 3 show no internal transaction of its block and have no vote: .*saveInternalTx/,
    );
    expect(await reading.alarms()).toEqual({});
    const named = reading.lines.filter(({ event }) => event === "internal_transactions_missing");
    expect(named.map(({ node }) => node)).toEqual(["node 2", "node 3"]);
    await reading.pollAfter(20, storing, without, storing);
    expect(await reading.facts()).toEqual(["2000000 CONFIRMED", "1000000 CONFIRMED"]);
  });

  it("hide no payment that another node reports: it is recorded and waits", async () => {
    const storing = await sent();
    const without = withoutInternals(storing);
    await reading.pollAfter(20, without, storing, without);
    expect(await reading.facts()).toEqual(["1000000 CONFIRMING"]);
    await reading.pollAfter(20, without, storing, storing);
    expect(await reading.facts()).toEqual(["1000000 CONFIRMED"]);
  });
});

describe("an internal transfer that a node invents", () => {
  it("waits while that node reports it, which is named, and fails by itself once all nodes deny it", async () => {
    const liar = await sent(7_000_000n);
    await reading.poll(liar, honest, honest);
    await reading.pollAfter(20, liar, honest, honest);
    await reading.pollMuchLater(liar, honest, honest);
    expect(await reading.facts()).toEqual(["7000000 STUCK quorum"]);
    expect(await reading.alarms()).toEqual({ single_node_transfer: 1 });
    expect(faults()).toMatch(
      /^node 1 reported transaction \w{64} of block \d+ differently from the quorum: 7 TRX to …\w+ instead of no payment$/,
    );
    await reading.pollAfter(20, honest, honest, honest);
    await reading.pollAfter(1, honest, honest, honest);
    expect(await reading.facts()).toEqual(["7000000 FAILED"]);
    expect(await broken()).toEqual([]);
  });

  it("does not fail while a node is away, or may not store internal transactions", async () => {
    const liar = await sent(7_000_000n);
    await reading.poll(liar, honest, honest);
    await reading.pollAfter(20, liar, honest, honest);
    await reading.pollAfter(20, honest, honest, away(honest));
    expect(await reading.facts()).toEqual(["7000000 CONFIRMING"]);
    reading.scanner.following.verifying.answers.failures.clear();
    await reading.pollAfter(20, honest, honest, withoutInternals(liar));
    expect(await reading.facts()).toEqual(["7000000 CONFIRMING"]);
  });
});

/** The invariants that the doctor finds broken. */
async function broken(): Promise<string[]> {
  const diagnoses = await auditDatabase(reading.context.db, "devnet");
  return diagnoses.flatMap(({ violations }) => violations.map(({ what }) => what));
}

it("an answer about another block counts for nothing, and names the node", async () => {
  await aRun(payment());
  await reading.poll();
  const foreign = altering(honest, (info) => ({ ...info, blockTimeMs: info.blockTimeMs + 3_000 }));
  await reading.pollAfter(20, honest, foreign, foreign);
  expect(await reading.facts()).toEqual(["10000000 CONFIRMING"]);
  for (let n = 0; n < 3; n += 1) await reading.pollAfter(1, honest, foreign, foreign);
  expect(faults()).toMatch(
    /^node 2: block \d+: the info of transaction \w+ is of another block; node 3: block \d+: the info of transaction \w+ is of another block$/,
  );
  reading.scanner.following.verifying.answers.failures.clear();
  await reading.pollAfter(20, honest, foreign, honest);
  expect(await reading.facts()).toEqual(["10000000 CONFIRMED"]);
});

it("a node that fails is named once, with each reason once and without the node's own text", async () => {
  const said = { fault: "http_status", node: "node 3", quote: "https://node.example/secret" } as const;
  const refuse = () => Promise.reject(new NodeError("answered HTTP 502", said));
  const failing: RunReader = { ...honest, ...{ getHeader: refuse }, fetchCompleteBlock: refuse };
  for (let n = 0; n < 4; n += 1) await reading.pollAfter(20, honest, honest, failing);
  expect(faults()).toBe("node 3: answered HTTP 502");
});

describe.each([
  ["hides", () => []],
  [
    "bends",
    (transfers: readonly UsdtTransfer[]) => transfers.map((move) => ({ ...move, units: 9_000_000n })),
  ],
])("a watcher whose lease was taken over", (how, bend) => {
  it(`corrects nothing that the leader ${how}`, async () => {
    const liar = reading.runs.bending(await aRun(payment()), bend);
    await reading.pollAfter(10, liar, honest, honest);
    const before = await reading.facts();
    reading.chain.mine(10);
    const { context, scanner } = reading;
    await scanBlocksOnly(liar);
    const cursor = await findCursor(context.db, "devnet");
    await context.db.query(sql`update leases set is_free = true`);
    await aScanner(context, honest, { holder: "other" });
    const settling = async () =>
      cursor && finalize(context, scanner, { cursor, state: scanner.following.verifying });
    await expect(settling()).rejects.toThrow(LeaseLostError);
    expect(await reading.facts()).toEqual(before);
  });

  /** Reads more blocks while the other nodes are away, so that none is verified. */
  async function scanBlocksOnly(liar: RunReader): Promise<void> {
    await reading.poll(liar, away(honest), away(honest));
    reading.scanner.following.verifying.answers.failures.clear();
    Object.assign(reading.scanner, { client: nodeGroup(liar, honest, honest) });
    settleAgain(reading.scanner);
  }
});
