import { headerHashOf, idOfHash } from "@daric/chain/blocks/block-id";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";

/** The number of active witnesses of a TRON network. */
const ACTIVE = 27;

/** The keys made so far, because making one is slow. */
const made: KeyPair[] = [];

/** Deterministic witness keys. */
export function someWitnesses(count = ACTIVE): readonly KeyPair[] {
  while (made.length < count) made.push(keyPairFromPhrase(`a test's witness ${made.length}`));
  return made.slice(0, count);
}

const everyone = someWitnesses();

/** The witness in turn at a height. */
export function turnAt(number: number): KeyPair {
  const witness = everyone[number % everyone.length];
  if (witness === undefined) throw new RangeError(`no turn at ${number}`);
  return witness;
}

/** The relevant parts of a header. By default `id` and `parentId` are some ids of these heights. */
export type HeaderFacts = {
  readonly number: number;
  readonly timeMs: number;
  readonly id?: string;
  readonly parentId?: string;
  /** address of the witness; by default the one whose turn it is */
  readonly witnessHex?: string | undefined;
};

/** A header of a block above 0, signed by the witness whose turn it is. */
export function aHeader(facts: HeaderFacts): BlockHeader {
  const { number, timeMs, id, parentId = idOfHash(number - 1, "a".repeat(64)) } = facts;
  const { witnessHex = turnAt(number).address } = facts;
  const raw = { number, timestamp: timeMs, parentHash: parentId, witness_address: witnessHex };
  return { number, id: id ?? idOfHash(number, headerHashOf(raw)), parentId, timeMs, witnessHex };
}
