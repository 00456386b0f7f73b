import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";
import { SLOT_MS } from "../ledger/limits.ts";

export const WITNESS_COUNT = 27;

/**
 * Distance from the head to the solid block: with 27 witnesses, the latest 19 (70 %) have produced at or above head
 * − 18. Source: java-tron DposService.updateSolidBlock.
 */
export const SOLID_LAG = 18;

/** The 27 witnesses that a chain begins with, in the order of their turns. */
export const WITNESSES: readonly KeyPair[] = Array.from({ length: WITNESS_COUNT }, (_, index) =>
  keyPairFromPhrase(`devchain witness ${index}`),
);

export function solidNumber(headNumber: number): number {
  return Math.max(0, headNumber - SOLID_LAG);
}

export function slotStart(timeMs: number): number {
  return Math.floor(timeMs / SLOT_MS) * SLOT_MS;
}
