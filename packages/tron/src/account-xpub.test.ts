import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import fc from "fast-check";
import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import {
  AccountXpubError,
  deriveReceiveAddress,
  deriveReceiveAddresses,
  parseAccountXpub,
} from "./account-xpub.ts";
import { addressFromPublicKey, addressToHex } from "./address.ts";
import { accountPath, accountXpubFromMnemonic, createSeed, MAX_ACCOUNT } from "./seed.ts";

const { Point } = secp256k1;
const mnemonic = `${"abandon ".repeat(11)}about`;
const published = [
  "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH",
  "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK",
  "TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx",
];
const xpub = accountXpubFromMnemonic(mnemonic);

const master = HDKey.fromMasterSeed(new Uint8Array(32).fill(7));
const problemOf = (text: string) => {
  try {
    parseAccountXpub(text);
    return undefined;
  } catch (error) {
    if (error instanceof AccountXpubError) return error.problem;
    throw error;
  }
};

describe("receive addresses", () => {
  it("the published test mnemonic gives the published addresses", () => {
    expect(
      deriveReceiveAddresses(parseAccountXpub(xpub), 0, 3).map(
        (deriveReceiveAddress) => deriveReceiveAddress.address,
      ),
    ).toEqual(published);
    expect(deriveReceiveAddress(parseAccountXpub(xpub), 2)).toBe(published[2]);
  });

  it("a mnemonic gives the addresses TronWeb derives from it", () => {
    const words = createSeed();
    const account = parseAccountXpub(accountXpubFromMnemonic(words));
    for (const index of [0, 1, 77]) {
      expect(deriveReceiveAddress(account, index)).toBe(
        TronWeb.fromMnemonic(words, `m/44'/195'/0'/0/${index}`).address,
      );
    }
  });

  it("any indexes of any account give the addresses of a step-by-step BIP-32 derivation", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.integer({ min: 0, max: 0x7fffffff - 12 }),
        fc.integer({ min: 1, max: 12 }),
        (seed, from, count) => {
          const xpub = HDKey.fromMasterSeed(seed).derive("m/44'/195'/0'").publicExtendedKey;
          const receiveChain = HDKey.fromExtendedKey(xpub).deriveChild(0);
          const expected = Array.from({ length: count }, (_, step) => {
            const { publicKey } = receiveChain.deriveChild(from + step);
            const address = addressFromPublicKey(publicKey ?? expect.fail("no key"));
            return { index: from + step, address, hex: addressToHex(address) };
          });
          expect(deriveReceiveAddresses(parseAccountXpub(xpub), from, count)).toEqual(expected);
        },
      ),
      { numRuns: 20 },
    );
  });

  it("an index without a key has no address, and a tweak equal to the parent's key doubles its point", () => {
    const account = parseAccountXpub(xpub);
    const { publicKey, chainCode, point } = account.receiveChain;
    const step = Point.fromBytes(
      HDKey.fromExtendedKey(xpub).deriveChild(0).deriveChild(5).publicKey ?? publicKey,
    );
    const tweaked = step.subtract(point);
    const from = (parent: typeof point) => ({
      ...account,
      receiveChain: { publicKey, chainCode, point: parent },
    });
    expect(() => deriveReceiveAddresses(from(tweaked.negate()), 4, 3)).toThrow("no key exists at index 5");
    expect(deriveReceiveAddress(from(tweaked), 5)).toBe(addressFromPublicKey(tweaked.double().toBytes()));
  });

  it("refuses an index or a count outside the range", () => {
    const account = parseAccountXpub(xpub);
    for (const [from, count] of [
      [-1, 1],
      [0.5, 1],
      [Number.NaN, 1],
      [0x80000000, 1],
      [0x7fffffff, 2],
      [0, -1],
      [0, 10_001],
    ] as const) {
      expect(() => deriveReceiveAddresses(account, from, count)).toThrow(RangeError);
    }
    expect(deriveReceiveAddresses(account, 0x7fffffff, 1)).toHaveLength(1);
    expect(deriveReceiveAddresses(account, 5, 0)).toEqual([]);
  });
});

describe("the account key", () => {
  it("is accepted with blanks around it and named by its fingerprint", () => {
    const account = parseAccountXpub(` ${xpub}\n`);
    const expected = HDKey.fromExtendedKey(xpub).fingerprint.toString(16).padStart(8, "0");
    expect(account.fingerprint).toBe(expected);
  });

  it("is refused when it is a private key, even with other faults", () => {
    const xprv = master.derive("m/44'/195'/0'").privateExtendedKey;
    expect(problemOf(xprv)).toBe("private_key");
    expect(problemOf(xprv.slice(0, 50))).toBe("private_key");
    expect(problemOf(`tprv${xprv.slice(4)}`)).toBe("private_key");
  });

  it("is refused at any other depth", () => {
    for (const path of ["m", "m/44'", "m/44'/195'", "m/44'/195'/0'/0", "m/44'/195'/0'/0/0"]) {
      expect(problemOf(master.derive(path).publicExtendedKey)).toBe("wrong_depth");
    }
  });

  it("is refused when its last step is not hardened", () => {
    expect(problemOf(master.derive("m/44'/195'/0").publicExtendedKey)).toBe("not_an_account_key");
  });

  it("is refused with one character changed", () => {
    const other = xpub.at(60) === "a" ? "b" : "a";
    expect(problemOf(xpub.slice(0, 60) + other + xpub.slice(61))).toBe("wrong_checksum");
    expect(problemOf(xpub.slice(0, -1))).toBe("wrong_checksum");
  });

  it("is refused when it is another text", () => {
    for (const text of [
      "",
      "xpub",
      published[0] ?? "",
      `xpub${"0".repeat(107)}`,
      `xpub${"a".repeat(5000)}`,
    ]) {
      expect(problemOf(text)).toMatch(/not_an_extended_key|wrong_checksum/);
    }
  });

  it("is refused when its checksum is right and its point is not on the curve", () => {
    const base58check = createBase58check(sha256);
    const bytes = base58check.decode(xpub);
    bytes.fill(0xff, 46);
    expect(problemOf(base58check.encode(bytes))).toBe("not_an_extended_key");
  });

  it("is never part of the error's message", () => {
    const secret = master.derive("m/44'").publicExtendedKey;
    expect(() => parseAccountXpub(secret)).toThrow(/depth 3/);
    expect(() => parseAccountXpub(secret)).not.toThrow(new RegExp(secret.slice(10, 30)));
  });
});

describe("a seed", () => {
  it("has 24 words and is never the same twice", () => {
    const seeds = Array.from({ length: 20 }, createSeed);
    expect(new Set(seeds).size).toBe(20);
    for (const seed of seeds) expect(seed.split(" ")).toHaveLength(24);
  });

  it("gives another account key under a passphrase", () => {
    expect(accountXpubFromMnemonic(mnemonic, { passphrase: "x" })).not.toBe(xpub);
  });

  it("gives each account its own xpub, the one that BIP-32 derives at its path", () => {
    const of = (account: number) => accountXpubFromMnemonic(mnemonic, { account });
    expect(of(0)).toBe(xpub);
    expect(accountPath(7)).toBe("m/44'/195'/7'");
    const byBip32 = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic)).derive(
      accountPath(7),
    ).publicExtendedKey;
    expect(of(7)).toBe(byBip32);
    expect(parseAccountXpub(of(MAX_ACCOUNT)).fingerprint).not.toBe(parseAccountXpub(xpub).fingerprint);
  });

  it("is refused with a wrong word or checksum, without repeating the words", () => {
    expect(() => accountXpubFromMnemonic(`${"abandon ".repeat(11)}abandon`)).toThrow(RangeError);
    expect(() => accountXpubFromMnemonic(`${"abandon ".repeat(11)}abuot`)).toThrow(
      /^not a valid BIP-39 mnemonic$/,
    );
  });
});
