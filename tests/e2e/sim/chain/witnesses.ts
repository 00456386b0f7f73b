import { keyOf, type SigningKey } from "./keys.ts";

/** A witness with its signing key. */
export type BlockMaker = { readonly addressHex: string; readonly key: SigningKey };

/** The number of witnesses, as on TRON's networks. */
export const ROTATION = 27;
/** A block is solid under blocks of this many distinct witnesses: more than 70 of 100. */
const THRESHOLD = Math.floor(ROTATION * 0.7) + 1;
/** The most witnesses replaced in one seed. */
const MAX_CHANGES = 3;

/** The current witnesses. They make all later blocks. */
export type Roster = {
  /** the witness of a slot; undefined if it is away */
  at(slot: number): BlockMaker | undefined;
  /** replaces one witness, unless enough were replaced */
  elect(): void;
  /** this many witnesses make no block until the next call */
  sendAway(count: number): void;
};

export function createRoster(): Roster {
  let serial = 0;
  let away = 0;
  const witnesses = Array.from({ length: ROTATION }, (_, index): BlockMaker => {
    const key = keyOf(`witness ${index}`);
    return { addressHex: key.addressHex, key };
  });
  const nextSlot = () => (serial * 7) % ROTATION;
  return {
    at: (slot) => {
      const place = slot % ROTATION;
      return place < away ? undefined : witnesses[place];
    },
    elect: () => {
      if (serial === MAX_CHANGES) return;
      serial += 1;
      const key = keyOf(`elected ${serial}`);
      witnesses[nextSlot()] = { addressHex: key.addressHex, key };
    },
    sendAway: (count) => {
      away = count;
    },
  };
}

/**
 * The newest block at or above which this many distinct witnesses have made blocks (java-tron
 * DposService.updateSolidBlock, equal without elections).
 */
export function solidNumberOf(
  blocks: readonly { readonly number: number; readonly witnessHex: string }[],
): number {
  const above = new Set<string>();
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const { witnessHex, number } = blocks[at]!;
    above.add(witnessHex);
    if (above.size === THRESHOLD) return number;
  }
  return 0;
}
