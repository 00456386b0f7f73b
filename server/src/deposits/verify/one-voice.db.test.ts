import { sql } from "@daric/postgres/sql";
import type { RunReader, UsdtMove } from "@daric/testing/fork-runs";
import { type Play, sending, startPlay } from "@daric/testing/second-reading";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Charge } from "../../charges/charge.ts";
import { derivedId } from "../../runtime/derived-id.ts";

const PAID = 17_500_000n;
let play: Play;
let receive: Charge;

beforeEach(async () => {
  play = await startPlay();
  receive = await play.aReceive();
});
afterEach(() => play.close());

const sevenTimes = (moves: readonly UsdtMove[]) => moves.map((move) => ({ ...move, units: move.units * 7n }));

/** A router moves this USDT, and the only node tells of it as it will when it is read first. */
async function toldOnce(
  bend: (moves: readonly UsdtMove[]) => readonly UsdtMove[],
  ...moves: readonly UsdtMove[]
): Promise<number> {
  play.runs.run(...moves);
  const number = await play.mined();
  await play.look(play.runs.bending(number, bend));
  return number;
}

const payment = () => ({ to: receive.address, units: PAID });

describe("what the only node told otherwise once", () => {
  it("a false amount ends CONFIRMED with the true one, and no command is needed", async () => {
    await toldOnce(sevenTimes, payment());
    expect(await play.facts()).toEqual(["122500000 DETECTED"]);
    await play.lookAfter(20);
    expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
    const steps = await play.context.owner.query<{ event: string }>(
      sql`select event from deposit_events order by id`,
    );
    expect(steps.map(({ event }) => event)).toEqual([
      ...["detected", "buried", "orphaned", "included", "buried", "finalized"],
    ]);
    expect(await play.alarms()).toEqual({ hidden_transfer: 1 });
  });

  it("a correction is told as a block that left and came back, and each event has an id of its own", async () => {
    const eventTypes = ["detected", "confirming", "reorged", "confirmed", "failed"];
    await anEndpointRow(play.context.db, play.merchantId, {
      eventTypes: eventTypes.map((one) => `deposit.${one}`),
    });
    await toldOnce(sevenTimes, payment());
    for (let block = 0; block < 20; block += 1) await play.lookAfter(1);
    const events = await play.events();
    expect(events.map(({ type }) => type.replace("deposit.", ""))).toEqual([
      ...["detected", "confirming", "reorged", "detected", "confirming", "confirmed"],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const [deposit] = await play.context.db.query<{ id: string; blockId: string }>(
      sql`select id, block_id as "blockId" from deposits where merchant_id = ${play.merchantId}`,
    );
    const { id = "", blockId } = deposit ?? {};
    const idOf = (type: string, ...cause: string[]) => derivedId("event", id, `deposit.${type}`, ...cause);
    expect(events.map((event) => event.id)).toMatchObject([
      idOf("detected", `${blockId}`),
      idOf("confirming", `${blockId}`),
      idOf("reorged", `${blockId}`),
      idOf("detected", `${blockId} 2`),
      idOf("confirming", `${blockId} 2`),
      idOf("confirmed"),
    ]);
  });

  it("a payment that it left out is found and confirmed", async () => {
    await toldOnce(() => [], payment());
    expect(await play.facts()).toEqual([]);
    await play.lookAfter(20);
    expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("a log that it made up fails", async () => {
    await anEndpointRow(play.context.db, play.merchantId, { eventTypes: ["deposit.failed"] });
    await toldOnce((moves) => [...moves, payment()], { units: 1n });
    expect(await play.facts()).toEqual(["17500000 DETECTED"]);
    await play.lookAfter(20);
    expect(await play.facts()).toEqual(["17500000 FAILED"]);
    expect((await play.events()).map(({ type }) => type)).toEqual(["deposit.failed"]);
  });

  it("a payment that it bent to another address of the same merchant reaches its own", async () => {
    const other = await play.aReceive();
    await toldOnce(() => [{ to: other.address, units: 3n }], { ...payment(), units: 4n });
    await play.lookAfter(20);
    expect(await play.facts()).toEqual(["3 FAILED", "4 CONFIRMED"]);
  });

  it("a payment in another place of its transaction is confirmed once, in its own place", async () => {
    await toldOnce((moves) => [{ units: 1n }, ...moves], payment());
    await play.lookAfter(20);
    expect(await play.facts()).toEqual(["17500000 CONFIRMED", "17500000 FAILED"]);
  });

  it("a confirmed payment stays confirmed, whatever the node tells of its block later", async () => {
    play.runs.run(payment());
    const number = await play.mined();
    await play.lookAfter(20);
    await play.lookAfter(100, play.runs.bending(number, sevenTimes));
    expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
  });
});

describe("what the only node tells falsely when it is read again", () => {
  it.each<[string, (moves: readonly UsdtMove[]) => readonly UsdtMove[], string[]]>([
    ["a higher amount", sevenTimes, ["122500000 CONFIRMING"]],
    [
      "one more payment",
      (moves) => [...moves, { ...payment(), units: 7n }],
      ["17500000 CONFIRMING", "7 CONFIRMING"],
    ],
  ])("is not confirmed before the address holds it: %s", async (_what, bend, then) => {
    play.runs.run(payment());
    const number = await play.mined();
    await play.look();
    await play.lookAfter(20, play.runs.bending(number, bend));
    expect(await play.facts()).toEqual(then);
    expect(await play.checks()).toContainEqual(
      expect.stringMatching(/^balance waiting: .* holds 17500000 units/),
    );
    await play.lookAfter(20);
    expect((await play.facts())[0]).toBe("17500000 CONFIRMED");
    expect((await play.facts()).slice(1)).not.toContainEqual(expect.stringContaining("CONFIRMED"));
  });
});

describe("TRON_UNPROVEN", () => {
  /** A node that tells of a payment for ever which never was. */
  async function anInventor(): Promise<RunReader> {
    play.runs.run({ units: 1n });
    return play.runs.inventing(await play.mined(), payment());
  }

  it("balance: a payment that its address does not hold waits, and says what the address holds", async () => {
    const inventor = await anInventor();
    await play.lookAfter(20, inventor);
    expect(await play.facts()).toEqual(["17500000 CONFIRMING"]);
    expect(await play.checks()).toEqual([
      expect.stringMatching(
        /^balance waiting: \w+ holds 0 units of USDT in solid block \d+, 0 left it, 17500000 were credited$/,
      ),
      "quorum passed: 1 of 1 nodes tell it alike: node 1",
    ]);
    await play.lookMuchLater(inventor);
    expect(await play.facts()).toEqual(["17500000 STUCK balance"]);
  });

  it("balance: what left the address by our own blocks counts as held", async () => {
    play.runs.run(payment());
    play.runs.run({ from: receive.address, units: PAID });
    await play.mined();
    await play.lookAfter(20);
    expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("balance: a deposit that waits is confirmed within 20 blocks of its address holding it", async () => {
    const inventor = await anInventor();
    await play.lookAfter(20, inventor);
    await play.lookMuchLater(inventor);
    expect(await play.facts()).toEqual(["17500000 STUCK balance"]);
    const rich: RunReader = { ...inventor, getSolidBalance: async () => PAID };
    let waited = 0;
    while (waited < 25 && (await play.facts())[0] !== "17500000 CONFIRMED") {
      await play.lookAfter(1, rich);
      waited += 1;
    }
    expect(waited).toBeLessThanOrEqual(20);
  });

  it("balance: a node whose solid block is two behind ours is asked again two blocks later", async () => {
    play.runs.run(payment());
    await play.mined();
    const behind: RunReader = {
      ...play.runs.reader,
      getSolidBlock: async () => {
        const solid = await play.runs.reader.getSolidBlock();
        return { ...solid, number: solid.number - 2 };
      },
    };
    await play.lookAfter(18, behind);
    expect(await play.facts()).toEqual(["17500000 CONFIRMING"]);
    for (let block = 0; block < 3; block += 1) await play.lookAfter(1, behind);
    expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("hold: what no root proves waits, also where it is corrected, and native TRX does not", async () => {
    play.decide({ unproven: "hold" });
    const native = await play.aReceive("TRX");
    play.chain.pay(native.address, 5_000_000n);
    await toldOnce(sevenTimes, payment());
    await play.lookAfter(20);
    expect((await play.facts()).toSorted()).toEqual(["17500000 CONFIRMING", "5000000 CONFIRMED"]);
    expect(await play.checks()).toContainEqual(expect.stringMatching(/^balance waiting: TRON_UNPROVEN=hold/));
    await play.lookMuchLater();
    expect(await play.facts()).toContain("17500000 STUCK balance");
  });

  it("hold: what waits is confirmed once two of three nodes tell it alike", async () => {
    play.decide({ unproven: "hold" });
    play.runs.run(payment());
    await play.lookAfter(20);
    await play.lookMuchLater();
    expect(await play.facts()).toEqual(["17500000 STUCK balance"]);
    play.decide({ quorum: 2 });
    const { reader } = play.runs;
    await play.lookAfter(20, reader, reader, reader);
    expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
  });

  it("trust: the node is believed", async () => {
    play.decide({ unproven: "trust" });
    await play.lookAfter(20, await anInventor());
    expect(await play.facts()).toEqual(["17500000 CONFIRMED"]);
    expect((await play.checks())[0]).toBe("balance passed: TRON_UNPROVEN=trust: the node is believed");
  });
});

describe("a node that stores no internal transfers", () => {
  it("fails no payment that it told when it did, which waits STUCK and is confirmed once it is told again", async () => {
    const { address } = await play.aReceive("TRX");
    const txId = play.runs.run({ units: 1n });
    await play.mined();
    const storing = sending(play.runs.reader, txId, [{ to: address, sun: 1_000_000n }]);
    await play.look(storing);
    await play.lookMuchLater();
    expect(await play.facts()).toEqual(["1000000 STUCK quorum"]);
    expect(await play.checks()).toEqual([
      expect.stringMatching(/^quorum waiting: 1 nodes must tell it alike/),
    ]);
    await play.lookAfter(20, storing);
    expect(await play.facts()).toEqual(["1000000 CONFIRMED"]);
  });
});
