import { recoverSigner } from "@daric/tron/signature";
import type { BlockHeader } from "./parse-block.ts";

/**
 * The address whose key signed a header, hex; undefined where the signature is none. The id does not cover the
 * signature, so that a node can tell a true block with a false one. Takes milliseconds: asked once for each block read.
 */
export function signerOf({ hashHex, signatureHex }: BlockHeader): string | undefined {
  return recoverSigner(hashHex, signatureHex);
}
