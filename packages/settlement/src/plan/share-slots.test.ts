import { type Currency, perCurrency } from "@daric/domain/asset";
import { expect, it } from "vitest";
import type { Candidate } from "./plan-store.ts";
import { shareSlots } from "./share-slots.ts";

function contents(currency: Currency, count: number, minute: number): Candidate[] {
  return Array.from({ length: count }, (_, index) => content(currency, `${currency} ${index}`, minute));
}

function content(currency: Currency, chargeId: string, minute: number): Candidate {
  const oldestAt = new Date(minute * 60_000);
  return { currency, chargeId, oldestAt } as Partial<Candidate> as Candidate;
}

const none = perCurrency(() => 0);

/** The contents of these coins, and none of others. */
function candidatesOf(given: Partial<Record<Currency, Candidate[]>>) {
  return { ...perCurrency((): Candidate[] => []), ...given };
}

function counts(taken: readonly Candidate[]): Record<string, number> {
  return Object.fromEntries(
    ["TRX", "USDT"].map((currency) => [currency, taken.filter((slot) => slot.currency === currency).length]),
  );
}

it.each([
  ["both have plenty", { TRX: 100, USDT: 100 }, none, 20, { TRX: 10, USDT: 10 }],
  ["one has little", { TRX: 3, USDT: 100 }, none, 20, { TRX: 3, USDT: 17 }],
  ["TRX is under way", { TRX: 100, USDT: 100 }, { TRX: 16, USDT: 0 }, 4, { TRX: 0, USDT: 4 }],
  ["USDT is under way", { TRX: 100, USDT: 100 }, { TRX: 2, USDT: 14 }, 4, { TRX: 4, USDT: 0 }],
])("slots are shared so that no coin starves: %s", (_, { TRX, USDT }, underWay, limit, expected) => {
  const candidates = candidatesOf({ TRX: contents("TRX", TRX, 2), USDT: contents("USDT", USDT, 1) });
  expect(
    counts(shareSlots(candidates, { underWay: { ...none, ...underWay }, limit, tokenLimit: limit })),
  ).toEqual(expected);
});

it("a single slot is for the coin whose content is older", () => {
  const slot = { underWay: none, limit: 1, tokenLimit: 1 };
  const newTrx = contents("TRX", 9, 5);
  expect(counts(shareSlots(candidatesOf({ TRX: newTrx, USDT: contents("USDT", 9, 4) }), slot))).toEqual({
    TRX: 0,
    USDT: 1,
  });
  expect(counts(shareSlots(candidatesOf({ TRX: newTrx, USDT: contents("USDT", 9, 6) }), slot))).toEqual({
    TRX: 1,
    USDT: 0,
  });
});

it("USDT takes no more slots than there is energy for", () => {
  const candidates = candidatesOf({ TRX: contents("TRX", 30, 1), USDT: contents("USDT", 30, 1) });
  expect(counts(shareSlots(candidates, { underWay: none, limit: 20, tokenLimit: 2 }))).toEqual({
    TRX: 18,
    USDT: 2,
  });
});

it("an address with both coins sends the older content first", () => {
  const candidates = candidatesOf({ TRX: [content("TRX", "both", 2)], USDT: [content("USDT", "both", 1)] });
  const taken = shareSlots(candidates, { underWay: none, limit: 20, tokenLimit: 20 });
  expect(taken.map(({ currency }) => currency)).toEqual(["USDT"]);
});
