import type { RunReader } from "@daric/testing/fork-runs";
import { away, type Play, startPlay, TWO_OF_THREE } from "@daric/testing/second-reading";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IncompleteBlockError } from "../../chain/blocks/node-error.ts";
import type { Charge } from "../../charges/charge.ts";

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

/** The blocks that pass, looked at one by one, until the deposits are these; 25 at most. */
async function blocksUntil(facts: readonly string[], ...nodes: readonly RunReader[]): Promise<number> {
  for (let blocks = 1; blocks <= 25; blocks += 1) {
    await play.lookAfter(1, ...nodes);
    if (JSON.stringify(await play.facts()) === JSON.stringify(facts)) return blocks;
  }
  throw new Error(`still ${(await play.facts()).join(", ")}`);
}

describe("a block that too few nodes tell", () => {
  it("keeps its payments STUCK, native ones too, which are confirmed once enough tell it, and no command is needed", async () => {
    const native = await play.aReceive("TRX");
    play.chain.pay(native.address, 5_000_000n);
    play.runs.run(payment());
    await play.mined();
    const alone = [honest, away(honest), away(honest)];
    await play.lookAfter(30, ...alone);
    expect((await play.facts()).toSorted()).toEqual(["10000000 CONFIRMING", "5000000 CONFIRMING"]);
    await play.lookMuchLater(...alone);
    expect((await play.facts()).toSorted()).toEqual(["10000000 STUCK quorum", "5000000 STUCK quorum"]);
    const waiting = "quorum waiting: too few nodes name its block or tell it a second time";
    expect(await play.checks()).toEqual([waiting, waiting]);
    play.scanner.verifying.answers.failures.clear();
    await play.lookAfter(1);
    expect((await play.facts()).toSorted()).toEqual(["10000000 CONFIRMED", "5000000 CONFIRMED"]);
    expect(await play.checks()).not.toContain(waiting);
  });

  it("is passed by where one node tells another block there, and that node does not name ours", async () => {
    play.runs.run(payment());
    const at = await play.mined();
    const other: RunReader = {
      ...honest,
      fetchCompleteBlock: async (number, ...parent) => {
        const block = await honest.fetchCompleteBlock(number, ...parent);
        const infos = block.infos.map((info) => ({ ...info, blockTimeMs: info.blockTimeMs + 1 }));
        return number === at ? { ...block, infos } : block;
      },
    };
    await play.lookAfter(20, honest, other, honest);
    expect(await play.facts()).toEqual(["10000000 CONFIRMED"]);
  });

  it("holds up the blocks behind it until enough nodes tell it, and all are verified then", async () => {
    play.runs.run(payment());
    const at = await play.mined();
    play.runs.run({ ...payment(), units: 7n });
    await play.mined();
    const lacking: RunReader = {
      ...honest,
      fetchCompleteBlock: (number, ...parent) =>
        number === at
          ? Promise.reject(new IncompleteBlockError("node", number))
          : honest.fetchCompleteBlock(number, ...parent),
    };
    await play.lookAfter(30, honest, lacking, lacking);
    expect(await play.facts()).toEqual(["10000000 CONFIRMING", "7 CONFIRMING"]);
    await play.lookAfter(1, honest, lacking, honest);
    expect(await play.facts()).toEqual(["10000000 CONFIRMED", "7 CONFIRMED"]);
  });
});

describe("a payment about which nodes disagree", () => {
  /** Three nodes that tell three amounts of it, of which the first leads. */
  async function disputed(): Promise<{ liars: RunReader[]; at: number }> {
    play.runs.run(payment());
    const at = await play.mined();
    const liars = [7n, 8n].map((units) => play.runs.bending(at, () => [{ ...payment(), units }]));
    return { liars, at };
  }

  it("waits STUCK and says what each node tells, while what follows is confirmed", async () => {
    const { liars } = await disputed();
    const later = await play.aReceive();
    await play.look(honest, ...liars);
    play.runs.run({ to: later.address, units: 3n });
    await play.lookAfter(20, honest, ...liars);
    expect(await play.facts()).toEqual(["10000000 CONFIRMING", "3 CONFIRMED"]);
    await play.lookMuchLater(honest, ...liars);
    expect((await play.facts())[0]).toBe("10000000 STUCK quorum");
    const { address } = receive;
    expect((await play.checks())[0]).toBe(
      `quorum waiting: 2 nodes must tell it alike; node 1: 10000000 units of USDT to ${address}; node 2: 7 units of USDT to ${address}; node 3: 8 units of USDT to ${address}`,
    );
  });

  it("is confirmed within 20 blocks of two nodes telling it alike, corrected where they tell it otherwise", async () => {
    const { liars, at } = await disputed();
    await play.lookAfter(
      20,
      play.runs.bending(at, () => [{ ...payment(), units: 9n }]),
      ...liars,
    );
    await play.lookMuchLater(honest, ...liars);
    expect(await play.facts()).toEqual(["9 STUCK quorum"]);
    const waited = await blocksUntil(["10000000 CONFIRMED"], honest, honest, liars[0] ?? honest);
    expect(waited).toBeLessThanOrEqual(20);
  });

  it("is recorded and waits though the leader hides it, and fails once two nodes do not show it", async () => {
    await anEndpointRow(play.context.db, play.merchantId, {
      eventTypes: ["deposit.detected", "deposit.failed"],
    });
    const { at } = await disputed();
    const hiding = play.runs.bending(at, () => []);
    await play.look(hiding, honest, away(honest));
    expect(await play.facts()).toEqual([]);
    await play.lookAfter(20, hiding, honest, away(honest));
    expect(await play.facts()).toEqual(["10000000 CONFIRMING"]);
    await play.lookMuchLater(hiding, honest, away(honest));
    expect(await play.facts()).toEqual(["10000000 STUCK quorum"]);
    play.scanner.verifying.answers.failures.clear();
    await blocksUntil(["10000000 FAILED"], hiding, honest, hiding);
    expect((await play.events()).map(({ type }) => type)).toEqual(["deposit.detected", "deposit.failed"]);
  });

  it("keeps no other one waiting, though its block holds a confirmed payment that is told again each time", async () => {
    const other = await play.aReceive();
    play.runs.run(payment());
    play.runs.run({ to: other.address, units: 5n });
    const first = await play.mined();
    play.runs.run({ ...payment(), units: 6n });
    const second = await play.mined();
    /** Tells an amount of its own in the first block and, unless it has come to its senses, in the second. */
    const liar = (units: bigint, isSane: boolean): RunReader => ({
      ...honest,
      fetchCompleteBlock: (number, ...parent) => {
        const isBent = number === first || (number === second && !isSane);
        const node = isBent ? play.runs.bending(number, () => [{ ...payment(), units }]) : honest;
        return node.fetchCompleteBlock(number, ...parent);
      },
    });
    await play.lookAfter(20, honest, liar(7n, false), liar(8n, false));
    expect(await play.facts()).toEqual(["5 CONFIRMED", "10000000 CONFIRMING", "6 CONFIRMING"]);
    const then = ["5 CONFIRMED", "10000000 CONFIRMING", "6 CONFIRMED"];
    expect(await blocksUntil(then, honest, liar(7n, true), liar(8n, false))).toBeLessThanOrEqual(20);
  });
});

describe("the reason of a STUCK deposit", () => {
  it("follows what it waits for: nodes that agree, and then a balance where one voice decides", async () => {
    play.runs.run({ units: 1n });
    const at = await play.mined();
    const inventor = play.runs.inventing(at, payment());
    await play.lookAfter(20, inventor, away(honest), away(honest));
    await play.lookMuchLater(inventor, away(honest), away(honest));
    expect(await play.facts()).toEqual(["10000000 STUCK quorum"]);
    play.decide({ quorum: undefined });
    await play.lookAfter(20, inventor);
    expect(await play.facts()).toEqual(["10000000 STUCK balance"]);
    await play.lookAfter(20, honest);
    expect(await play.facts()).toEqual(["10000000 FAILED"]);
  });
});
