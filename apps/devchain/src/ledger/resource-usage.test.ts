import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, SLOT_MS } from "./limits.ts";
import {
  FULL_WINDOW,
  returnUse,
  UNUSED,
  type Usage,
  usedAt,
  useFreely,
  useResource,
} from "./resource-usage.ts";

const DAY_SLOTS = DAY_MS / SLOT_MS;
/** Energy a day of all mainnet's stakes: no account can use more. */
const MOST = 180_000_000_000;
const aSlot = fc.integer({ min: 0, max: 3 * DAY_SLOTS });
const anAmount = fc.integer({ min: 0, max: MOST });
const someUses = fc.array(fc.tuple(fc.integer({ min: 0, max: DAY_SLOTS }), anAmount), { maxLength: 12 });

/** The use after a history of uses, and the time of the last one. Each use comes `slots` after the previous one. */
function used(uses: readonly (readonly [slots: number, amount: number])[]): { usage: Usage; nowMs: number } {
  let usage = UNUSED;
  let nowMs = 600_000 * SLOT_MS;
  for (const [slots, amount] of uses) {
    nowMs += slots * SLOT_MS;
    usage = useResource(usage, amount, nowMs);
  }
  return { usage, nowMs };
}

describe("recovery", () => {
  it("takes a use away evenly over 24 hours", () => {
    fc.assert(
      fc.property(anAmount, aSlot, (amount, slots) => {
        const { usage, nowMs } = used([[0, amount]]);
        const left = Math.max(0, 1 - slots / DAY_SLOTS);
        const found = usedAt(usage, nowMs + slots * SLOT_MS);
        // The node rounds the average of a slot up by at most 10^-6 units, and the result to whole units.
        expect(Math.abs(found - amount * left)).toBeLessThanOrEqual(1 + DAY_SLOTS / 1e6);
      }),
    );
  });

  it("never returns more than was used, and has returned all a day after the last use", () => {
    fc.assert(
      fc.property(someUses, aSlot, aSlot, (uses, early, late) => {
        const { usage, nowMs } = used(uses);
        const [first, second] = [Math.min(early, late), Math.max(early, late)];
        const at = (slots: number) => usedAt(usage, nowMs + slots * SLOT_MS);
        expect(at(first)).toBeLessThanOrEqual(usage.used);
        expect(at(second)).toBeLessThanOrEqual(at(first));
        expect(at(second)).toBeGreaterThanOrEqual(0);
        expect(at(DAY_SLOTS)).toBe(0);
      }),
    );
  });

  it("a use is added to the remainder of earlier ones, in a window of at most a day", () => {
    fc.assert(
      fc.property(someUses, aSlot, anAmount, (uses, slots, amount) => {
        const { usage, nowMs } = used(uses);
        const thenMs = nowMs + slots * SLOT_MS;
        const next = useResource(usage, amount, thenMs);
        expect(Math.abs(next.used - usedAt(usage, thenMs) - amount)).toBeLessThanOrEqual(1);
        expect(next.window).toBeLessThanOrEqual(FULL_WINDOW);
        expect(next.window).toBeGreaterThan(0);
      }),
    );
  });

  it("after a second use, the window is the mean of the remainder and a day, weighted by use", () => {
    const { usage } = used([
      [0, 60_000],
      [DAY_SLOTS / 2, 10_000],
    ]);
    expect(usage.used).toBe(40_000);
    expect(usage.window).toBe(((30_000 * 0.5 + 10_000 * 1) / 40_000) * FULL_WINDOW);
  });

  it("free bandwidth always takes a day", () => {
    const first = useFreely(UNUSED, 400, 0);
    const second = useFreely(first, 100, DAY_MS / 2);
    expect(second).toEqual({ used: 300, timeMs: DAY_MS / 2, window: FULL_WINDOW });
  });
});

describe("use that comes back with a delegation", () => {
  it("is added to the owner's own, and recovers with it within a day", () => {
    fc.assert(
      fc.property(someUses, anAmount, fc.integer({ min: 1, max: FULL_WINDOW }), (uses, returned, window) => {
        const { usage, nowMs } = used(uses);
        const after = returnUse(usage, { used: returned, window }, nowMs);
        expect(after.used).toBe(usedAt(usage, nowMs) + returned);
        expect(after.window).toBeLessThanOrEqual(FULL_WINDOW);
        expect(usedAt(after, nowMs + DAY_MS)).toBe(0);
      }),
    );
  });

  it("of nothing leaves no use", () => {
    expect(returnUse(UNUSED, { used: 0, window: 1 }, 3_000)).toEqual({ ...UNUSED, timeMs: 3_000 });
  });
});
