import type { MerchantId } from "../../domain/ids.ts";
/** How the slots of a process are taken. */
export type SlotUse = {
  readonly slots: number;
  /** attempts under way, by merchant */
  readonly underWay: ReadonlyMap<MerchantId, number>;
};

/**
 * What may be taken now: `free` slots in all, and `shared` of them by anybody. The last quarter of all slots is for
 * merchants with nothing under way, so that nobody, be he alone, holds more than three quarters, and whoever has
 * something to say for the first time finds a slot. `shared` is negative while that quarter is in use.
 */
export function freeSlots({ slots, underWay }: SlotUse): { free: number; shared: number } {
  const taken = [...underWay.values()].reduce((sum, count) => sum + count, 0);
  return { free: slots - taken, shared: Math.floor((slots * 3) / 4) - taken };
}

/** The attempts under way in this process, each of a merchant. `onFree` is called after each has left its slot. */
export function createSlots(slots: number, onFree: () => void) {
  const attempts = new Set<Promise<void>>();
  const underWay = new Map<MerchantId, number>();
  const count = (merchantId: MerchantId, change: 1 | -1) => {
    const attemptsOfMerchant = (underWay.get(merchantId) ?? 0) + change;
    if (attemptsOfMerchant === 0) underWay.delete(merchantId);
    else underWay.set(merchantId, attemptsOfMerchant);
  };
  return {
    /** How the slots are taken, once one of them is free. */
    whenFree: async (): Promise<SlotUse> => {
      while (attempts.size >= slots) await Promise.race(attempts);
      return { slots, underWay };
    },
    /** Fills a slot until the work is done, which must not fail. */
    fill: (merchantId: MerchantId, work: () => Promise<void>): void => {
      count(merchantId, 1);
      const attempt = work().finally(() => {
        attempts.delete(attempt);
        count(merchantId, -1);
        onFree();
      });
      attempts.add(attempt);
    },
    drain: async (): Promise<void> => {
      await Promise.all(attempts);
    },
  };
}
