import { KnownSigner } from "@daric/tron/known-signer";
import type { BlockHeader } from "./parse-block.ts";

/** More than twice as many as make blocks; each takes 130 KB. */
const MAX_KNOWN = 64;

/** By the witness that a header names: its blocks come again and again, and its key hardly ever changes. */
const known = new Map<string, KnownSigner>();

/**
 * The address whose key signed a header, hex; undefined where the signature is none. The id does not cover the
 * signature, so that a node can tell a true block with a false one. Takes a millisecond for the first block of a
 * witness, and a quarter of one for its next: asked once for each block read.
 */
export function signerOf({ witnessHex, hashHex, signatureHex }: BlockHeader): string | undefined {
  const before = known.get(witnessHex);
  if (before?.signed(hashHex, signatureHex)) return before.address;
  const signer = KnownSigner.recover(hashHex, signatureHex);
  if (signer !== undefined) remember(witnessHex, signer);
  return signer?.address;
}

/** Forgets the one that was remembered longest ago: a node may name witnesses that there are not. */
function remember(witnessHex: string, signer: KnownSigner): void {
  known.delete(witnessHex);
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(witnessHex, signer);
}
