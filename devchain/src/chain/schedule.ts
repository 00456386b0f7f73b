import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";

/** milliseconds of one slot */
export const SLOT_MS = 3_000;
export const WITNESS_COUNT = 27;

/**
 * Blocks a solid block lies behind the head: with 27 witnesses taking turns, the 19 latest ones (70 %) have
 * produced at or above head − 18. Source: java-tron DposService.updateSolidBlock.
 */
export const SOLID_LAG = 18;

/** The 27 simulated super representatives, in the order of their turns. */
export const WITNESSES: readonly KeyPair[] = Array.from({ length: WITNESS_COUNT }, (_, index) =>
  keyPairFromPhrase(`devchain witness ${index}`),
);

/**
 * The witness whose turn a block time is: turns follow the slots since the epoch, missed ones included.
 *
 * @throws RangeError where there is no slot.
 */
export function witnessAt(timestampMs: number): KeyPair {
  const witness = WITNESSES[Math.floor(timestampMs / SLOT_MS) % WITNESS_COUNT];
  if (witness === undefined) throw new RangeError(`no slot at ${timestampMs}`);
  return witness;
}

/** The last solid block when the head is at this number. */
export function solidNumber(headNumber: number): number {
  return Math.max(0, headNumber - SOLID_LAG);
}

/** The beginning of the slot that contains this time, milliseconds. */
export function slotStart(timeMs: number): number {
  return Math.floor(timeMs / SLOT_MS) * SLOT_MS;
}
