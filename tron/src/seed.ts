import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";

/** Accounts that BIP-44 can tell apart: the step is hardened. */
export const MAX_ACCOUNT = 2 ** 31 - 1;
/** 256 bits of entropy: 24 words. */
const SEED_STRENGTH_BITS = 256;

/** A new seed: 24 English BIP-39 words from the system's random source. The only copy is the returned text. */
export function createSeed(): string {
  return generateMnemonic(wordlist, SEED_STRENGTH_BITS);
}

/** The path of a BIP-44 account of TRON (coin type 195 of SLIP-44), from 0 on. */
export function accountPath(account: number): string {
  return `m/44'/195'/${account}'`;
}

/**
 * The xpub of an account of a mnemonic, of the first one unless said otherwise: all that the service needs to hand out
 * addresses.
 *
 * @throws RangeError, without the words, when the mnemonic's words or checksum are wrong.
 */
export function accountXpubFromMnemonic(
  mnemonic: string,
  { account = 0, passphrase = "" }: { account?: number; passphrase?: string } = {},
): string {
  const seed = mnemonicToSeedSync(readMnemonic(mnemonic), passphrase);
  return HDKey.fromMasterSeed(seed).derive(accountPath(account)).publicExtendedKey;
}

/**
 * The words of a mnemonic, with one blank between them.
 *
 * @throws RangeError, without the words, when one of them or the checksum is wrong.
 */
export function readMnemonic(text: string): string {
  const words = text.trim().split(/\s+/).join(" ");
  if (!validateMnemonic(words, wordlist)) throw new RangeError("not a valid BIP-39 mnemonic");
  return words;
}
