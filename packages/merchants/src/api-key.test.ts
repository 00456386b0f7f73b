import { anOldKey } from "@daric/testing/api-keys";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findKeyPrefix, hashApiKey, isHashOf, isOldApiKey, newApiKey, parseApiKey } from "./api-key.ts";

const PEPPER = "pepper-pepper-pepper-pepper-pepper";

describe("newApiKey", () => {
  it("a key has the contract's form and parses back to its environment and look-up id", () => {
    for (const environment of ["live", "test"] as const) {
      const { key, lookupId } = newApiKey(PEPPER, environment);
      expect(key).toMatch(new RegExp(`^daric_${environment}_sk_[0-9A-Za-z]{16}_[0-9A-Za-z]{50}$`));
      expect(parseApiKey(key)).toEqual({ environment, lookupId });
    }
  });

  it("no two keys share an id or a secret", () => {
    const keys = Array.from({ length: 200 }, () => newApiKey(PEPPER, "test"));
    expect(new Set(keys.map(({ lookupId }) => lookupId)).size).toBe(200);
    expect(new Set(keys.map(({ key }) => key.slice(-50))).size).toBe(200);
  });
});

describe("findKeyPrefix", () => {
  const here = { peppers: [PEPPER], environment: "test" } as const;
  const read = (text: string) => findKeyPrefix(text, here);
  const character = fc.constantFrom(
    ..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.é \n",
  );

  it("every change of a single character is refused", () => {
    fc.assert(
      fc.property(fc.nat(), character, (seed, replacement) => {
        const key = seed % 2 === 0 ? newApiKey(PEPPER, "test").key : anOldKey();
        const position = seed % key.length;
        fc.pre(key[position] !== replacement);
        expect(read(key.slice(0, position) + replacement + key.slice(position + 1))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it("every swap of two neighbours, every missing and every extra character is refused", () => {
    fc.assert(
      fc.property(fc.nat(), character, (seed, extra) => {
        const key = seed % 2 === 0 ? newApiKey(PEPPER, "test").key : anOldKey();
        const at = seed % (key.length - 1);
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        if (swapped !== key) expect(read(swapped)).toBeUndefined();
        expect(read(key.slice(0, at) + key.slice(at + 1))).toBeUndefined();
        expect(read(key.slice(0, at) + extra + key.slice(at))).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it("junk is refused at once at any length", () => {
    const { key } = newApiKey(PEPPER, "test");
    const junk = [
      "",
      "daric_test_sk_",
      ` ${key}`,
      `${key}\n`,
      key.repeat(2),
      key.toUpperCase(),
      "a".repeat(1e6),
    ];
    for (const text of junk) expect(read(text)).toBeUndefined();
    expect(read(key.replace("daric_test", "daric_prod"))).toBeUndefined();
    expect(read(anOldKey().replace("daric_test", "daric_live"))).toBeUndefined();
  });

  it("refuses a key of the other environment, since its check is under another pepper", () => {
    const { key, lookupId } = newApiKey(`${PEPPER}!`, "live");
    expect(read(key)).toBe(`daric_live_sk_${lookupId}`);
  });

  it("refuses a key of another pepper; an old key passes and is recognised as old", () => {
    const { key, lookupId } = newApiKey(PEPPER, "test");
    const old = anOldKey();
    expect(read(newApiKey(`${PEPPER}!`, "test").key)).toBeUndefined();
    expect(read(key)).toBe(`daric_test_sk_${lookupId}`);
    expect([isOldApiKey(key), isOldApiKey(old)]).toEqual([false, true]);
    expect(read(old)).toBe(old.slice(0, 31 - 1));
  });
});

describe("isHashOf", () => {
  it("only the same key under the same pepper has its hash", () => {
    const { key } = newApiKey(PEPPER, "test");
    const stored = hashApiKey(PEPPER, key);
    expect(stored).toHaveLength(32);
    expect(isHashOf(hashApiKey(PEPPER, key), stored)).toBe(true);
    expect(isHashOf(hashApiKey(`${PEPPER}!`, key), stored)).toBe(false);
    expect(isHashOf(hashApiKey(PEPPER, newApiKey(PEPPER, "test").key), stored)).toBe(false);
  });

  it("no key matches an absent hash, not even the placeholder's", () => {
    expect(isHashOf(hashApiKey(PEPPER, newApiKey(PEPPER, "test").key), undefined)).toBe(false);
    expect(isHashOf(Buffer.alloc(32), undefined)).toBe(false);
  });
});
