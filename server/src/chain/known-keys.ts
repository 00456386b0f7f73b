import { setTimeout as sleep } from "node:timers/promises";
import { type KnownKeys, signerOf } from "./block-signer.ts";
import type { TronNode } from "./chain-reader.ts";
import type { CompleteBlock } from "./complete-block.ts";
import type { BlockHeader } from "./parse-block.ts";

/** No block waits longer for what other nodes say of its signature. */
const MAX_WAIT_MS = 1_000;

/** A block as one node told it, and the others that can be asked for the same. */
type Told = {
  readonly block: Pick<CompleteBlock, "header" | "signerHex">;
  readonly others: readonly TronNode[];
  readonly keys: KnownKeys;
};

/**
 * Whether nobody but the witness can have made a signature, as far as is known: its key is the known one, or that of the
 * witness's own address.
 */
export function isProvenSigner(
  keys: KnownKeys,
  { witnessHex, signerHex }: { witnessHex: string; signerHex: string | undefined },
): boolean {
  return signerHex !== undefined && (signerHex === witnessHex || signerHex === keys.get(witnessHex));
}

/** Whether a header is signed by the known key of its witness; every one is where nobody is known. */
export function isSignedByKnown(keys: KnownKeys, header: BlockHeader): boolean {
  const key = keys.get(header.witnessHex);
  return keys.size === 0 || (key !== undefined && key === signerOf(header));
}

/**
 * The block's id does not cover its signature, so that one node can tell a true block with a false one. Where the told
 * one proves nothing, the other nodes are asked for the header: answers the signer that one of them proves, undefined where
 * none does. An honest node is asked nothing but about a witness whose key has changed.
 */
export async function findProvenSigner({ block, others, keys }: Told): Promise<string | undefined> {
  const { header, signerHex } = block;
  const { witnessHex } = header;
  if (others.length === 0 || keys.size === 0 || isProvenSigner(keys, { witnessHex, signerHex })) {
    return undefined;
  }
  const isOver = sleep(MAX_WAIT_MS, undefined, { ref: false });
  const asking = others.map(async (node) => {
    const signer = await askSigner(node, header);
    if (isProvenSigner(keys, { witnessHex, signerHex: signer })) return signer;
    throw new Error("proves nothing");
  });
  return Promise.race([Promise.any(asking).catch(() => undefined), isOver]);
}

/**
 * Whose key signed a block, as a node tells it; undefined where its signature is none or the node has another block there.
 *
 * @throws NodeError when the node does not answer.
 */
export async function askSigner(
  node: Pick<TronNode, "getHeader">,
  { number, id }: Pick<BlockHeader, "number" | "id">,
): Promise<string | undefined> {
  const header = await node.getHeader(number);
  return header?.id === id ? signerOf(header) : undefined;
}
