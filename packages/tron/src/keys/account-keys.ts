import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { addressFromPublicKey } from "../address.ts";
import { accountPath, readMnemonic } from "../seed.ts";
import { signHash } from "../signature.ts";

/** The last two steps of m/44'/195'/n'/chain/index: chain 0 has deposit addresses, chain 1 the operator's keys. */
export type KeyPath = readonly [chain: 0 | 1, index: number];

/** The private keys of a BIP-44 account. They stay inside: only addresses and signatures come out. */
export type AccountKeys = {
  readonly xpub: string;
  /** The base58check address of a key. @throws RangeError for an index outside 0 … 2^31 - 1. */
  addressAt(path: KeyPath): string;
  /**
   * Signs a 32-byte hash, both in hex: see {@link signHash}. @throws RangeError for an index outside 0 … 2^31 - 1.
   */
  signAt(path: KeyPath, hashHex: string): string;
};

/**
 * Opens the account m/44'/195'/`account`' of a mnemonic.
 * @throws RangeError, without the words, when the mnemonic's words or checksum are wrong.
 */
export function openAccountKeys(mnemonic: string, account: number): AccountKeys {
  const master = HDKey.fromMasterSeed(mnemonicToSeedSync(readMnemonic(mnemonic)));
  const key = master.derive(accountPath(account));
  const chains = [key.deriveChild(0), key.deriveChild(1)] as const;
  const keyAt = ([chain, index]: KeyPath): { publicKey: Uint8Array; privateKey: Uint8Array } => {
    if (!Number.isInteger(index) || index < 0 || index >= 2 ** 31) {
      throw new RangeError("address index must be 0 to 2147483647");
    }
    const { publicKey, privateKey } = chains[chain].deriveChild(index);
    if (publicKey === null || privateKey === null) throw new RangeError(`no key exists at index ${index}`);
    return { publicKey, privateKey };
  };
  return {
    xpub: key.publicExtendedKey,
    addressAt: (path) => addressFromPublicKey(keyAt(path).publicKey),
    signAt: (path, hashHex) => signHash(hashHex, Buffer.from(keyAt(path).privateKey).toString("hex")),
  };
}
