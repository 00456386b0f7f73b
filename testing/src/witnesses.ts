import { headerHashOf, idOfHash } from "@daric/server/chain/blocks/block-id";
import type { BlockHeader } from "@daric/server/chain/blocks/parse-block";
import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";

/** TRON's networks have so many active witnesses. */
const ACTIVE = 27;

/** The keys of as many witnesses, the same in every test. */
export function someWitnesses(count = ACTIVE): readonly KeyPair[] {
  return Array.from({ length: count }, (_, index) => keyPairFromPhrase(`a test's witness ${index}`));
}

const everyone = someWitnesses();

/** The one of 27 whose turn a height is. */
export function turnAt(number: number): KeyPair {
  const witness = everyone[number % everyone.length];
  if (witness === undefined) throw new RangeError(`no turn at ${number}`);
  return witness;
}

/** What matters of a header in a test. `id` and `parentId` without a word are some of these heights. */
export type HeaderFacts = {
  readonly number: number;
  readonly timeMs: number;
  readonly id?: string;
  readonly parentId?: string;
  /** who makes it; without a word the witness whose turn it is */
  readonly witnessHex?: string | undefined;
};

/**
 * A header above 0 of that number, parent and time, made by the witness whose turn it is. Where the test says
 * what the id is, it is that.
 */
export function aHeader(facts: HeaderFacts): BlockHeader {
  const { number, timeMs, id, parentId = idOfHash(number - 1, "a".repeat(64)) } = facts;
  const { witnessHex = turnAt(number).address } = facts;
  const raw = { number, timestamp: timeMs, parentHash: parentId, witness_address: witnessHex };
  return { number, id: id ?? idOfHash(number, headerHashOf(raw)), parentId, timeMs, witnessHex };
}
