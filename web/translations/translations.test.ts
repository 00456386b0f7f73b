import { describe, expect, it } from "vitest";
import { compileTexts } from "../../packages/runtime/src/texts.ts";
import { type Catalogue, catalogues, flatTexts, readTexts, tags } from "./catalogues.ts";
import { findTranslationFaults, icuOf } from "./faults.ts";

/** Texts that are the same in English and in another language, and why. */
const SAME: Readonly<Record<string, string>> = {
  "summary.rateOf": "an equation",
  "developers.deliveries.took": "a unit",
};

/** Letters that every sentence of a language with its own script contains. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  "zh-Hans": /\p{Script=Han}/u,
  ru: /\p{Script=Cyrillic}/u,
  ar: /\p{Script=Arabic}/u,
  fa: /\p{Script=Arabic}/u,
};
/** Letters that a language with the same script does not write. */
const FOREIGN: Readonly<Record<string, RegExp>> = { ar: /[یکگچپژ]/, fa: /[يكة]/ };
/** Signs that only English or another language has, in the checkout. */
const FOREIGN_SIGNS: Readonly<Record<string, RegExp>> = {
  "zh-Hans": /\p{Script=Han} ?[,;:?!.]/u,
  es: /(?<!¿[^?]*)\?|(?<!¡[^!]*)!/,
  ar: /[,;?]/,
  fa: /[,;?]/,
};
const ENGLISH = /\b(?:the|your|and|with|from|please|address|network|you)\b/i;
/** Coins, standards and networks that a payer compares letter by letter. */
const NAMES_OF_COINS = /\b(?:[A-Z]{3,}(?:-\d+)?|Ethereum|Solana|TronLink)\b/g;
/** A Persian joiner is the only invisible mark that a text needs. */
const UNSEEN = /[\p{Cf}\p{Cc}]/gu;
const ZERO_WIDTH_NON_JOINER = "\u200c";

/** A text without its names and the frame of its plural forms. */
const wordsOf = (text: string) => text.replace(/\{\w+\}/g, "").replace(/\{\w+, plural,|\w+ \{|\}/g, "");

const cases = tags.flatMap((tag) =>
  catalogues.map((catalogue) => ({ tag, name: catalogue.name, catalogue })),
);

function readBoth(catalogue: Catalogue, tag: string) {
  const english = flatTexts(catalogue.english);
  const texts = readTexts(catalogue, tag);
  const faults = (isFault: (text: string, original: string, key: string) => boolean) =>
    [...texts].filter(([key, text]) => isFault(text, english.get(key) ?? "", key));
  return { english, texts, faults };
}

describe.each(cases)("the $name in $tag", ({ tag, name, catalogue }) => {
  const { english, texts, faults } = readBoth(catalogue, tag);

  it("has every English text with its names, and nothing that is left over", () => {
    expect(findTranslationFaults(english, texts)).toEqual([]);
  });

  it("reads on the pages as ICU MessageFormat says", () => {
    expect(readDifferently(tag, texts)).toEqual([]);
  });

  it("repeats no English sentence, and has no English word", () => {
    const isSame = (text: string, original: string, key: string) =>
      text === original && SAME[key] === undefined && (name === "checkout" || text.includes(" "));
    expect(faults(isSame)).toEqual([]);
    expect(faults((text) => ENGLISH.test(wordsOf(text)))).toEqual([]);
  });

  it("uses the letters of its language", () => {
    const own = LETTERS[tag];
    const isWithoutOwn = (text: string, original: string, key: string) =>
      own?.test(text) === false && (name === "checkout" || original.includes(" ")) && SAME[key] === undefined;
    expect(faults(isWithoutOwn)).toEqual([]);
    expect(faults((text) => FOREIGN[tag]?.test(text) === true)).toEqual([]);
  });

  it("has Latin digits, and no invisible mark", () => {
    expect(faults((text) => /\p{Nd}/u.test(text.replace(/[0-9]/g, "")))).toEqual([]);
    const allowed = tag === "fa" ? ZERO_WIDTH_NON_JOINER : "";
    expect(faults((text) => (text.match(UNSEEN) ?? []).some((mark) => mark !== allowed))).toEqual([]);
  });
});

describe.each(cases.filter(({ name }) => name === "checkout"))(
  "the checkout in $tag",
  ({ tag, catalogue }) => {
    const { faults } = readBoth(catalogue, tag);

    it("has the signs and the names of coins that a payer knows", () => {
      expect(faults((text) => FOREIGN_SIGNS[tag]?.test(wordsOf(text)) === true)).toEqual([]);
      const coins = (text: string) => [...new Set(text.match(NAMES_OF_COINS))].sort().join();
      expect(faults((text, original) => coins(text) !== coins(original))).toEqual([]);
    });

    it("has sentences where English has them, without extra blanks", () => {
      const isSentence = (text: string) => /[.。]$/.test(text);
      expect(faults((text, original) => isSentence(text) !== isSentence(original))).toEqual([]);
      expect(faults((text) => /\s\s|^\s|\s$| [.,،。]/.test(text))).toEqual([]);
    });
  },
);

it("English reads on the pages as ICU MessageFormat says", () => {
  for (const { english } of catalogues) expect(readDifferently("en", flatTexts(english))).toEqual([]);
});

it("a text is listed as the same in another language only if it is the same there", () => {
  const repeated = catalogues.flatMap((catalogue) => tags.flatMap((tag) => repeatedIn(catalogue, tag)));
  expect(Object.keys(SAME).filter((key) => !repeated.includes(key))).toEqual([]);
});

function repeatedIn(catalogue: Catalogue, tag: string): string[] {
  const english = flatTexts(catalogue.english);
  return [...readTexts(catalogue, tag)]
    .filter(([key, text]) => english.get(key) === text)
    .map(([key]) => key);
}

/** Samples of a name: a text, and numbers for each plural form of any language. */
const SAMPLES = ["25.50 USDT {x} '$&", 0, 1, 2, 3, 5, 11, 21, 100, 101];

/** The keys of texts in which the pages and the reference implementation differ for a sample. */
function readDifferently(tag: string, texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([key, text]) => {
    const page = compileTexts<Record<string, string>>({ [key]: text }, tag)[key] as
      | string
      | ((named: object) => string);
    const icu = icuOf(text, `${tag}-u-nu-latn`);
    const samples = text.includes("plural") ? SAMPLES.slice(1) : SAMPLES;
    const differs = samples.some((sample) => {
      const named = Object.fromEntries(Array.from(text.matchAll(/\{(\w+)/g), ([, name]) => [name, sample]));
      return (typeof page === "string" ? page : page(named)) !== icu.format(named);
    });
    return differs ? [key] : [];
  });
}
