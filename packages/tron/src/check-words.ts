import { createHash, pbkdf2Sync } from "node:crypto";
import { HDKey } from "@scure/bip32";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { accountPath } from "./seed.ts";

/** The outcome for the words of a seed. It names positions, counted from 1, and never a word. */
export type WordsVerdict =
  | { readonly is: "right" }
  | { readonly is: "count"; readonly count: number }
  /** no word of the BIP-39 list */
  | { readonly is: "unknown"; readonly positions: readonly number[] }
  /** another word at this position gives the xpub */
  | { readonly is: "wrong word"; readonly position: number }
  /** these two words exchanged give the xpub */
  | { readonly is: "exchanged"; readonly positions: readonly [number, number] }
  /** known words whose checksum is wrong, by more than one word */
  | { readonly is: "checksum" }
  /** a valid seed of another xpub */
  | { readonly is: "another seed" };

const COUNTS = [12, 15, 18, 21, 24];
const BITS_A_WORD = 11;
/** The rounds of PBKDF2 that BIP-39 prescribes. */
const ROUNDS = 2_048;

/**
 * Compares the words of a seed with an account xpub. It tries single other words and exchanges. Of 24 words some 200
 * candidates pass the checksum and take a second or two; of 12 words some 1,500.
 */
export function checkWords(
  text: string,
  { xpub, account }: { readonly xpub: string; readonly account: number },
): WordsVerdict {
  const words = text
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (!COUNTS.includes(words.length)) return { is: "count", count: words.length };
  const unknown = words.flatMap((word, index) => (indexOf(word) < 0 ? [index + 1] : []));
  if (unknown.length > 1) return { is: "unknown", positions: unknown };
  const gives = (candidate: readonly string[]) =>
    hasChecksum(candidate) && xpubOf(candidate, account) === xpub;
  const [only] = unknown;
  if (only !== undefined) return { is: "unknown", positions: [only] };
  if (gives(words)) return { is: "right" };
  const exchanged = findExchanged(words, gives);
  if (exchanged !== undefined) return { is: "exchanged", positions: exchanged };
  // By chance one wrong word in 256 keeps the checksum of 24; it then looks like another seed.
  if (hasChecksum(words)) return { is: "another seed" };
  const wrong = words.findIndex((_, index) => wordlist.some((word) => gives(words.with(index, word))));
  if (wrong >= 0) return { is: "wrong word", position: wrong + 1 };
  return { is: "checksum" };
}

function findExchanged(
  words: readonly string[],
  gives: (candidate: readonly string[]) => boolean,
): [number, number] | undefined {
  for (const [first, one] of words.entries())
    for (const [second, other] of words.entries())
      if (first < second && one !== other && gives(words.with(first, other).with(second, one)))
        return [first + 1, second + 1];
  return undefined;
}

function indexOf(word: string): number {
  return wordlist.indexOf(word);
}

const indexes = new Map(wordlist.map((word, index) => [word, index]));

/** The last bits repeat the first bits of the SHA-256 of the others, one for each 32. */
function hasChecksum(words: readonly string[]): boolean {
  const bits = words.map((word) => (indexes.get(word) ?? 0).toString(2).padStart(BITS_A_WORD, "0")).join("");
  const length = (bits.length * 32) / 33;
  const entropy = Buffer.from(
    bits
      .slice(0, length)
      .match(/.{8}/g)
      ?.map((byte) => Number.parseInt(byte, 2)) ?? [],
  );
  const [first = 0] = createHash("sha256").update(entropy).digest();
  return first.toString(2).padStart(8, "0").startsWith(bits.slice(length));
}

function xpubOf(words: readonly string[], account: number): string {
  const seed = pbkdf2Sync(words.join(" "), "mnemonic", ROUNDS, 64, "sha512");
  return HDKey.fromMasterSeed(seed).derive(accountPath(account)).publicExtendedKey;
}
