import { expect, it, vi } from "vitest";
import { words } from "../test/builders.ts";
import { openSeed, sealSeed } from "./seed-file.ts";

/** Deriving a key from a passphrase takes a second on an idle machine, so the tests get more time. */
vi.setConfig({ testTimeout: 120_000 });

const PASSPHRASE = "correct horse battery stäple";
const sealed = sealSeed(words, PASSPHRASE);

it("the passphrase opens the words in any Unicode form of its accents", () => {
  expect(openSeed(sealed, PASSPHRASE.normalize("NFD"))).toBe(words);
  expect(sealed).not.toContain("abandon");
});

it("a wrong passphrase, another byte and another format open nothing, each with its own message", () => {
  const wrong = "the passphrase is wrong, or seed.enc was changed";
  expect(() => openSeed(sealed, `${PASSPHRASE} `)).toThrow(wrong);
  const file = JSON.parse(sealed);
  const flipped = (hex: string) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);
  expect(() => openSeed(JSON.stringify({ ...file, sealed: flipped(file.sealed) }), PASSPHRASE)).toThrow(
    wrong,
  );
  expect(() => openSeed(JSON.stringify({ ...file, sealed: "ab" }), PASSPHRASE)).toThrow(wrong);
  expect(() => openSeed(JSON.stringify({ ...file, format: "daric seed 2" }), PASSPHRASE)).toThrow(
    'seed.enc is not of the format "daric seed 1: scrypt N=2^17 r=8 p=1, AES-256-GCM"',
  );
});

it("a file truncated at any point is named as truncated", () => {
  for (let length = 0; length < sealed.length - 2; length += 1) {
    expect(() => openSeed(sealed.slice(0, length), PASSPHRASE)).toThrow("seed.enc is truncated");
  }
  const file = JSON.parse(sealed);
  for (const field of ["salt", "nonce", "sealed"]) {
    const cut = JSON.stringify({ ...file, [field]: file[field].slice(1) });
    if (field !== "sealed")
      expect(() => openSeed(cut, PASSPHRASE)).toThrow("seed.enc is truncated or was changed");
    expect(() => openSeed(JSON.stringify({ ...file, [field]: undefined }), PASSPHRASE)).toThrow(
      "seed.enc is truncated",
    );
  }
});

it("two files of one seed have nothing in common", () => {
  const [one, other] = [JSON.parse(sealed), JSON.parse(sealSeed(words, PASSPHRASE))];
  for (const field of ["salt", "nonce", "sealed"]) expect(one[field]).not.toBe(other[field]);
});
