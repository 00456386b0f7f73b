/** A block of ours as far as who made it is concerned: by its own word, and by the key that signed it. */
export type SignedBlock = {
  readonly number: number;
  readonly witnessHex: string;
  /** undefined where nobody's key signed it */
  readonly signerHex: string | undefined;
};

/** The key that a witness signs with: an address in hex, its own or another one. */
export type WitnessKey = {
  readonly witnessHex: string;
  readonly signerHex: string;
  /** the block from which it was learned, or the head when it was pinned */
  readonly sinceBlock: number;
  /** where one node alone showed the blocks that it was learned from */
  readonly isAlone?: boolean;
  /** the key that it replaced then */
  readonly replaced?: string | undefined;
};

/** Who may sign: a key for each known witness, and how many are active, by which solidity is counted. */
export type Witnesses = { readonly keys: readonly WitnessKey[]; readonly active: number };

/** How many witnesses must have built on a block: more than 70 % of them (java-tron SOLIDIFIED_THRESHOLD), 19 of 27. */
export function solidThreshold(active: number): number {
  return Math.floor((active * 7) / 10) + 1;
}

/**
 * The highest height that is solid: at or above it stand blocks that were signed by the known keys of as many witnesses as
 * it takes. Undefined while there are too few. `blocks` may be any of one chain, as long as the last block of each
 * known key is among them.
 */
export function solidHeight(blocks: readonly SignedBlock[], { keys, active }: Witnesses): number | undefined {
  const known = new Map(keys.map((key) => [key.witnessHex, key.signerHex]));
  return heightUnder(
    blocks.filter(
      ({ witnessHex, signerHex }) => signerHex !== undefined && known.get(witnessHex) === signerHex,
    ),
    active,
  );
}

/**
 * The height that would be solid if every block were made by whom it names. Where it is above the solid one, what is
 * missing is no witness but the proof who signs for some of them.
 */
export function claimedHeight(blocks: readonly SignedBlock[], active: number): number | undefined {
  return heightUnder(blocks, active);
}

function heightUnder(blocks: readonly SignedBlock[], active: number): number | undefined {
  const heights = [...lastBlocks(blocks).values()].sort((a, b) => b - a);
  return heights[solidThreshold(active) - 1];
}

function lastBlocks(blocks: readonly SignedBlock[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { witnessHex, number } of blocks)
    last.set(witnessHex, Math.max(number, last.get(witnessHex) ?? 0));
  return last;
}
