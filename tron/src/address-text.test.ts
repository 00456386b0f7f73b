import { hexToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { addressFromBase58, addressOfPublicKey, addressToBase58, isAddressHex } from "./address-text.ts";
import { keyPairFromPhrase, recoverSigner, signHash } from "./signature.ts";

const USDT_HEX = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const USDT_BASE58 = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

describe("addresses", () => {
  it("convert between the published forms of mainnet USDT", () => {
    expect(addressToBase58(USDT_HEX)).toBe(USDT_BASE58);
    expect(addressFromBase58(USDT_BASE58)).toBe(USDT_HEX);
  });

  it.each([
    ["one letter changed", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T"],
    ["too short", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6"],
    ["another prefix", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["no base58 at all", "0OIl"],
  ])("%s is refused", (_, text) => expect(addressFromBase58(text)).toBeUndefined());

  it("hex must be 21 bytes, lower-case, beginning with 41", () => {
    expect(isAddressHex(USDT_HEX)).toBe(true);
    expect(isAddressHex(USDT_HEX.slice(2))).toBe(false);
    expect(isAddressHex(USDT_HEX.toUpperCase())).toBe(false);
  });

  it("come from the uncompressed public key of private key 1, as on Ethereum", () => {
    const generator =
      "0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
    expect(addressOfPublicKey(hexToBytes(generator))).toBe("417e5f4552091a69125d5dfcb7b8c2659029395bdf");
  });
});

describe("signatures", () => {
  const key = keyPairFromPhrase("a phrase");
  const hash = "5a".repeat(32);

  it("recover to the signer, with the last byte as 0/1 or 27/28", () => {
    const signature = signHash(hash, key.privateKey);
    const shifted = signature.slice(0, 128) + (Number.parseInt(signature.slice(128), 16) + 27).toString(16);
    expect(recoverSigner(hash, signature)).toBe(key.address);
    expect(recoverSigner(hash, shifted)).toBe(key.address);
  });

  it("of another length or of garbage recover to nobody", () => {
    expect(recoverSigner(hash, "00".repeat(64))).toBeUndefined();
    expect(recoverSigner(hash, "ff".repeat(65))).toBeUndefined();
  });
});
