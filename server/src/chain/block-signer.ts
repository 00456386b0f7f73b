import { KnownSigner } from "@daric/tron/known-signer";
import type { BlockHeader } from "./parse-block.ts";

/** The key that each witness signs with, as far as that is known: addresses in hex. Empty where nothing is pinned yet. */
export type KnownKeys = ReadonlyMap<string, string>;

/** More than twice as many as make blocks; each takes 130 KB. */
const MAX_KNOWN = 64;
/** More than one look reads of all nodes; each takes half a kilobyte. */
const MAX_HEADERS = 200;

/** By the witness that a header names: its blocks come again and again, and its key hardly ever changes. */
const known = new Map<string, KnownSigner>();

/** By hash and signature: every node tells the same header, as its head, as a block and on the way back from the head. */
const signers = new Map<string, string>();

/**
 * The address whose key signed a header, hex; undefined where the signature is none. The id does not cover the
 * signature, so that a node can tell a true block with a false one. Takes a millisecond for the first block of a
 * witness, a quarter of one for its next, and nothing for a header that was asked about a moment ago.
 */
export function signerOf({ witnessHex, hashHex, signatureHex }: BlockHeader): string | undefined {
  const name = hashHex + signatureHex;
  const signerHex = signers.get(name) ?? computeSigner({ witnessHex, hashHex, signatureHex });
  // What is no signature may be of any length.
  if (signerHex !== undefined) remember(signers, MAX_HEADERS, [name, signerHex]);
  return signerHex;
}

/** The same, computed anew: of the witness only its key is remembered. */
export function computeSigner({
  witnessHex,
  hashHex,
  signatureHex,
}: Pick<BlockHeader, "witnessHex" | "hashHex" | "signatureHex">): string | undefined {
  const before = known.get(witnessHex);
  if (before?.signed(hashHex, signatureHex)) return before.address;
  const signer = KnownSigner.recover(hashHex, signatureHex);
  if (signer !== undefined) remember(known, MAX_KNOWN, [witnessHex, signer]);
  return signer?.address;
}

/** Forgets the one that was remembered longest ago: a node may name witnesses and tell blocks that there are not. */
function remember<T>(all: Map<string, T>, most: number, [name, value]: readonly [string, T]): void {
  all.delete(name);
  const [oldest] = all.keys();
  if (all.size >= most && oldest !== undefined) all.delete(oldest);
  all.set(name, value);
}
