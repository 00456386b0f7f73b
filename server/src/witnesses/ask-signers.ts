import { setTimeout as sleep } from "node:timers/promises";
import type { TronNode } from "../chain/chain-reader.ts";
import { askSigner } from "../chain/known-keys.ts";
import type { KeyWord } from "./learn-keys.ts";

/** Nobody's money waits longer for a node that is slow. */
const MAX_WAIT_MS = 1_000;

/** A block of ours, whose key signed it as it was told, and the keys by one of which it was signed if that was false. */
export type SignedId = {
  readonly number: number;
  readonly id: string;
  readonly signerHex: string;
  readonly others?: readonly (string | undefined)[];
};

/**
 * What the nodes say of who signed some blocks, the same block's `number` for each. Whoever shows another key for a block
 * whose signer is known forges signatures, or is not where we are: his word is none. All say the same where every node there is
 * has said it, and there are two.
 */
export async function askSigners(
  nodes: readonly Pick<TronNode, "getHeader">[],
  { blocks, known }: { blocks: readonly SignedId[]; known: SignedId },
): Promise<ReadonlyMap<number, KeyWord>> {
  const told = await Promise.all(nodes.map((node) => inTime(signersBy(node, { blocks, known }))));
  return new Map(
    blocks.map(({ number, signerHex, others = [] }, place) => {
      const words = told.flatMap((signers) => signers?.[place] ?? []);
      if (words.some((word) => others.includes(word))) return [number, "refuted"];
      if (words.some((word) => word !== signerHex)) return [number, "disputed"];
      return [number, words.length > 1 && words.length === nodes.length ? "all" : "alone"];
    }),
  );
}

async function signersBy(
  node: Pick<TronNode, "getHeader">,
  { blocks, known }: { blocks: readonly SignedId[]; known: SignedId },
): Promise<readonly (string | undefined)[]> {
  const [isHonest, ...signers] = await Promise.all([
    askSigner(node, known).then((signer) => signer === known.signerHex),
    ...blocks.map((block) => askSigner(node, block)),
  ]);
  return isHonest ? signers : [];
}

function inTime<T>(asking: Promise<T>): Promise<T | undefined> {
  return Promise.race([asking.catch(() => undefined), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
}
