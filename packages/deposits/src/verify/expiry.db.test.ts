import type { Charge } from "@daric/charges/charge";
import { aCharge } from "@daric/testing/charge-builders";
import type { RunReader, UsdtTransfer } from "@daric/testing/fork-runs";
import { away, type SecondReading, startSecondReading, TWO_OF_THREE } from "@daric/testing/second-reading";
import { afterEach, describe, expect, it } from "vitest";

let reading: SecondReading;
afterEach(() => reading.close());

/** An order of three USDT that expires fifteen blocks after the start of the chain. */
function anOrder(): Promise<Charge> {
  const expiresAt = new Date(reading.startMs + 45 * 3_000);
  return aCharge(reading.context.db, {
    merchantId: reading.merchantId,
    currency: "USDT",
    amount: "3",
    expiresAt,
  });
}

/** Pays the order in time in one block, about which a node may lie. */
async function aLiar(
  bend: (transfers: readonly UsdtTransfer[]) => readonly UsdtTransfer[],
  ...transfers: UsdtTransfer[]
) {
  reading.runs.run(...transfers);
  return reading.runs.bending(await reading.mined(), bend);
}

const types = async () => (await reading.events()).map(({ type }) => type);
const paid = ({ address: to }: Charge) => ({ to, units: 3_000_000n });

describe("an order that was paid in time", () => {
  it.each([
    ["several blocks are read at once", 60, false],
    ["eleven minutes of blocks are read at once", 225, false],
    ["the others are away when its time is over", 60, true],
  ])(
    "does not expire if the leader of three nodes hides the payment, and %s",
    async (_what, blocks, isAway) => {
      reading = await startSecondReading(TWO_OF_THREE);
      const { reader } = reading.runs;
      const liar = await aLiar(() => [], paid(await anOrder()));
      if (isAway) {
        await reading.pollAfter(blocks, liar, away(reader), away(reader));
        expect(await types()).toEqual([]);
        reading.scanner.following.verifying.answers.failures.clear();
      }
      await reading.pollAfter(isAway ? 1 : blocks, liar, reader, reader);
      await reading.pollAfter(30, liar, reader, reader);
      expect(await reading.facts()).toEqual(["3000000 CONFIRMED"]);
      expect(await types()).toContain("order.paid");
      expect(await types()).not.toContain("order.expired");
    },
  );

  it("does not expire if the only node omitted the payment in the first reading", async () => {
    reading = await startSecondReading();
    await reading.poll(await aLiar(() => [], paid(await anOrder())));
    await reading.pollAfter(60);
    expect(await types()).toContain("order.paid");
    expect(await types()).not.toContain("order.expired");
  });
});

describe("an order without a payment", () => {
  it("expires by the time of the newest verified block, and not while too few nodes report lower blocks", async () => {
    reading = await startSecondReading(TWO_OF_THREE);
    await anOrder();
    reading.runs.run({ units: 1n });
    const alone: RunReader[] = [reading.runs.reader, away(reading.runs.reader), away(reading.runs.reader)];
    await reading.pollAfter(60, ...alone);
    expect(await types()).toEqual([]);
    reading.scanner.following.verifying.answers.failures.clear();
    await reading.pollAfter(1);
    expect(await types()).toEqual(["order.expired"]);
  });

  it("expires although the leader invents a payment, which fails", async () => {
    reading = await startSecondReading(TWO_OF_THREE);
    const { reader } = reading.runs;
    const order = await anOrder();
    const liar = await aLiar((transfers) => [...transfers, paid(order)], { units: 1n });
    await reading.poll(liar, reader, reader);
    expect(await reading.facts()).toEqual(["3000000 DETECTED"]);
    await reading.pollAfter(60, liar, reader, reader);
    await reading.pollAfter(1, liar, reader, reader);
    expect(await reading.facts()).toEqual(["3000000 FAILED"]);
    expect(await types()).toEqual(["order.expired"]);
  });
});
