import { expect, it } from "vitest";
import { hashOfShopCode, newShopCode } from "./code.ts";

const pepper = "a pepper of at least thirty-two characters";

it("a code has four groups of four characters, none of which looks like another", () => {
  expect(newShopCode(pepper).code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
});

it("a code is read as a person types it: in small letters, with blanks, and O for 0", () => {
  const { code, hash } = newShopCode(pepper);
  const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
  expect(hashOfShopCode([pepper], typed)).toEqual(hash);
});

it("a code of the pepper before is read while that pepper is known", () => {
  const { code, hash } = newShopCode(pepper);
  const next = `another ${pepper}`;
  expect(hashOfShopCode([next, pepper], code)).toEqual(hash);
  expect(hashOfShopCode([next], code)).toBeUndefined();
});

it("a made-up code is refused by its check, without a query", () => {
  const { code } = newShopCode(pepper);
  const other = code.startsWith("7") ? "8" : "7";
  const madeUp = ["", "7777-7777-7777", other + code.slice(1), `${code}7`, "U".repeat(16), "ſ".repeat(16)];
  expect(madeUp.map((text) => hashOfShopCode([pepper], text))).toEqual(madeUp.map(() => undefined));
});
