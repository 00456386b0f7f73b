import { describe, expect, it } from "vitest";
import { keyPairFromPhrase, recoverSigner, signHash } from "./signature.ts";

describe("signatures", () => {
  const key = keyPairFromPhrase("a phrase");
  const hash = "5a".repeat(32);

  it("recover to the signer, with the last byte as 0/1 or 27/28", () => {
    const signature = signHash(hash, key.privateKey);
    const shifted = signature.slice(0, 128) + (Number.parseInt(signature.slice(128), 16) + 27).toString(16);
    expect(recoverSigner(hash, signature)).toBe(key.address);
    expect(recoverSigner(hash, shifted)).toBe(key.address);
  });

  it("of another length or of garbage have no signer", () => {
    expect(recoverSigner(hash, "00".repeat(64))).toBeUndefined();
    expect(recoverSigner(hash, "ff".repeat(65))).toBeUndefined();
  });
});
