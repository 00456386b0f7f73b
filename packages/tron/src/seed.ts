import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";

/** The account step of BIP-44 is hardened. */
export const MAX_ACCOUNT = 2 ** 31 - 1;
/** 24 words. */
const SEED_STRENGTH_BITS = 256;

/** Creates a seed of 24 English BIP-39 words. The returned text is the only copy. */
export function createSeed(): string {
  return generateMnemonic(wordlist, SEED_STRENGTH_BITS);
}

/** The path of a BIP-44 account of TRON (coin type 195 of SLIP-44). */
export function accountPath(account: number): string {
  return `m/44'/195'/${account}'`;
}

/**
 * The xpub of a mnemonic's account: enough for the service to derive addresses.
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
 * Normalizes the blanks of a mnemonic. @throws RangeError, without the words, when a word or the checksum is wrong.
 */
export function readMnemonic(text: string): string {
  const words = text.trim().split(/\s+/).join(" ");
  if (!validateMnemonic(words, wordlist)) throw new RangeError("not a valid BIP-39 mnemonic");
  return words;
}
