import { idOf } from "@daric/domain/ids";
import { expect, it } from "vitest";
import { openSecret, sealSecret } from "./seal-secret.ts";

const key = Buffer.alloc(32, 1);
const owner = {
  endpointId: idOf("endpoint", "e1"),
  merchantId: idOf("merchant", "m1"),
  column: "secret_ciphertext",
  generation: 3,
} as const;
const secret = `whsec_${"ab".repeat(32)}`;

it("a sealed secret opens for its owner and reveals no part of it", () => {
  const sealed = sealSecret(key, owner, secret);
  expect(openSecret([key], owner, sealed)).toBe(secret);
  expect(sealed.toString("latin1")).not.toContain("whsec_");
});

it("two seals of one secret differ: the nonce is random", () => {
  expect(sealSecret(key, owner, secret).equals(sealSecret(key, owner, secret))).toBe(false);
});

it("a secret that was moved to another row or merchant does not open", () => {
  const sealed = sealSecret(key, owner, secret);
  expect(() => openSecret([key], { ...owner, endpointId: idOf("endpoint", "e2") }, sealed)).toThrow();
  expect(() => openSecret([key], { ...owner, merchantId: idOf("merchant", "m2") }, sealed)).toThrow();
});

it("a secret that was moved to the other column, or is met in another generation, does not open", () => {
  const sealed = sealSecret(key, owner, secret);
  expect(() => openSecret([key], { ...owner, column: "previous_secret_ciphertext" }, sealed)).toThrow();
  for (const generation of [0, 2, 4])
    expect(() => openSecret([key], { ...owner, generation }, sealed)).toThrow();
});

it("a secret does not open under another key, cut short, or with any changed byte", () => {
  const sealed = sealSecret(key, owner, secret);
  expect(() => openSecret([Buffer.alloc(32, 2)], owner, sealed)).toThrow();
  expect(() => openSecret([key], owner, Buffer.alloc(0))).toThrow();
  for (let index = 0; index < sealed.length; index++) {
    expect(() => openSecret([key], owner, sealed.subarray(0, index))).toThrow();
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => openSecret([key], owner, changed)).toThrow();
  }
});
