import { NodeError } from "@daric/chain/blocks/node-error";
import type { Charge } from "@daric/charges/charge";
import { sql } from "@daric/postgres/sql";
import { derivedId } from "@daric/runtime/derived-id";
import { isNight } from "@daric/testing/at-night";
import type { RunReader, UsdtTransfer } from "@daric/testing/fork-runs";
import {
  type SecondReading,
  sending,
  startSecondReading,
  withoutInternals,
} from "@daric/testing/second-reading";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const PAID = 17_500_000n;
let reading: SecondReading;
let receive: Charge;

beforeEach(async () => {
  reading = await startSecondReading();
  receive = await reading.aReceive();
});
afterEach(() => reading.close());

const sevenTimes = (transfers: readonly UsdtTransfer[]) =>
  transfers.map((move) => ({ ...move, units: move.units * 7n }));

/** A router moves this USDT; the only node has another answer at the first read. */
async function reportedOnce(
  bend: (transfers: readonly UsdtTransfer[]) => readonly UsdtTransfer[],
  ...transfers: readonly UsdtTransfer[]
): Promise<number> {
  reading.runs.run(...transfers);
  const number = await reading.mined();
  await reading.poll(reading.runs.bending(number, bend));
  return number;
}

const payment = () => ({ to: receive.address, units: PAID });

describe("a single wrong answer of the only node:", () => {
  it("a false amount is corrected and CONFIRMED without a command", async () => {
    await reportedOnce(sevenTimes, payment());
    expect(await reading.facts()).toEqual(["122500000 DETECTED"]);
    await reading.pollAfter(20);
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
    const steps = await reading.context.owner.query<{ event: string }>(
      sql`select event from deposit_events order by id`,
    );
    expect(steps.map(({ event }) => event)).toEqual([
      ...["detected", "buried", "orphaned", "included", "buried", "finalized"],
    ]);
    expect(await reading.alarms()).toEqual({ omitted_transfer: 1 });
  });

  it("a correction is announced as a detection with the true amount, and never as a reorganisation", async () => {
    const eventTypes = ["detected", "confirming", "reorged", "confirmed", "failed"];
    await anEndpointRow(reading.context.db, reading.merchantId, {
      eventTypes: eventTypes.map((eventType) => `deposit.${eventType}`),
    });
    await reportedOnce(sevenTimes, payment());
    for (let block = 0; block < 20; block += 1) await reading.pollAfter(1);
    const events = await reading.events();
    expect(events.map(({ type }) => type.replace("deposit.", ""))).toEqual([
      ...["detected", "confirming", "detected", "confirming", "confirmed"],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const [deposit] = await reading.context.db.query<{ id: string; blockId: string }>(
      sql`select id, block_id as "blockId" from deposits where merchant_id = ${reading.merchantId}`,
    );
    const { id = "", blockId } = deposit ?? {};
    const idOf = (type: string, ...cause: string[]) => derivedId("event", id, `deposit.${type}`, ...cause);
    expect(events.map((event) => event.id)).toMatchObject([
      idOf("detected", `${blockId}`),
      idOf("confirming", `${blockId}`),
      idOf("detected", `${blockId} 2`),
      idOf("confirming", `${blockId} 2`),
      idOf("confirmed"),
    ]);
  });

  it("an omitted payment is found and confirmed", async () => {
    await reportedOnce(() => [], payment());
    expect(await reading.facts()).toEqual([]);
    await reading.pollAfter(20);
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("an invented log fails", async () => {
    await anEndpointRow(reading.context.db, reading.merchantId, {
      eventTypes: ["deposit.reorged", "deposit.failed"],
    });
    await reportedOnce((transfers) => [...transfers, payment()], { units: 1n });
    expect(await reading.facts()).toEqual(["17500000 DETECTED"]);
    await reading.pollAfter(20);
    expect(await reading.facts()).toEqual(["17500000 FAILED"]);
    expect((await reading.events()).map(({ type }) => type)).toEqual(["deposit.failed"]);
  });

  it("a payment moved to another address of the same merchant is credited to its own", async () => {
    const other = await reading.aReceive();
    await reportedOnce(() => [{ to: other.address, units: 3n }], { ...payment(), units: 4n });
    await reading.pollAfter(20);
    expect(await reading.facts()).toEqual(["3 FAILED", "4 CONFIRMED"]);
  });

  it("a payment moved to another index of its transaction is confirmed once, at its own index", async () => {
    await reportedOnce((transfers) => [{ units: 1n }, ...transfers], payment());
    await reading.pollAfter(20);
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED", "17500000 FAILED"]);
  });

  it("a confirmed payment stays confirmed, whatever the node later returns for its block", async () => {
    reading.runs.run(payment());
    const number = await reading.mined();
    await reading.pollAfter(20);
    await reading.pollAfter(100, reading.runs.bending(number, sevenTimes));
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
  });
});

describe("false answers of the only node in the second reading", () => {
  it.each<[string, (transfers: readonly UsdtTransfer[]) => readonly UsdtTransfer[], string[]]>([
    ["a higher amount", sevenTimes, ["122500000 CONFIRMING"]],
    [
      "one more payment",
      (transfers) => [...transfers, { ...payment(), units: 7n }],
      ["17500000 CONFIRMING", "7 CONFIRMING"],
    ],
  ])("is not confirmed before the address holds it: %s", async (_what, bend, then) => {
    reading.runs.run(payment());
    const number = await reading.mined();
    await reading.poll();
    await reading.pollAfter(20, reading.runs.bending(number, bend));
    expect(await reading.facts()).toEqual(then);
    expect(await reading.checks()).toContainEqual(
      expect.stringMatching(/^balance waiting: .* holds 17500000 units/),
    );
    await reading.pollAfter(20);
    expect((await reading.facts())[0]).toBe("17500000 CONFIRMED");
    expect((await reading.facts()).slice(1)).not.toContainEqual(expect.stringContaining("CONFIRMED"));
  });
});

describe("TRON_UNPROVEN", () => {
  /** A node that reports an invented payment for ever. */
  async function anInventor(): Promise<RunReader> {
    reading.runs.run({ units: 1n });
    return reading.runs.inventing(await reading.mined(), payment());
  }

  it("balance: a payment that its address does not hold waits, and its check has the balance", async () => {
    const inventor = await anInventor();
    await reading.pollAfter(20, inventor);
    expect(await reading.facts()).toEqual(["17500000 CONFIRMING"]);
    expect(await reading.checks()).toEqual([
      expect.stringMatching(
        /^balance waiting: \w+ holds 0 units of USDT in solid block \d+, 0 left it, 17500000 were credited$/,
      ),
      "quorum passed: 1 of 1 nodes agree: node 1",
    ]);
    await reading.pollMuchLater(inventor);
    expect(await reading.facts()).toEqual(["17500000 STUCK balance"]);
  });

  it("balance: outflows of the address in our own blocks count as held", async () => {
    reading.runs.run(payment());
    reading.runs.run({ from: receive.address, units: PAID });
    await reading.mined();
    await reading.pollAfter(20);
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it.runIf(isNight)(
    "balance: a deposit that waits is confirmed within 20 blocks of its address holding it",
    async () => {
      const inventor = await anInventor();
      await reading.pollAfter(20, inventor);
      await reading.pollMuchLater(inventor);
      expect(await reading.facts()).toEqual(["17500000 STUCK balance"]);
      const rich: RunReader = { ...inventor, getSolidBalance: async () => PAID };
      let waited = 0;
      while (waited < 25 && (await reading.facts())[0] !== "17500000 CONFIRMED") {
        await reading.pollAfter(1, rich);
        waited += 1;
      }
      expect(waited).toBeLessThanOrEqual(20);
    },
  );

  /** A node whose state for /walletsolidity lies two blocks behind ours. */
  const twoBehind = (): RunReader => ({
    ...reading.runs.reader,
    getSolidBlock: async () => {
      const solid = await reading.runs.reader.getSolidBlock();
      return { ...solid, number: solid.number - 2 };
    },
  });

  it("balance: while the node's solid block is below a payment, the payment is checked again at each solid block", async () => {
    reading.runs.run(payment());
    await reading.mined();
    await reading.pollAfter(18, twoBehind());
    expect(await reading.facts()).toEqual(["17500000 CONFIRMING"]);
    await reading.pollAfter(1, twoBehind());
    await reading.pollAfter(1, twoBehind());
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("balance: more addresses than one step queries are confirmed by the next solid block", async () => {
    const others: Charge[] = [];
    while (others.length < 24) others.push(await reading.aReceive());
    reading.runs.run(...others.map(({ address }) => ({ to: address, units: 1n })));
    await reading.mined();
    await reading.pollAfter(18);
    const confirmed = async () => (await reading.facts()).filter((fact) => fact === "1 CONFIRMED").length;
    expect(await confirmed()).toBe(20);
    await reading.pollAfter(1);
    expect(await confirmed()).toBe(24);
  });

  it("balance: a payment is confirmed at the next solid block after the node failed to tell the balance", async () => {
    reading.runs.run(payment());
    await reading.mined();
    const failing = (): Promise<bigint> =>
      Promise.reject(new NodeError("fails", { fault: "http_status", node: "node" }));
    await reading.pollAfter(18, { ...reading.runs.reader, getSolidBalance: failing });
    expect(await reading.facts()).toEqual(["17500000 CONFIRMING"]);
    await reading.pollAfter(1);
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("balance: newer payments to an address do not delay older ones", async () => {
    for (let block = 0; block < 24; block += 1) {
      reading.runs.run(payment());
      await reading.mined();
      await reading.poll(twoBehind());
    }
    const facts = await reading.facts();
    expect(facts.slice(0, 4)).toEqual(Array(4).fill("17500000 CONFIRMED"));
  });

  it("hold: a transfer that no root proves waits, even after a correction; native TRX does not", async () => {
    reading.decide({ unproven: "hold" });
    const native = await reading.aReceive("TRX");
    reading.chain.pay(native.address, 5_000_000n);
    await reportedOnce(sevenTimes, payment());
    await reading.pollAfter(20);
    expect((await reading.facts()).toSorted()).toEqual(["17500000 CONFIRMING", "5000000 CONFIRMED"]);
    expect(await reading.checks()).toContainEqual(
      expect.stringMatching(/^balance waiting: TRON_UNPROVEN=hold/),
    );
    await reading.pollMuchLater();
    expect(await reading.facts()).toContain("17500000 STUCK balance");
  });

  it("hold: a waiting deposit is confirmed once two of three nodes report it alike", async () => {
    reading.decide({ unproven: "hold" });
    reading.runs.run(payment());
    await reading.pollAfter(20);
    await reading.pollMuchLater();
    expect(await reading.facts()).toEqual(["17500000 STUCK balance"]);
    reading.decide({ quorum: 2 });
    const { reader } = reading.runs;
    await reading.pollAfter(20, reader, reader, reader);
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("TRON_UNPROVEN=trust passes the check without a call to the node", async () => {
    reading.decide({ unproven: "trust" });
    await reading.pollAfter(20, await anInventor());
    expect(await reading.facts()).toEqual(["17500000 CONFIRMED"]);
    expect((await reading.checks())[0]).toBe("balance passed: TRON_UNPROVEN=trust: the node is trusted");
  });
});

describe("a node that stores no internal transfers", () => {
  it("fails no payment that the node once reported, which waits STUCK and is confirmed once it is reported again", async () => {
    const { address } = await reading.aReceive("TRX");
    const txId = reading.runs.run({ units: 1n });
    await reading.mined();
    const storing = sending(reading.runs.reader, txId, [{ to: address, sun: 1_000_000n }]);
    const without = withoutInternals(storing);
    await reading.poll(storing);
    await reading.pollMuchLater(without);
    expect(await reading.facts()).toEqual(["1000000 STUCK quorum"]);
    expect(await reading.checks()).toEqual([
      expect.stringMatching(/^quorum waiting: 1 nodes must agree on it/),
    ]);
    await reading.pollAfter(20, storing);
    expect(await reading.facts()).toEqual(["1000000 CONFIRMED"]);
  });
});
