import { keyOf, type SigningKey } from "./keys.ts";

/** One of those who may make blocks: its address for ever, and the key that signs for it now. */
export type Witness = { readonly addressHex: string; readonly key: SigningKey };

/** As on TRON's networks. */
const WITNESSES = 27;
/** A block is solid under blocks of so many distinct witnesses: more than 70 of 100. */
const THRESHOLD_INDEX = Math.floor(WITNESSES * 0.3);

/** The witnesses of now. Blocks that are made later are made by those who are it then. */
export type Roster = {
  /** whose turn a slot is; those who are away miss theirs */
  at(slot: number): Witness | undefined;
  active(): readonly Witness[];
  /** some witnesses sign with another key from now on */
  changeKeys(count: number): void;
  /** somebody else is elected in place of one */
  elect(): void;
  /** so many of them make no block until told otherwise */
  sendAway(count: number): void;
};

export function createRoster(): Roster {
  let serial = 0;
  let away = 0;
  const witnesses = Array.from({ length: WITNESSES }, (_, index): Witness => {
    const key = keyOf(`witness ${index}`);
    return { addressHex: key.addressHex, key };
  });
  const nextPlace = () => (serial * 7) % WITNESSES;
  return {
    at: (slot) => {
      const place = slot % WITNESSES;
      return place < away ? undefined : witnesses[place];
    },
    active: () => witnesses,
    changeKeys: (count) => {
      for (let changed = 0; changed < count; changed += 1) {
        serial += 1;
        const place = nextPlace();
        const { addressHex } = witnesses[place]!;
        witnesses[place] = { addressHex, key: keyOf(`new key ${serial}`) };
      }
    },
    elect: () => {
      serial += 1;
      const key = keyOf(`elected ${serial}`);
      witnesses[nextPlace()] = { addressHex: key.addressHex, key };
    },
    sendAway: (count) => {
      away = count;
    },
  };
}

/** The newest block that so many witnesses have built upon (java-tron DposService.updateSolidBlock). */
export function solidHeight(
  blocks: readonly { readonly number: number; readonly witnessHex: string }[],
  active: readonly Witness[],
): number {
  const newest = new Map<string, number>();
  for (let at = blocks.length - 1; at >= 0 && newest.size < active.length; at -= 1) {
    const { witnessHex, number } = blocks[at]!;
    if (!newest.has(witnessHex)) newest.set(witnessHex, number);
  }
  const heights = active.map(({ addressHex }) => newest.get(addressHex) ?? 0).sort((a, b) => a - b);
  return heights[THRESHOLD_INDEX] ?? 0;
}
