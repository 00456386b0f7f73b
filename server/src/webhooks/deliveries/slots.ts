import type { MerchantId } from "../../domain/ids.ts";
export type SlotUse = {
  readonly slots: number;
  /** attempts in progress, by merchant */
  readonly underWay: ReadonlyMap<MerchantId, number>;
};

/**
 * Returns the `free` slots, and how many of them are `shared` by all merchants. The last quarter of the slots is
 * for merchants without an attempt in progress, so one merchant may use at most 75 %. `shared` is negative while
 * that quarter is in use.
 */
export function freeSlots({ slots, underWay }: SlotUse): { free: number; shared: number } {
  const taken = [...underWay.values()].reduce((sum, count) => sum + count, 0);
  return { free: slots - taken, shared: Math.floor((slots * 3) / 4) - taken };
}

/** The attempts in progress in this process. `onFree` is called after each. */
export function createSlots(slots: number, onFree: () => void) {
  const attempts = new Set<Promise<void>>();
  const underWay = new Map<MerchantId, number>();
  const count = (merchantId: MerchantId, change: 1 | -1) => {
    const attemptsOfMerchant = (underWay.get(merchantId) ?? 0) + change;
    if (attemptsOfMerchant === 0) underWay.delete(merchantId);
    else underWay.set(merchantId, attemptsOfMerchant);
  };
  return {
    /** Resolves once a slot is free. */
    whenFree: async (): Promise<SlotUse> => {
      while (attempts.size >= slots) await Promise.race(attempts);
      return { slots, underWay };
    },
    /** Occupies a slot until `work` ends; `work` must not fail. */
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
