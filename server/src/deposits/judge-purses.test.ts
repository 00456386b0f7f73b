import { expect, it } from "vitest";
import { idOf } from "../domain/ids.ts";
import { amountIn } from "../domain/money.ts";
import { createClearingMemory } from "./clearance.ts";
import { judgePurses, type PurseFacts } from "./judge-purses.ts";

const readAt = new Date(0);
const purse = {
  merchantId: idOf("merchant", "01a00000-0000-7000-8000-000000000001"),
  chargeId: idOf("charge", "01a00000-0000-7000-8000-000000000002"),
  address: "TBwQBVyKWbHvgQfwMjbjpht8gpLfboXeJ7",
  currency: "USDT",
} as const;
const real = {
  ...purse,
  id: idOf("deposit", "01a00000-0000-7000-8000-000000000003"),
  txId: "a".repeat(64),
  source: "log",
  eventIndex: 0,
  amount: amountIn("USDT", 3n),
  blockNumber: 7,
  blockId: "b".repeat(64),
  readAt,
  isStuck: false,
  isLate: false,
} as const;
const nothing = { came: 0n, left: 0n, mostBurnt: 0n };

/** Three units lie at an address where three are paid, and five more are said to be. */
function clearedBeside(isStuck: boolean): readonly unknown[] {
  const others = [{ blockNumber: 5, blockId: "c".repeat(64), isStuck, units: 5n, shownUnits: 5n, readAt }];
  const group = { ...purse, from: 5, readAt, key: "purse", deposits: [real], others };
  const facts: PurseFacts = { group, balance: 3n, movement: nothing, ever: nothing };
  return judgePurses([facts], { heldAt: 9, sureTo: 9 }, createClearingMemory()).cleared;
}

it("what is added up keeps nothing waiting that has never lacked, once it is STUCK itself", () => {
  expect(clearedBeside(false)).toEqual([]);
  expect(clearedBeside(true)).toMatchObject([{ id: real.id }]);
});
