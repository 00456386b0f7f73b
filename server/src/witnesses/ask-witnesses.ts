import { createHash } from "node:crypto";
import type { TronNode } from "../chain/chain-reader.ts";
import { NodeError } from "../chain/node-error.ts";
import type { SigningWitness } from "../chain/parse-witnesses.ts";
import type { Witnesses } from "./solid-height.ts";

/** Who may sign, as all nodes say it, under a name that two people can compare. */
export type AgreedWitnesses = Witnesses & { readonly fingerprint: string };

/** Not all nodes say who may sign, or not all the same: with each node that is the reason, in words. */
export class WitnessesInDoubtError extends Error {
  override readonly name = "WitnessesInDoubtError";
  readonly headline: string;
  readonly reasons: readonly string[];

  constructor(headline: string, reasons: readonly string[]) {
    super(`${headline}: ${reasons.join("; ")}`);
    this.headline = headline;
    this.reasons = reasons;
  }
}

type NodeWord = {
  readonly node: string;
  readonly witnesses: readonly SigningWitness[];
  readonly head: number;
};

/**
 * Asks every node which witnesses are active and which key each signs with.
 *
 * @throws WitnessesInDoubtError unless all answer, and the same.
 */
export async function askWitnesses(nodes: readonly TronNode[]): Promise<AgreedWitnesses> {
  if (nodes.length === 0)
    throw new WitnessesInDoubtError("there is nobody to ask", ["no node is configured"]);
  const words = await Promise.all(nodes.map(askOne));
  const silent = words.flatMap((word) => (word instanceof NodeError ? [word.message] : []));
  if (silent.length > 0)
    throw new WitnessesInDoubtError(
      "not every node says who the witnesses are (listwitnesses, getaccount)",
      silent,
    );
  const told = words.flatMap((word) => (word instanceof NodeError ? [] : [word]));
  const differences = differencesOf(told);
  if (differences.length > 0)
    throw new WitnessesInDoubtError("the nodes name different witnesses", differences);
  const witnesses = told[0]?.witnesses ?? [];
  // The lowest head: a key that is known since a block that never comes could never be replaced.
  const sinceBlock = Math.min(...told.map(({ head }) => head));
  return {
    keys: witnesses.map((witness) => ({ ...witness, sinceBlock })),
    active: witnesses.length,
    fingerprint: fingerprintOfWitnesses(witnesses),
  };
}

/** Of witnesses and their keys, whatever the order: the first 128 bits of a SHA-256, in groups to be read aloud. */
export function fingerprintOfWitnesses(witnesses: readonly SigningWitness[]): string {
  const lines = witnesses.map(({ witnessHex, signerHex }) => `${witnessHex} ${signerHex}\n`).sort();
  const digest = createHash("sha256").update(lines.join("")).digest("hex");
  return digest.slice(0, 32).replaceAll(/(....)(?=.)/g, "$1-");
}

async function askOne(node: TronNode): Promise<NodeWord | NodeError> {
  try {
    const witnesses = await node.getWitnesses();
    return { node: node.label, witnesses, head: (await node.getHeadBlock()).number };
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
}

/** What each node says of a witness that they do not say alike. */
function differencesOf(words: readonly NodeWord[]): string[] {
  const told = words.map(({ witnesses }) => new Map(witnesses.map((one) => [one.witnessHex, one.signerHex])));
  const named = new Set(words.flatMap(({ witnesses }) => witnesses.map(({ witnessHex }) => witnessHex)));
  return [...named].sort().flatMap((witnessHex) => {
    const signers = told.map((signer) => signer.get(witnessHex));
    if (new Set(signers).size === 1) return [];
    const each = words.map(({ node }, index) => {
      const signer = signers[index];
      return signer === undefined ? `${node} does not name it` : `${node} says it signs with ${signer}`;
    });
    return [`witness ${witnessHex}: ${each.join(", ")}`];
  });
}
