import { describe, expect, it } from "vitest";
import { createTokenCheck, isCheckoutToken, newCheckoutToken } from "./checkout-token.ts";

const key = Buffer.alloc(32, 1);
const token = newCheckoutToken(key);

describe("a checkout token", () => {
  it("has 24 random bytes and a checksum, in 40 characters that need no escape in a URL", () => {
    const tokens = Array.from({ length: 1000 }, () => newCheckoutToken(key));
    expect(new Set(tokens.map((text) => text.slice(0, 32))).size).toBe(1000);
    for (const text of tokens) {
      expect(text).toMatch(/^[\w-]{40}$/);
      expect(isCheckoutToken(key, text)).toBe(true);
    }
  });

  it("is invalid after a change of any character", () => {
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === "A" ? "B" : "A";
      const text = token.slice(0, index) + other + token.slice(index + 1);
      expect(isCheckoutToken(key, text), text).toBe(false);
    }
  });

  it("of another key is invalid", () => {
    expect(isCheckoutToken(Buffer.alloc(32, 2), token)).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["its random part alone", token.slice(0, 32)],
    ["one character less", token.slice(0, -1)],
    ["one character more", `${token}A`],
    ["padding", `${token}=`],
    ["a line break behind it", `${token}\n`],
    ["a blank before it", ` ${token}`],
    ["another alphabet", "é".repeat(40)],
    ["40 characters of plain base64", "+/".repeat(20)],
  ])("has one form: %s is none", (_name, text) => {
    expect(isCheckoutToken(key, text)).toBe(false);
  });
});

it("the check of a token gives the same result after any other checks", () => {
  const isOurs = createTokenCheck(key);
  const foreign = newCheckoutToken(Buffer.alloc(32, 2));
  const checks = () => [token, foreign, token.slice(0, -1), ""].map(isOurs);
  expect(checks()).toEqual([true, false, false, false]);
  for (let others = 0; others <= 20_000; others += 1) isOurs(newCheckoutToken(key));
  expect(checks()).toEqual([true, false, false, false]);
  expect(checks()).toEqual([true, false, false, false]);
});
