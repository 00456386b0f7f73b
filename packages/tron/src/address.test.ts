import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import {
  addressFromPublicKey,
  addressFromText,
  addressHexFromPoint,
  addressToBase58,
  addressToHex,
  hexToAddress,
  isAddress,
  parseAddress,
} from "./address.ts";

const vectors = [
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"],
  ["TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf", "41eca9bc828a3005b9a3b909f2cc5c2a54794de05f"],
  ["TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj", "41ea51342dabbb928ae1e576bd39eff8aaf070a8c6"],
  ["TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs", "4142a1e39aefa49290f2b3f9ed688d7cecf86cd6e0"],
] as const;

const anyPayload = fc.uint8Array({ minLength: 20, maxLength: 20 });
const hexOf = (payload: Uint8Array) => `41${Buffer.from(payload).toString("hex")}`;

describe("addresses", () => {
  it.each(vectors)("%s is %s in hex, both ways", (address, hex) => {
    expect(addressToHex(address)).toBe(hex);
    expect(hexToAddress(hex)).toBe(address);
    expect(parseAddress(address)).toEqual({ ok: true, address, hex });
  });

  it("every 20 bytes have one address, the same as TronWeb's", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const address = hexToAddress(hexOf(payload));
        expect(address).toBe(TronWeb.address.fromHex(hexOf(payload)));
        expect(address).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
        expect(addressToHex(address)).toBe(hexOf(payload));
      }),
    );
  });

  it("a public key has the address TronWeb gives its private key, compressed or not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (secret) => {
        fc.pre(secp256k1.utils.isValidSecretKey(secret));
        const expected = TronWeb.address.fromPrivateKey(Buffer.from(secret).toString("hex"));
        expect(addressFromPublicKey(secp256k1.getPublicKey(secret, true))).toBe(expected);
        expect(addressFromPublicKey(secp256k1.getPublicKey(secret, false))).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("one changed character is never another valid address", () => {
    fc.assert(
      fc.property(
        anyPayload,
        fc.nat(33),
        fc.constantFrom(..."123456789ABCabcxyzZ"),
        (payload, at, letter) => {
          const address = hexToAddress(hexOf(payload));
          fc.pre(address[at] !== letter);
          expect(isAddress(address.slice(0, at) + letter + address.slice(at + 1))).toBe(false);
        },
      ),
    );
  });

  it("agrees with TronWeb on whether any text is an address", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      anyPayload.map((payload) => hexToAddress(hexOf(payload)).toLowerCase()),
      anyPayload.map((payload) => hexToAddress(hexOf(payload))),
    );
    fc.assert(
      fc.property(text, (candidate) => {
        fc.pre(!/^(0x|41)?[0-9a-f]{40,42}$/i.test(candidate));
        expect(isAddress(candidate)).toBe(TronWeb.isAddress(candidate));
      }),
    );
  });

  it("names the problem of an invalid address", () => {
    const problemOf = (text: string) => {
      const parsed = parseAddress(text);
      return parsed.ok ? undefined : parsed.problem;
    };
    expect(problemOf("")).toBe("wrong_length");
    expect(problemOf("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjL")).toBe("wrong_length");
    expect(problemOf("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6")).toBe("wrong_checksum");
    expect(problemOf(" TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")).toBe("not_base58");
    expect(problemOf("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj0O")).toBe("not_base58");
    expect(problemOf("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u")).toBe("wrong_checksum");
    expect(problemOf("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")).toBe("wrong_prefix");
    expect(problemOf("41a614f803b6fd780986a42c78ec9c7f77e6ded13c")).toBe("wrong_length");
    expect(problemOf("T".repeat(1_000_000))).toBe("wrong_length");
  });

  it.each([
    "",
    "a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    "41A614F803B6FD780986A42C78EC9C7F77E6DED13C",
    "42a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    "0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
    "41a614f803b6fd780986a42c78ec9c7f77e6ded13c\n",
  ])("refuses %j as a hex address", (hex) => {
    expect(() => hexToAddress(hex)).toThrow(TypeError);
  });

  it("come from the uncompressed public key of private key 1, as on Ethereum", () => {
    const generator =
      "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
    expect(addressHexFromPoint(hexToBytes(generator))).toBe("417e5f4552091a69125d5dfcb7b8c2659029395bdf");
  });

  it("are read in either form, and in no other", () => {
    const [[address, hex]] = vectors;
    expect(addressFromText(address)).toBe(hex);
    expect(addressFromText(hex.toUpperCase())).toBe(hex);
    for (const text of [hex.slice(2), address.slice(1), "0OIl", ""])
      expect(addressFromText(text)).toBeUndefined();
  });

  it("print an empty field as an empty text", () => expect(addressToBase58("")).toBe(""));

  it("refuses bytes that are not a point of the curve", () => {
    expect(() => addressFromPublicKey(new Uint8Array(33).fill(5))).toThrow();
    expect(() => addressFromPublicKey(new Uint8Array(0))).toThrow();
  });
});
