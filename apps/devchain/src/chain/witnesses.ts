import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";
import { SLOT_MS } from "../ledger/limits.ts";
import { WITNESSES } from "./schedule.ts";

/** A witness and the key that signs its blocks: its own, or that of its witness permission. */
export type Witness = { readonly address: string; readonly signer: KeyPair };

export type Replacement = "witness_keys" | "witnesses";

/** The witnesses in the order of their turns, with replacements over time. */
export type ActiveWitnesses = {
  readonly turns: Witness[];
  /** the position of the next replacement, in rotation */
  place: number;
  /** how many keys and witnesses were created since the start */
  made: number;
  standing: RepeatedReplacement | undefined;
};

/** A repeated replacement: `count` keys or witnesses every `everyMs` of chain time. */
type RepeatedReplacement = {
  readonly kind: Replacement;
  readonly count: number;
  readonly everyMs: number;
  /** chain time */
  readonly nextMs: number;
};

/** The first witnesses, each with its own key. */
export function firstWitnesses(): ActiveWitnesses {
  const turns = WITNESSES.map((signer) => ({ address: signer.address, signer }));
  return { turns, place: 0, made: 0, standing: undefined };
}

/**
 * The witness in turn at a block time: turns follow the slots since the epoch, missed ones included.
 * @throws RangeError for a time that is no slot.
 */
export function witnessAt({ turns }: ActiveWitnesses, timestampMs: number): Witness {
  const witness = turns[Math.floor(timestampMs / SLOT_MS) % turns.length];
  if (witness === undefined) throw new RangeError(`no slot at ${timestampMs}`);
  return witness;
}

export function findWitness({ turns }: ActiveWitnesses, address: string): Witness | undefined {
  return turns.find((witness) => witness.address === address);
}

/** Replaces the next `count` keys or witnesses from the next block on; returns the new ones. */
export function replace(witnesses: ActiveWitnesses, kind: Replacement, count: number): Witness[] {
  return Array.from({ length: count }, () => replaceNext(witnesses, kind));
}

function replaceNext(witnesses: ActiveWitnesses, kind: Replacement): Witness {
  const { turns, place } = witnesses;
  witnesses.made += 1;
  const signer = keyPairFromPhrase(`devchain witness key ${witnesses.made}`);
  const address = kind === "witnesses" ? signer.address : (turns[place]?.address ?? signer.address);
  const witness = { address, signer };
  turns[place] = witness;
  witnesses.place = (place + 1) % turns.length;
  return witness;
}

/** Does the replacements due by the time of the next block. */
export function replaceDue(witnesses: ActiveWitnesses, timestampMs: number): void {
  const { standing } = witnesses;
  if (standing === undefined || timestampMs < standing.nextMs) return;
  replace(witnesses, standing.kind, standing.count);
  witnesses.standing = { ...standing, nextMs: timestampMs + standing.everyMs };
}
