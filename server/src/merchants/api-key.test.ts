import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashApiKey, isHashOf, newApiKey, parseApiKey } from "./api-key.ts";

const PEPPER = "pepper-pepper-pepper-pepper-pepper";

describe("newApiKey", () => {
  it("a key has the contract's form and parses back to its environment and look-up id", () => {
    for (const environment of ["live", "test"] as const) {
      const { key, lookupId } = newApiKey(environment);
      expect(key).toMatch(new RegExp(`^daric_${environment}_sk_[0-9A-Za-z]{16}_[0-9A-Za-z]{49}$`));
      expect(parseApiKey(key)).toEqual({ environment, lookupId });
    }
  });

  it("no two keys share an id or a secret", () => {
    const keys = Array.from({ length: 200 }, () => newApiKey("test"));
    expect(new Set(keys.map(({ lookupId }) => lookupId)).size).toBe(200);
    expect(new Set(keys.map(({ key }) => key.slice(-49))).size).toBe(200);
  });
});

describe("parseApiKey", () => {
  const character = fc.constantFrom(
    ..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.é \n",
  );

  it("every change of a single character is refused", () => {
    fc.assert(
      fc.property(fc.nat(), character, (seed, replacement) => {
        const { key } = newApiKey("live");
        const position = seed % key.length;
        fc.pre(key[position] !== replacement);
        expect(parseApiKey(key.slice(0, position) + replacement + key.slice(position + 1))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it("every swap of two neighbours, every missing and every extra character is refused", () => {
    fc.assert(
      fc.property(fc.nat(), character, (seed, extra) => {
        const { key } = newApiKey("test");
        const at = seed % (key.length - 1);
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        if (swapped !== key) expect(parseApiKey(swapped)).toBeUndefined();
        expect(parseApiKey(key.slice(0, at) + key.slice(at + 1))).toBeUndefined();
        expect(parseApiKey(key.slice(0, at) + extra + key.slice(at))).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it("junk is refused at once, however long", () => {
    const { key } = newApiKey("test");
    const junk = [
      "",
      "daric_test_sk_",
      ` ${key}`,
      `${key}\n`,
      key.repeat(2),
      key.toUpperCase(),
      "a".repeat(1e6),
    ];
    for (const text of junk) expect(parseApiKey(text)).toBeUndefined();
    expect(parseApiKey(key.replace("daric_test", "daric_prod"))).toBeUndefined();
    expect(parseApiKey(key.replace("daric_test", "daric_live"))).toBeUndefined();
  });
});

describe("isHashOf", () => {
  it("only the very key under the very pepper has its hash", () => {
    const { key } = newApiKey("test");
    const stored = hashApiKey(PEPPER, key);
    expect(stored).toHaveLength(32);
    expect(isHashOf(hashApiKey(PEPPER, key), stored)).toBe(true);
    expect(isHashOf(hashApiKey(`${PEPPER}!`, key), stored)).toBe(false);
    expect(isHashOf(hashApiKey(PEPPER, newApiKey("test").key), stored)).toBe(false);
  });

  it("no key has a hash that is not stored, not even that of nobody", () => {
    expect(isHashOf(hashApiKey(PEPPER, newApiKey("test").key), undefined)).toBe(false);
    expect(isHashOf(Buffer.alloc(32), undefined)).toBe(false);
  });
});
