import { expect, it } from "vitest";
import { checkWords } from "./check-words.ts";
import { accountXpubFromMnemonic } from "./seed.ts";

/** A public test vector of BIP-39, for entropy 0x7f…. */
const words =
  "legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth title".split(
    " ",
  );
const account = 0;
const xpub = accountXpubFromMnemonic(words.join(" "));
const check = (changed: readonly string[]) => checkWords(changed.join(" "), { xpub, account });

it("the words of the xpub are right, in any case and with any blanks", () => {
  expect(check(words)).toEqual({ is: "right" });
  expect(checkWords(`\n ${words.join("\t ").toUpperCase()} \n`, { xpub, account })).toEqual({ is: "right" });
});

it("a word that is no word of the list is named by its position", () => {
  expect(check(words.with(4, "wawe"))).toEqual({ is: "unknown", positions: [5] });
  expect(check(words.with(4, "wawe").with(11, "yeer"))).toEqual({ is: "unknown", positions: [5, 12] });
});

it("one wrong word is named by its position", () => {
  expect(check(words.with(0, "window"))).toEqual({ is: "wrong word", position: 1 });
});

it("two exchanged words are named by their positions", () => {
  expect(check(words.with(2, "sausage").with(5, "thank"))).toEqual({ is: "exchanged", positions: [3, 6] });
});

it("a missing word, a seed of another xpub and a wrong checksum have different verdicts", () => {
  expect(check(words.slice(1))).toEqual({ is: "count", count: 23 });
  expect(checkWords(`${"abandon ".repeat(11)}about`, { xpub, account })).toEqual({ is: "another seed" });
  expect(checkWords("abandon ".repeat(24), { xpub, account })).toEqual({ is: "checksum" });
});
