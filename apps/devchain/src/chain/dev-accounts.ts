import { pbkdf2Sync } from "node:crypto";
import { addressFromPublicKey, addressToHex } from "@daric/tron/address";
import { HDKey } from "@scure/bip32";
import { validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import type { GenesisHolder } from "./genesis.ts";

/** The words of other test chains too: every developer knows that they are public. */
export const PUBLIC_MNEMONIC = "test test test test test test test test test test test junk";
export const MAX_DEV_ACCOUNTS = 1000;
/** Whole coins: 1000 accounts together have less than the treasury. */
export const MAX_DEV_BALANCE = 1_000_000;

const UNITS_PER_COIN = 1_000_000n;

/** An account with money: base58 address, and its private key as hex. */
export type DevAccount = { readonly address: string; readonly privateKey: string };

export type DevAccountOptions = {
  /** 0 to 1000 */
  readonly count: number;
  /** whole TRX of each account, and as many USDT: 1 to 1,000,000 */
  readonly balance: number;
  /** 12 to 24 English words of BIP-39 */
  readonly mnemonic: string;
};

/** The accounts m/44'/195'/0'/0/i of a mnemonic. @throws RangeError for wrong words, and for a number out of bounds. */
export function devAccounts({ count, balance, mnemonic }: DevAccountOptions): DevAccount[] {
  checkBounds("accounts", count, [0, MAX_DEV_ACCOUNTS]);
  checkBounds("balance", balance, [1, MAX_DEV_BALANCE]);
  if (!validateMnemonic(mnemonic, wordlist)) throw new RangeError("mnemonic has a wrong word or checksum");
  // The derivation of BIP-39, which its package does in JavaScript, a hundred times as slow.
  const seed = pbkdf2Sync(mnemonic.normalize("NFKD"), "mnemonic", 2048, 64, "sha512");
  const chain = HDKey.fromMasterSeed(seed).derive("m/44'/195'/0'/0");
  return Array.from({ length: count }, (_, index) => devAccountOf(chain.deriveChild(index)));
}

/** The money of the accounts in the genesis state. */
export function holdersOf(accounts: readonly DevAccount[], balance: number): GenesisHolder[] {
  const units = BigInt(balance) * UNITS_PER_COIN;
  return accounts.map(({ address }) => ({ address: addressToHex(address), sun: units, usdtUnits: units }));
}

function devAccountOf({ publicKey, privateKey }: HDKey): DevAccount {
  if (publicKey === null || privateKey === null) throw new RangeError("the mnemonic has no such key");
  return {
    address: addressFromPublicKey(publicKey),
    privateKey: Buffer.from(privateKey).toString("hex"),
  };
}

function checkBounds(name: string, value: number, [from, to]: readonly [number, number]): void {
  if (!Number.isInteger(value) || value < from || value > to)
    throw new RangeError(`${name} must be a whole number from ${from} to ${to}`);
}
