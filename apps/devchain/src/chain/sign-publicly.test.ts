import { sha256Hex } from "@daric/tron/hash";
import { keyPairFromPhrase, readSignature, recoverSigner } from "@daric/tron/signature";
import { expect, it } from "vitest";
import { signPublicly } from "./sign-publicly.ts";

it("a signature recovers its signer and has a low s, for any hash and key", () => {
  for (let n = 0; n < 20; n += 1) {
    const { privateKey, address } = keyPairFromPhrase(`key ${n}`);
    const hash = sha256Hex(Buffer.from(`hash ${n}`));
    const signature = signPublicly(hash, privateKey);
    expect(recoverSigner(hash, signature)).toBe(address);
    expect(readSignature(signature)?.hasHighS()).toBe(false);
  }
});
