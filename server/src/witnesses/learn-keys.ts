import type { SignedBlock, Witnesses, WitnessKey } from "./solid-height.ts";

/** Old enough to name every witness twice, missed slots included: what is older teaches nothing. */
export const rotationsToLearnFrom = 3;

/**
 * Who may sign, after what blocks up to the solid one teach: their witnesses were active, since the chain built on them,
 * and the newest key of each counts. `blocks` are those of some rotations below `solid`, and the last one of each known
 * key. There are as many keys as active witnesses at most: who has made no block for longest goes.
 *
 * The id of a block covers who made it, and not its signature. A witness that signs with the key of its own address proves
 * that by itself; any other key is learned when the last two blocks of the witness have it, so that no single false
 * answer teaches a false one.
 */
export function learnKeys(
  blocks: readonly SignedBlock[],
  { keys, active, solid }: Witnesses & { readonly solid: number },
): readonly WitnessKey[] {
  const known = new Map(keys.map((key) => [key.witnessHex, key]));
  for (const [witnessHex, made] of byWitness(blocks)) {
    const learned = newestKey(made, { known: known.get(witnessHex), solid });
    if (learned !== undefined) known.set(witnessHex, learned);
  }
  const lastBlockOf = ({ witnessHex, signerHex, sinceBlock }: WitnessKey): number =>
    Math.max(
      sinceBlock,
      ...blocks.flatMap((block) =>
        block.witnessHex === witnessHex && block.signerHex === signerHex ? [block.number] : [],
      ),
    );
  const newestFirst = [...known.values()].map((key) => ({ key, last: lastBlockOf(key) }));
  newestFirst.sort((a, b) => b.last - a.last);
  return newestFirst.slice(0, active).map(({ key }) => key);
}

/** The key that a witness has changed to; undefined where its newest proven block is signed with the known one, or older. */
function newestKey(
  made: readonly SignedBlock[],
  { known, solid }: { known: WitnessKey | undefined; solid: number },
): WitnessKey | undefined {
  const isByKnownKey = ({ signerHex }: SignedBlock) => known !== undefined && signerHex === known.signerHex;
  const [newest, before] = made.filter((block) => block.number <= solid || isByKnownKey(block));
  if (newest?.signerHex === undefined || isByKnownKey(newest)) return undefined;
  const { witnessHex, signerHex, number: sinceBlock } = newest;
  if (known !== undefined && sinceBlock <= known.sinceBlock) return undefined;
  const isProven = signerHex === witnessHex || signerHex === before?.signerHex;
  return isProven ? { witnessHex, signerHex, sinceBlock } : undefined;
}

/** The blocks of each witness, the newest first. */
function byWitness(blocks: readonly SignedBlock[]): Map<string, SignedBlock[]> {
  const made = new Map<string, SignedBlock[]>();
  const unique = new Map(blocks.map((block) => [block.number, block]));
  for (const block of [...unique.values()].sort((a, b) => b.number - a.number)) {
    made.set(block.witnessHex, [...(made.get(block.witnessHex) ?? []), block]);
  }
  return made;
}
