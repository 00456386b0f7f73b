import { keyOf, type SigningKey } from "./keys.ts";

/** One of those who may make blocks, and the key that signs for it. */
export type BlockMaker = { readonly addressHex: string; readonly key: SigningKey };

/** As on TRON's networks. */
export const ROTATION = 27;
/** A block is solid under blocks of so many distinct witnesses: more than 70 of 100. */
const THRESHOLD = Math.floor(ROTATION * 0.7) + 1;
/** Witnesses who are others in one seed: as many as a vote changes. */
const MOST_CHANGES = 3;

/** The witnesses of now. Blocks that are made later are made by those who are it then. */
export type Roster = {
  /** whose turn a slot is; those who are away miss theirs */
  at(slot: number): BlockMaker | undefined;
  /** somebody else is elected in place of one, unless enough has changed */
  elect(): void;
  /** so many of them make no block until told otherwise */
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
      if (serial === MOST_CHANGES) return;
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
 * The newest block at or above which so many distinct witnesses have made blocks (java-tron DposService.updateSolidBlock,
 * which says the same as long as nobody is elected).
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
