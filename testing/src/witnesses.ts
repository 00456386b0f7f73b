import { headerHashOf, idOfHash } from "@daric/server/chain/block-id";
import type { BlockHeader } from "@daric/server/chain/parse-block";
import { type KeyPair, keyPairFromPhrase, signHash } from "@daric/tron/signature";

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
};

/**
 * A header above 0 of that number, parent and time, made and signed by the witness whose turn it is. Where the test says
 * what the id is, it is that, and the hash its end.
 */
export function aHeader({
  number,
  timeMs,
  id,
  parentId = idOfHash(number - 1, "a".repeat(64)),
}: HeaderFacts): BlockHeader {
  const { address: witnessHex, privateKey } = turnAt(number);
  const raw = { number, timestamp: timeMs, parentHash: parentId, witness_address: witnessHex };
  const hashHex = id === undefined ? headerHashOf(raw) : "0".repeat(64 - id.slice(16).length) + id.slice(16);
  const signatureHex = signHash(hashHex, privateKey);
  return { number, id: id ?? idOfHash(number, hashHex), parentId, timeMs, witnessHex, hashHex, signatureHex };
}
