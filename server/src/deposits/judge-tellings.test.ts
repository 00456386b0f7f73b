import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountIn } from "../domain/money.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import { judgeTellings } from "./judge-tellings.ts";

const at = (eventIndex: number, units: number, address = "ours") => ({
  ...({ txId: "tx", source: "log", eventIndex, address, currency: "USDT" } as const),
  amount: amountIn("USDT", BigInt(units)),
});
const internal = { ...at(0, 5), source: "internal" } as unknown as ReturnType<typeof at>;
type Shown = ReturnType<typeof at>;
const stored = (...transfers: Shown[]) => transfers as unknown as UncoveredDeposit[];
const judge = (books: Shown[], tellings: Shown[][], nodes = tellings.length) => {
  const judgement = judgeTellings(stored(...books), tellings, { quorum: 2, nodes });
  const { missing, refuted, isDisputed } = judgement;
  return [missing, refuted, isDisputed];
};

describe("what nodes show of a block beside what is stored of it", () => {
  it("changes nothing where all of it is the same, or where what was read is more and no quorum denies it", () => {
    expect(judge([at(0, 5)], [[at(0, 5)], [at(0, 5)]])).toEqual([[], [], false]);
    expect(judge([at(0, 5)], [[at(0, 5)], []])).toEqual([[], [], false]);
    expect(judge([at(0, 5)], [[], []], 4)).toEqual([[], [], false]);
    expect(judge([at(0, 5)], [[at(0, 5)], [at(0, 5)], [], []])).toEqual([[], [], false]);
  });

  it("takes a log out of the chain that a quorum tells the block without, and no internal transfer, which a node may not save", () => {
    expect(judge([at(0, 5)], [[], []])).toEqual([[], [at(0, 5)], false]);
    expect(judge([at(0, 5), at(1, 7)], [[at(0, 5)], [], []])).toEqual([[], [at(0, 5), at(1, 7)], false]);
    expect(judge([internal], [[], [], []])).toEqual([[], [], false]);
  });

  it("is not recorded where a quorum tells the block without it, and waits for who has not answered", () => {
    expect(judge([], [[at(0, 5)], []], 3)).toEqual([[], [], true]);
    expect(judge([], [[at(0, 5)], [], []])).toEqual([[], [], false]);
    const { lone } = judgeTellings(stored(), [[at(0, 5)], [], []], { quorum: 2, nodes: 3 });
    expect(lone).toEqual([at(0, 5)]);
  });

  it("is recorded where a single node shows it, at a place that nobody knows of, and no quorum tells the block without", () => {
    expect(judge([], [[at(0, 5)], []])).toEqual([[at(0, 5)], [], false]);
    expect(judge([at(1, 5)], [[at(0, 5)], [at(0, 5)]])).toEqual([[at(0, 5)], [at(1, 5)], false]);
  });

  it("takes a deposit out of the chain where a quorum shows another one in its place", () => {
    expect(judge([at(0, 9)], [[at(0, 5)], [at(0, 5)], [at(0, 9)]])).toEqual([[at(0, 5)], [at(0, 9)], false]);
    const [mine, theirs] = [at(0, 5), at(0, 5, "another")];
    expect(judge([theirs], [[mine], [mine]])).toEqual([[mine], [theirs], false]);
  });

  it("is disputed where nodes contradict each other or what is stored, and no quorum or two say how it is", () => {
    expect(judge([at(0, 9)], [[at(0, 5)], [at(0, 9)]])).toEqual([[], [], true]);
    expect(judge([], [[at(0, 5)], [at(0, 9)]])).toEqual([[], [], true]);
    const two = [[at(0, 5)], [at(0, 5)], [at(0, 9)], [at(0, 9)]];
    expect(judge([at(0, 9)], two)).toEqual([[], [], true]);
  });

  it("never lets one liar beside a quorum of honest nodes keep a true payment away or withdraw one", () => {
    const transfers = fc.uniqueArray(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 3 })), {
      selector: ([place]) => place,
    });
    const told = transfers.map((all) => all.map(([place, units]) => at(place, units)));
    fc.assert(
      fc.property(told, told, told, fc.boolean(), (truth, lie, read, isReadHonestly) => {
        const books = isReadHonestly ? truth : read;
        const { missing, refuted } = judgeTellings(stored(...books), [lie, truth, truth], {
          quorum: 2,
          nodes: 3,
        });
        const after = [
          ...books.filter(
            (one) => !stored(...books).some((d) => refuted.includes(d) && d.eventIndex === one.eventIndex),
          ),
          ...missing,
        ];
        for (const transfer of truth) expect(after).toContainEqual(transfer);
        if (isReadHonestly) expect(refuted).toEqual([]);
      }),
    );
  });
});
