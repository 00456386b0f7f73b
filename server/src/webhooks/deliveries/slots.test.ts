import fc from "fast-check";
import { expect, it } from "vitest";
import { idOf, type MerchantId } from "../../domain/ids.ts";
import { createSlots, freeSlots } from "./slots.ts";

it("in any order of requests, one merchant holds at most three quarters, and a new one then finds a slot", () => {
  const asks = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 64 }), asks, (slots, merchants) => {
      const underWay = new Map<MerchantId, number>();
      for (const merchant of merchants.map((merchant) => idOf("merchant", String(merchant)))) {
        const { free, shared } = freeSlots({ slots, underWay });
        const mine = underWay.get(merchant) ?? 0;
        if (free > 0 && (mine === 0 || shared > 0)) underWay.set(merchant, mine + 1);
      }
      const most = Math.max(0, ...underWay.values());
      expect(most).toBeLessThanOrEqual(Math.max(1, (slots * 3) / 4));
      const others = underWay.size - 1;
      expect(freeSlots({ slots, underWay }).free + others).toBeGreaterThan(0);
    }),
  );
});

it("a slot counts for its merchant until the work is done, and is free when `onFree` is called", async () => {
  const seen: number[] = [];
  const slots = createSlots(1, async () => seen.push(freeSlots(await slots.whenFree()).free));
  let finish = () => {};
  slots.fill(idOf("merchant", "shop"), () => new Promise<void>((resolve) => (finish = resolve)));
  const free = slots.whenFree();
  finish();
  expect((await free).underWay).toEqual(new Map());
  await slots.drain();
  expect(seen).toEqual([1]);
});
