import { IncompleteBlockError } from "@daric/chain/blocks/node-error";
import type { Charge } from "@daric/charges/charge";
import { isNight } from "@daric/testing/at-night";
import type { RunReader } from "@daric/testing/fork-runs";
import { away, type SecondReading, startSecondReading, TWO_OF_THREE } from "@daric/testing/second-reading";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

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

/** The number of single blocks until the deposits have these facts, 25 at most. */
async function blocksUntil(facts: readonly string[], ...nodes: readonly RunReader[]): Promise<number> {
  for (let blocks = 1; blocks <= 25; blocks += 1) {
    await reading.pollAfter(1, ...nodes);
    if (JSON.stringify(await reading.facts()) === JSON.stringify(facts)) return blocks;
  }
  throw new Error(`still ${(await reading.facts()).join(", ")}`);
}

describe("a block that too few nodes report", () => {
  it("keeps its payments STUCK, even native ones, until enough nodes report it; no command is needed", async () => {
    const native = await reading.aReceive("TRX");
    reading.chain.pay(native.address, 5_000_000n);
    reading.runs.run(payment());
    await reading.mined();
    const alone = [honest, away(honest), away(honest)];
    await reading.pollAfter(30, ...alone);
    expect((await reading.facts()).toSorted()).toEqual(["10000000 CONFIRMING", "5000000 CONFIRMING"]);
    await reading.pollMuchLater(...alone);
    expect((await reading.facts()).toSorted()).toEqual(["10000000 STUCK quorum", "5000000 STUCK quorum"]);
    const waiting = "quorum waiting: too few nodes name its block or answer the second reading";
    expect(await reading.checks()).toEqual([waiting, waiting]);
    reading.scanner.following.verifying.answers.failures.clear();
    await reading.pollAfter(1);
    expect((await reading.facts()).toSorted()).toEqual(["10000000 CONFIRMED", "5000000 CONFIRMED"]);
    expect(await reading.checks()).not.toContain(waiting);
  });

  it.runIf(isNight)("is verified although one node reports another block at its height", async () => {
    reading.runs.run(payment());
    const at = await reading.mined();
    const other: RunReader = {
      ...honest,
      fetchCompleteBlock: async (number, ...parent) => {
        const block = await honest.fetchCompleteBlock(number, ...parent);
        const infos = block.infos.map((info) => ({ ...info, blockTimeMs: info.blockTimeMs + 1 }));
        return number === at ? { ...block, infos } : block;
      },
    };
    await reading.pollAfter(20, honest, other, honest);
    expect(await reading.facts()).toEqual(["10000000 CONFIRMED"]);
  });

  it.runIf(isNight)(
    "delays later blocks until enough nodes report it, and then all are verified",
    async () => {
      reading.runs.run(payment());
      const at = await reading.mined();
      reading.runs.run({ ...payment(), units: 7n });
      await reading.mined();
      const lacking: RunReader = {
        ...honest,
        fetchCompleteBlock: (number, ...parent) =>
          number === at
            ? Promise.reject(new IncompleteBlockError("node", number))
            : honest.fetchCompleteBlock(number, ...parent),
      };
      await reading.pollAfter(30, honest, lacking, lacking);
      expect(await reading.facts()).toEqual(["10000000 CONFIRMING", "7 CONFIRMING"]);
      await reading.pollAfter(1, honest, lacking, honest);
      expect(await reading.facts()).toEqual(["10000000 CONFIRMED", "7 CONFIRMED"]);
    },
  );
});

describe("a payment about which nodes disagree", () => {
  /** A payment with three different amounts at three nodes; the first node leads. */
  async function noMajority(): Promise<{ liars: RunReader[]; at: number }> {
    reading.runs.run(payment());
    const at = await reading.mined();
    const liars = [7n, 8n].map((units) => reading.runs.bending(at, () => [{ ...payment(), units }]));
    return { liars, at };
  }

  it("waits STUCK with each node's answer in its check, while later payments are confirmed", async () => {
    const { liars } = await noMajority();
    const later = await reading.aReceive();
    await reading.poll(honest, ...liars);
    reading.runs.run({ to: later.address, units: 3n });
    await reading.pollAfter(20, honest, ...liars);
    expect(await reading.facts()).toEqual(["10000000 CONFIRMING", "3 CONFIRMED"]);
    await reading.pollMuchLater(honest, ...liars);
    expect((await reading.facts())[0]).toBe("10000000 STUCK quorum");
    const { address } = receive;
    expect((await reading.checks())[0]).toBe(
      `quorum waiting: 2 nodes must agree on it; node 1: 10000000 units of USDT to ${address}; node 2: 7 units of USDT to ${address}; node 3: 8 units of USDT to ${address}`,
    );
  });

  it("is confirmed within 20 blocks after two nodes agree, and corrected to their answer", async () => {
    const { liars, at } = await noMajority();
    await reading.pollAfter(
      20,
      reading.runs.bending(at, () => [{ ...payment(), units: 9n }]),
      ...liars,
    );
    await reading.pollMuchLater(honest, ...liars);
    expect(await reading.facts()).toEqual(["9 STUCK quorum"]);
    const waited = await blocksUntil(["10000000 CONFIRMED"], honest, honest, liars[0] ?? honest);
    expect(waited).toBeLessThanOrEqual(20);
  });

  it("is recorded and waits though the leader hides it, and fails once two nodes do not report it", async () => {
    await anEndpointRow(reading.context.db, reading.merchantId, {
      eventTypes: ["deposit.detected", "deposit.failed"],
    });
    const { at } = await noMajority();
    const hiding = reading.runs.bending(at, () => []);
    await reading.poll(hiding, honest, away(honest));
    expect(await reading.facts()).toEqual([]);
    await reading.pollAfter(20, hiding, honest, away(honest));
    expect(await reading.facts()).toEqual(["10000000 CONFIRMING"]);
    await reading.pollMuchLater(hiding, honest, away(honest));
    expect(await reading.facts()).toEqual(["10000000 STUCK quorum"]);
    reading.scanner.following.verifying.answers.failures.clear();
    await blocksUntil(["10000000 FAILED"], hiding, honest, hiding);
    expect((await reading.events()).map(({ type }) => type)).toEqual(["deposit.detected", "deposit.failed"]);
  });

  it.runIf(isNight)(
    "delays no other deposit, though its block has a confirmed payment that is reported again each time",
    async () => {
      const other = await reading.aReceive();
      reading.runs.run(payment());
      reading.runs.run({ to: other.address, units: 5n });
      const first = await reading.mined();
      reading.runs.run({ ...payment(), units: 6n });
      const second = await reading.mined();
      /** Reports its own amount in the first block and, unless `isSane`, in the second. */
      const liar = (units: bigint, isSane: boolean): RunReader => ({
        ...honest,
        fetchCompleteBlock: (number, ...parent) => {
          const isBent = number === first || (number === second && !isSane);
          const node = isBent ? reading.runs.bending(number, () => [{ ...payment(), units }]) : honest;
          return node.fetchCompleteBlock(number, ...parent);
        },
      });
      await reading.pollAfter(20, honest, liar(7n, false), liar(8n, false));
      expect(await reading.facts()).toEqual(["5 CONFIRMED", "10000000 CONFIRMING", "6 CONFIRMING"]);
      const then = ["5 CONFIRMED", "10000000 CONFIRMING", "6 CONFIRMED"];
      expect(await blocksUntil(then, honest, liar(7n, true), liar(8n, false))).toBeLessThanOrEqual(20);
    },
  );
});

describe("the reason of a STUCK deposit", () => {
  it("follows the check that it waits for: the quorum, and then the balance if one node decides", async () => {
    reading.runs.run({ units: 1n });
    const at = await reading.mined();
    const inventor = reading.runs.inventing(at, payment());
    await reading.pollAfter(20, inventor, away(honest), away(honest));
    await reading.pollMuchLater(inventor, away(honest), away(honest));
    expect(await reading.facts()).toEqual(["10000000 STUCK quorum"]);
    reading.decide({ quorum: undefined });
    await reading.pollAfter(20, inventor);
    expect(await reading.facts()).toEqual(["10000000 STUCK balance"]);
    await reading.pollAfter(20, honest);
    expect(await reading.facts()).toEqual(["10000000 FAILED"]);
  });
});
