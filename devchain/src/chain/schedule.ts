import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";
import { SLOT_MS } from "../ledger/limits.ts";

export const WITNESS_COUNT = 27;

/**
 * Blocks a solid block lies behind the head: with 27 witnesses taking turns, the 19 latest ones (70 %) have
 * produced at or above head − 18. Source: java-tron DposService.updateSolidBlock.
 */
export const SOLID_LAG = 18;

/** The 27 simulated super representatives that a chain begins with, in the order of their turns. */
export const WITNESSES: readonly KeyPair[] = Array.from({ length: WITNESS_COUNT }, (_, index) =>
  keyPairFromPhrase(`devchain witness ${index}`),
);

/** The last solid block when the head is at this number. */
export function solidNumber(headNumber: number): number {
  return Math.max(0, headNumber - SOLID_LAG);
}

/** The beginning of the slot that contains this time, milliseconds. */
export function slotStart(timeMs: number): number {
  return Math.floor(timeMs / SLOT_MS) * SLOT_MS;
}
