import { type SignedBlock, solidThreshold, type Witnesses, type WitnessKey } from "./solid-height.ts";

/** Old enough to name every witness twice, missed slots included: what is older teaches nothing. */
export const rotationsToLearnFrom = 3;

/** 100 minutes: honest networks change no more keys in it than may be unknown without anything waiting. */
const ALONE_WINDOW_BLOCKS = 2_000;

/**
 * What the nodes say of a key that blocks teach: all of them the same, one alone, or different things; `refuted` where one shows
 * the same block signed by the key before, which nobody else can do.
 */
export type KeyWord = "all" | "alone" | "disputed" | "refuted";

/** What is known beside the blocks. */
export type Learning = Witnesses & {
  readonly solid: number;
  /** Without it one node alone is what the blocks were read from. */
  readonly wordOf?: (key: WitnessKey) => KeyWord;
  /** The newest key that each witness has named itself in a solid block of ours. */
  readonly named?: readonly WitnessKey[];
};

/**
 * Who may sign, after what blocks up to the solid one teach: their witnesses were active, since the chain built on them,
 * and the newest key of each counts. `blocks` are those of some rotations below `solid`, and the last one of each known
 * key. There are as many keys as active witnesses at most: who has made no block for longest goes.
 *
 * The id of a block covers who made it, and not its signature. A witness that has named its key in a transaction signs with
 * that one. One that signs with the key of its own address proves that by itself. Any other key is learned when the last two
 * blocks of the witness have it and all nodes say the same; on the word of one alone no more than may be unknown (8 of 27)
 * in 100 minutes, so that who falsifies signatures gets nowhere near finality before he is noticed; never where they differ.
 */
export function learnKeys(blocks: readonly SignedBlock[], learning: Learning): readonly WitnessKey[] {
  const { keys, active } = learning;
  const known = new Map(keys.map((key) => [key.witnessHex, key]));
  for (const key of candidateKeys(blocks, learning)) known.set(key.witnessHex, key);
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

/** The keys that are to be learned, those that nobody needs to be believed for first. */
function candidateKeys(blocks: readonly SignedBlock[], learning: Learning): readonly WitnessKey[] {
  const { keys, active, solid, named = [], wordOf = () => "alone" } = learning;
  const known = new Map(keys.map((key) => [key.witnessHex, key]));
  const namers = new Map(named.map((key) => [key.witnessHex, key]));
  const isRecent = ({ isAlone, sinceBlock }: WitnessKey) =>
    isAlone === true && sinceBlock > solid - ALONE_WINDOW_BLOCKS;
  let room = active - solidThreshold(active) - keys.filter(isRecent).length;
  return [...byWitness(blocks)].flatMap(([witnessHex, made]): WitnessKey[] => {
    const before = known.get(witnessHex);
    const name = namers.get(witnessHex);
    if (name !== undefined) return before === undefined || before.sinceBlock < name.sinceBlock ? [name] : [];
    const key = newestKey(made, { known: before, solid });
    if (key === undefined) return [];
    if (key.signerHex === witnessHex) return [key];
    const word = wordOf(key);
    if (word !== "alone") return word === "all" ? [key] : [];
    room -= 1;
    const replaced = before?.isAlone === true ? before.replaced : before?.signerHex;
    return room < 0 ? [] : [{ ...key, isAlone: true, replaced }];
  });
}

/** The known keys, those that one node alone has taught as all say by now: what is refuted makes room for what it replaced. */
export function judgeAlone<Key extends WitnessKey>(
  keys: readonly Key[],
  wordOf: (key: Key) => KeyWord | undefined,
): readonly (Key | WitnessKey)[] {
  return keys.flatMap((key): (Key | WitnessKey)[] => {
    const word = key.isAlone === true ? wordOf(key) : undefined;
    const { witnessHex, signerHex, sinceBlock, replaced } = key;
    if (word === "all") return [{ witnessHex, signerHex, sinceBlock }];
    if (word !== "refuted") return [key];
    return replaced === undefined ? [] : [{ witnessHex, signerHex: replaced, sinceBlock }];
  });
}

/** The keys that the blocks show and nobody knows, with which their witnesses do not prove themselves. */
export function keysToAskFor(blocks: readonly SignedBlock[], learning: Learning): readonly WitnessKey[] {
  const all = candidateKeys(blocks, { ...learning, wordOf: () => "all" });
  return all.filter((key) => key.signerHex !== key.witnessHex && !learning.named?.includes(key));
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
