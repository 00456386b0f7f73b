import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";

/** BIP-44 account of TRON (coin type 195 of SLIP-44). */
const ACCOUNT_PATH = "m/44'/195'/0'";
/** 256 bits of entropy: 24 words. */
const SEED_STRENGTH_BITS = 256;

/** A new seed: 24 English BIP-39 words from the system's random source. The only copy is the returned text. */
export function createSeed(): string {
  return generateMnemonic(wordlist, SEED_STRENGTH_BITS);
}

/**
 * The xpub of m/44'/195'/0' of a mnemonic: all that the service needs to hand out addresses.
 *
 * @throws RangeError, without the words, when the mnemonic's words or checksum are wrong.
 */
export function accountXpubFromMnemonic(mnemonic: string, passphrase = ""): string {
  const words = mnemonic.trim().split(/\s+/).join(" ");
  if (!validateMnemonic(words, wordlist)) throw new RangeError("not a valid BIP-39 mnemonic");
  const seed = mnemonicToSeedSync(words, passphrase);
  return HDKey.fromMasterSeed(seed).derive(ACCOUNT_PATH).publicExtendedKey;
}
