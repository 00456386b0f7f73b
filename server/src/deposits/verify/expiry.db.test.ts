import { aCharge } from "@daric/testing/charge-builders";
import type { RunReader, UsdtMove } from "@daric/testing/fork-runs";
import { away, type Play, startPlay, TWO_OF_THREE } from "@daric/testing/second-reading";
import { afterEach, describe, expect, it } from "vitest";
import type { Charge } from "../../charges/charge.ts";

let play: Play;
afterEach(() => play.close());

/** An order of three USDT that expires fifteen blocks after the chain of this play begins. */
function anOrder(): Promise<Charge> {
  const expiresAt = new Date(play.startMs + 45 * 3_000);
  return aCharge(play.context.db, { merchantId: play.merchantId, currency: "USDT", amount: "3", expiresAt });
}

/** The order is paid on time in one block, which a node tells as it will. */
async function aLiar(bend: (moves: readonly UsdtMove[]) => readonly UsdtMove[], ...moves: UsdtMove[]) {
  play.runs.run(...moves);
  return play.runs.bending(await play.mined(), bend);
}

const types = async () => (await play.events()).map(({ type }) => type);
const paid = ({ address: to }: Charge) => ({ to, units: 3_000_000n });

describe("an order that was paid on time", () => {
  it.each([
    ["several blocks are read at once", 60, false],
    ["eleven minutes of blocks are read at once", 225, false],
    ["the others are away when its time is over", 60, true],
  ])("does not expire where the leader of three hides the payment, and %s", async (_what, blocks, isAway) => {
    play = await startPlay(TWO_OF_THREE);
    const { reader } = play.runs;
    const liar = await aLiar(() => [], paid(await anOrder()));
    if (isAway) {
      await play.lookAfter(blocks, liar, away(reader), away(reader));
      expect(await types()).toEqual([]);
      play.scanner.verifying.answers.failures.clear();
    }
    await play.lookAfter(isAway ? 1 : blocks, liar, reader, reader);
    await play.lookAfter(30, liar, reader, reader);
    expect(await play.facts()).toEqual(["3000000 CONFIRMED"]);
    expect(await types()).toContain("order.paid");
    expect(await types()).not.toContain("order.expired");
  });

  it("does not expire where the only node left the payment out when it was read first", async () => {
    play = await startPlay();
    await play.look(await aLiar(() => [], paid(await anOrder())));
    await play.lookAfter(60);
    expect(await types()).toContain("order.paid");
    expect(await types()).not.toContain("order.expired");
  });
});

describe("an order without a payment", () => {
  it("expires by the time of the newest verified block, and not while too few nodes tell the blocks before", async () => {
    play = await startPlay(TWO_OF_THREE);
    await anOrder();
    play.runs.run({ units: 1n });
    const alone: RunReader[] = [play.runs.reader, away(play.runs.reader), away(play.runs.reader)];
    await play.lookAfter(60, ...alone);
    expect(await types()).toEqual([]);
    play.scanner.verifying.answers.failures.clear();
    await play.lookAfter(1);
    expect(await types()).toEqual(["order.expired"]);
  });

  it("expires though the leader invents its payment, which fails", async () => {
    play = await startPlay(TWO_OF_THREE);
    const { reader } = play.runs;
    const order = await anOrder();
    const liar = await aLiar((moves) => [...moves, paid(order)], { units: 1n });
    await play.look(liar, reader, reader);
    expect(await play.facts()).toEqual(["3000000 DETECTED"]);
    await play.lookAfter(60, liar, reader, reader);
    await play.lookAfter(1, liar, reader, reader);
    expect(await play.facts()).toEqual(["3000000 FAILED"]);
    expect(await types()).toEqual(["order.expired"]);
  });
});
