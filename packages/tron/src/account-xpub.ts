import { createHmac } from "node:crypto";
import { normalizeZ } from "@noble/curves/abstract/curve.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base58, createBase58check } from "@scure/base";
import { HARDENED_OFFSET, HDKey } from "@scure/bip32";
import { addressHexFromPoint, addressToBase58 } from "./address.ts";
import { multiplesOfGenerator } from "./generator-multiples.ts";
import { sha256 } from "./hash.ts";
import type { CurvePoint } from "./multiples-table.ts";

const { Point } = secp256k1;

/** Depth of m/44'/195'/n' (BIP-44: purpose, coin, account). */
const ACCOUNT_DEPTH = 3;
/** BIP-44 external chain: deposit addresses. */
const RECEIVE_CHAIN = 0;
/** BIP-44 change chain: the operator's own keys. */
const OPERATOR_CHAIN = 1;
/** About 0.1 s of one core per thousand addresses. */
const MAX_DERIVED_AT_ONCE = 10_000;

const base58check = createBase58check(sha256);

/** An account's public key. It is a secret: it reveals all addresses. */
export type AccountXpub = {
  /** BIP-32 fingerprint, 8 hex digits: names the key in logs and tables without revealing it */
  readonly fingerprint: string;
  /** n of m/44'/195'/n' */
  readonly account: number;
  readonly receiveChain: PublicChain;
  readonly operatorChain: PublicChain;
};

/** The public key of m/44'/195'/n'/chain. */
type PublicChain = {
  readonly publicKey: Uint8Array;
  readonly chainCode: Uint8Array;
  readonly point: CurvePoint;
};

export type AccountXpubProblem =
  | "private_key"
  | "not_an_extended_key"
  | "wrong_checksum"
  | "wrong_depth"
  | "not_an_account_key";

const PROBLEM_MESSAGES: Readonly<Record<AccountXpubProblem, string>> = {
  private_key: "this is a PRIVATE extended key; give the xpub of m/44'/195'/n' and keep this key offline",
  not_an_extended_key: "not an extended public key; one starts with xpub",
  wrong_checksum: "the extended key has a wrong checksum; a character is missing or mistyped",
  wrong_depth: "the extended key is not an account key: the xpub of m/44'/195'/n' (depth 3) is needed",
  not_an_account_key: "the extended key has depth 3 but was not derived hardened, so it is no account key",
};

/** A refused account key. The message never contains the key. */
export class AccountXpubError extends Error {
  override readonly name = "AccountXpubError";
  readonly problem: AccountXpubProblem;

  constructor(problem: AccountXpubProblem) {
    super(PROBLEM_MESSAGES[problem]);
    this.problem = problem;
  }
}

/** Parses the xpub of m/44'/195'/n'. @throws AccountXpubError on a private, damaged or other key. */
export function parseAccountXpub(text: string): AccountXpub {
  const key = parseXpub(text.trim());
  if (key.depth !== ACCOUNT_DEPTH) throw new AccountXpubError("wrong_depth");
  if (key.index < HARDENED_OFFSET) throw new AccountXpubError("not_an_account_key");
  return {
    fingerprint: key.fingerprint.toString(16).padStart(8, "0"),
    account: key.index - HARDENED_OFFSET,
    receiveChain: publicChain(key, RECEIVE_CHAIN),
    operatorChain: publicChain(key, OPERATOR_CHAIN),
  };
}

function publicChain(account: HDKey, chain: number): PublicChain {
  const { publicKey, chainCode } = account.deriveChild(chain);
  if (publicKey === null || chainCode === null) throw new AccountXpubError("not_an_extended_key");
  return { publicKey, chainCode, point: Point.fromBytes(publicKey) };
}

function parseXpub(text: string): HDKey {
  if (/^[a-z]prv/i.test(text)) throw new AccountXpubError("private_key");
  if (!text.startsWith("xpub") || text.length > 120) throw new AccountXpubError("not_an_extended_key");
  if (!isBase58(text)) throw new AccountXpubError("not_an_extended_key");
  try {
    base58check.decode(text);
  } catch {
    throw new AccountXpubError("wrong_checksum");
  }
  try {
    return HDKey.fromExtendedKey(text);
  } catch {
    throw new AccountXpubError("not_an_extended_key");
  }
}

function isBase58(text: string): boolean {
  try {
    return base58.decode(text).length > 0;
  } catch {
    return false;
  }
}

/** `index` is the last step of m/44'/195'/n'/0/index, `address` base58check, `hex` its 21 bytes. */
export type ReceiveAddress = { readonly index: number; readonly address: string; readonly hex: string };

/** The address of m/44'/195'/n'/0/`index`. @throws RangeError outside 0 … 2^31 - 1. */
export function deriveReceiveAddress(account: AccountXpub, index: number): string {
  const [derived] = deriveReceiveAddresses(account, index, 1);
  if (derived === undefined) throw new RangeError(`no receive address at index ${index}`);
  return derived.address;
}

/**
 * Derives `count` addresses from m/44'/195'/n'/0/`from` on. Cheap for many at once, see
 * {@link multiplesOfGenerator}; every point is checked to be on the curve.
 * @throws RangeError outside 0 … 2^31 - 1, beyond 10,000 at once, and for an index without a key (chance 2^-127),
 * which BIP-32 says to skip.
 */
export function deriveReceiveAddresses(account: AccountXpub, from: number, count: number): ReceiveAddress[] {
  return deriveAddresses(account.receiveChain, from, count);
}

/**
 * The operator's address of m/44'/195'/n'/1/`step`: step 0 is the gas wallet, step 1 may delegate the stake.
 * @throws RangeError outside 0 … 2^31 - 1.
 */
export function deriveOperatorAddress(account: AccountXpub, step: number): string {
  const [derived] = deriveAddresses(account.operatorChain, step, 1);
  if (derived === undefined) throw new RangeError(`no operator address at step ${step}`);
  return derived.address;
}

function deriveAddresses(chain: PublicChain, from: number, count: number): ReceiveAddress[] {
  if (!Number.isInteger(count) || count < 0 || count > MAX_DERIVED_AT_ONCE) {
    throw new RangeError(`count must be 0 to ${MAX_DERIVED_AT_ONCE}`);
  }
  if (!Number.isInteger(from) || from < 0 || from + count > HARDENED_OFFSET) {
    throw new RangeError("address index must be 0 to 2147483647");
  }
  const tweaks = Array.from({ length: count }, (_, step) => childTweak(chain, from + step));
  // CKDpub of BIP-32: parent point + parse256(IL)·G. Nothing in it is secret beyond the xpub.
  const points = multiplesOfGenerator(tweaks).map((multiple) =>
    multiple === undefined ? chain.point : chain.point.add(Point.fromAffine(multiple)),
  );
  return normalizeZ(Point, points).map((point, step) => {
    if (point.is0()) throw new RangeError(`no key exists at index ${from + step}`);
    const hex = addressHexFromPoint(point.toBytes(false));
    return { index: from + step, address: addressToBase58(hex), hex };
  });
}

/** IL of BIP-32 for a child that is not hardened. */
function childTweak({ publicKey, chainCode }: PublicChain, index: number): Uint8Array {
  const message = Buffer.alloc(37);
  message.set(publicKey);
  message.writeUInt32BE(index, 33);
  return createHmac("sha512", chainCode).update(message).digest().subarray(0, 32);
}
