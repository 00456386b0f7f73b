import { headerHashOf, idOfHash } from "@daric/server/chain/block-id";
import { signHash } from "@daric/tron/signature";
import { turnAt } from "./witnesses.ts";

/** A block above 0, in a test's words. */
export type BlockFacts = {
  readonly number: number;
  readonly timeMs: number;
  /** the id of the block before it; without one some id of that height */
  readonly parentId?: string;
  /** as nodes print them; a block without any has a root of zeros */
  readonly transactions?: readonly object[];
};

/** A block as an honest node prints it: its id is the hash of its header, which the witness whose turn it is has signed. */
export function blockAnswer(facts: BlockFacts): {
  blockID: string;
  block_header: { raw_data: Record<string, unknown>; witness_signature: string };
  transactions: object[];
} {
  const { number, timeMs, parentId = idOfHeight(number - 1), transactions = [] } = facts;
  const witness = turnAt(number);
  const raw_data = {
    number,
    timestamp: timeMs,
    parentHash: parentId,
    txTrieRoot: (transactions.length === 0 ? "0" : "e").repeat(64),
    witness_address: witness.address,
    version: 36,
  };
  const hashHex = headerHashOf(raw_data);
  const witness_signature = signHash(hashHex, witness.privateKey);
  return {
    blockID: idOfHash(number, hashHex),
    block_header: { raw_data, witness_signature },
    transactions: [...transactions],
  };
}

/** An id that begins as those of this height do, of a header that nobody asks for. */
export function idOfHeight(number: number, rest = "a".repeat(48)): string {
  return number.toString(16).padStart(16, "0") + rest;
}

/** The contract of a transaction as a node prints it, its type said twice. */
export function contractAnswer(type: string, value: object): object {
  return { type, parameter: { value, type_url: `type.googleapis.com/protocol.${type}` } };
}
