import { completeBlocks, headerOf, recordedBlocks } from "@daric/testing/recordings";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerHash } from "./block.ts";
import { KnownSigner } from "./known-signer.ts";
import { keyPairFromPhrase, recoverSigner, signHash } from "./signature.ts";

const ORDER = secp256k1.Point.Fn.ORDER;
const wordOf = (scalar: bigint) => scalar.toString(16).padStart(64, "0");
const PHRASES = ["one", "another", "a third"] as const;
const signers = PHRASES.map((phrase) => {
  const { address, privateKey } = keyPairFromPhrase(phrase);
  const hash = "5a".repeat(32);
  const signer = KnownSigner.recover(hash, signHash(hash, privateKey)) ?? expect.fail("nobody");
  expect(signer.address).toBe(address);
  return { signer, privateKey };
});

/** The same question to the recovery. */
function agree(hashHex: string, signatureHex: string): void {
  const recovered = recoverSigner(hashHex, signatureHex);
  for (const { signer } of signers)
    expect(signer.signed(hashHex, signatureHex)).toBe(signer.address === recovered);
}

const digits = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((some) => Buffer.from(some).toString("hex"));
const edge = fc
  .constantFrom(0n, 1n, 2n, ORDER / 2n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n)
  .map(wordOf);

describe("a known signer", () => {
  it("knows its own signatures, with the last byte as 0/1 or 27/28, with up to three bytes more, and with either s", () => {
    const owned = fc.tuple(digits(32), fc.nat(signers.length - 1), fc.nat(4), fc.nat(255), fc.boolean());
    fc.assert(
      fc.property(owned, ([hash, which, more, v, isHigh]) => {
        const signature = signHash(hash, signers[which]?.privateKey ?? "");
        const [r, s] = [signature.slice(0, 64), BigInt(`0x${signature.slice(64, 128)}`)];
        const low = Number.parseInt(signature.slice(128), 16);
        const [told, id] = isHigh ? [ORDER - s, low ^ 1] : [s, low];
        for (const last of [id, id + 27, id ^ 1, id + 2, id + 29, v]) {
          agree(hash, `${r}${wordOf(told)}${Buffer.of(last).toString("hex")}${"ab".repeat(more)}`);
        }
        agree(hash, `${r}${wordOf(told)}`);
        agree(wordOf(0n), signature);
      }),
      { numRuns: 15 },
    );
  });

  it("knows no others, whatever stands in their places", () => {
    const part = fc.oneof(digits(32), edge);
    fc.assert(
      fc.property(part, part, part, fc.constantFrom(0, 1, 2, 3, 4, 27, 28, 31, 255), (hash, r, s, v) => {
        agree(hash, `${r}${s}${Buffer.of(v).toString("hex")}`);
      }),
      { numRuns: 60 },
    );
  });

  it("knows a signature over each edge of a hash", () => {
    for (const hash of [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n].map(wordOf))
      for (const { privateKey } of signers) agree(hash, signHash(hash, privateKey));
  });

  it("knows one whose nonce or key is the generator's own", () => {
    const one = wordOf(1n);
    const hash = "77".repeat(32);
    const signature = signHash(hash, one);
    const signer = KnownSigner.recover(hash, signature);
    expect(signer?.signed(hash, signature)).toBe(true);
    const other = "78".repeat(32);
    expect(signer?.signed(other, signHash(other, one))).toBe(true);
    expect(signer?.signed(other, signature)).toBe(false);
  });

  it("throws for what is not hex, as the recovery does", () => {
    for (const { signer } of signers) {
      expect(() => signer.signed("5a".repeat(32), "zz".repeat(65))).toThrow();
      expect(() => recoverSigner("5a".repeat(32), "zz".repeat(65))).toThrow();
    }
  });

  it("of a recorded block knows that block and no other", () => {
    expect(completeBlocks().length).toBeGreaterThan(0);
    const told = recordedBlocks().map((block) => ({
      hash: headerHash(headerOf(block)),
      signature: block.block_header.witness_signature,
    }));
    for (const { hash, signature } of told) {
      const signer = KnownSigner.recover(hash, signature);
      for (const other of told) {
        const isOwn = recoverSigner(other.hash, other.signature) === signer?.address;
        expect(signer?.signed(other.hash, other.signature)).toBe(isOwn);
        if (other.hash !== hash)
          expect(signer?.signed(hash, other.signature)).toBe(
            recoverSigner(hash, other.signature) === signer?.address,
          );
      }
    }
  });
});
