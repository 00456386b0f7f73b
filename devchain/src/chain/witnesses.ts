import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";
import { SLOT_MS } from "../ledger/limits.ts";
import { WITNESSES } from "./schedule.ts";

/** Who makes blocks, and the key that signs them: its own, or the one of its witness permission. */
export type Witness = { readonly address: string; readonly signer: KeyPair };

/** What is replaced: the keys of witnesses, or the witnesses themselves. */
export type Replacement = "witness_keys" | "witnesses";

/** The witnesses in the order of their turns, and what of them is replaced as time goes by. */
export type ActiveWitnesses = {
  readonly turns: Witness[];
  /** what is replaced next, round about */
  place: number;
  /** how many keys and witnesses were made since the start */
  made: number;
  standing: Standing | undefined;
};

/** So many are replaced every so many milliseconds of chain time. */
type Standing = {
  readonly kind: Replacement;
  readonly count: number;
  readonly everyMs: number;
  /** chain time */
  readonly nextMs: number;
};

/** The witnesses that every chain begins with, each with its own key. */
export function firstWitnesses(): ActiveWitnesses {
  const turns = WITNESSES.map((signer) => ({ address: signer.address, signer }));
  return { turns, place: 0, made: 0, standing: undefined };
}

/**
 * The witness whose turn a block time is: turns follow the slots since the epoch, missed ones included.
 *
 * @throws RangeError where there is no slot.
 */
export function witnessAt({ turns }: ActiveWitnesses, timestampMs: number): Witness {
  const witness = turns[Math.floor(timestampMs / SLOT_MS) % turns.length];
  if (witness === undefined) throw new RangeError(`no slot at ${timestampMs}`);
  return witness;
}

/** The witness of an address, where it is active. */
export function findWitness({ turns }: ActiveWitnesses, address: string): Witness | undefined {
  return turns.find((witness) => witness.address === address);
}

/** Replaces the next `count` keys or witnesses, from the next block on; answers who takes turns in their place. */
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

/** Replaces what is due by the time of the next block. */
export function replaceWhatIsDue(witnesses: ActiveWitnesses, timestampMs: number): void {
  const { standing } = witnesses;
  if (standing === undefined || timestampMs < standing.nextMs) return;
  replace(witnesses, standing.kind, standing.count);
  witnesses.standing = { ...standing, nextMs: timestampMs + standing.everyMs };
}
