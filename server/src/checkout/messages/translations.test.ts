import { describe, expect, it } from "vitest";
import type { Messages } from "./catalogue.ts";
import { en } from "./en.ts";
import { translations } from "./languages.ts";

/** Texts that are the same in English, and why. */
const sameByNature: Readonly<Record<string, string>> = {
  "summary.rateOf": "an equation",
};

/** Letters that every text of a language with its own script contains. */
const letters: Readonly<Record<string, RegExp>> = {
  "zh-Hans": /\p{Script=Han}/u,
  ru: /\p{Script=Cyrillic}/u,
  ar: /\p{Script=Arabic}/u,
  fa: /\p{Script=Arabic}/u,
};

/** Signs that only English or another language has. */
const foreign: Readonly<Record<string, RegExp>> = {
  "zh-Hans": /\p{Script=Han} ?[,;:?!.]/u,
  es: /(?<!¿[^?]*)\?|(?<!¡[^!]*)!/,
  ar: /[,;?]|[یکگچپژ]/,
  fa: /[,;?]|[يكة]/,
};
const ENGLISH = /\b(the|your|and|with|from|please|payment|address|network)\b/i;

/** Coins, standards and networks that a payer compares letter by letter. */
const NAMES_OF_COINS = /\b(?:[A-Z]{3,}(?:-\d+)?|Ethereum|Solana|TronLink)\b/g;
/** A Persian joiner is the only invisible mark that a text needs. */
const UNSEEN = /[\p{Cf}\p{Cc}]/gu;
const ZERO_WIDTH_NON_JOINER = "\u200c";

type Texts = ReadonlyMap<string, string>;

/** The keys about the language itself. */
const ITSELF = ["language", "name", "direction", "review"];

/** Every text by its key, with `⟦name⟧` for each name. */
function textsOf(messages: Messages): Texts {
  const texts = new Map<string, string>();
  for (const [group, copies] of Object.entries(messages)) if (!ITSELF.includes(group)) collect(copies, group);
  return texts;

  function collect(value: unknown, key: string): void {
    if (typeof value === "string") texts.set(key, value);
    else if (Array.isArray(value)) texts.set(key, value.join(""));
    else if (typeof value === "function") collect(value(names), key);
    else for (const [part, inner] of Object.entries(value ?? {})) collect(inner, `${key}.${part}`);
  }
}

/** Answers every name with itself, and every count with a plural number. */
const names = new Proxy({}, { get: (_, name) => (typeof name === "symbol" ? () => 5 : `⟦${name}⟧`) });

function namesIn(text: string): string[] {
  return [...text.matchAll(/⟦\w+⟧/g)].map(([name]) => name).sort();
}

const english = textsOf(en);

describe.each(translations.map((each) => [each.language, each] as const))(
  "the words in %s",
  (language, each) => {
    const texts = textsOf(each);
    const faults = (isFault: (text: string, original: string, key: string) => boolean) =>
      [...texts].filter(([key, text]) => isFault(text, english.get(key) ?? "", key));

    it("are complete, with the parts of the English ones", () => {
      expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
      expect(faults((text) => text.trim() === "")).toEqual([]);
    });

    it("have the names of the English ones, each as often", () => {
      const named = (from: Texts) => Object.fromEntries([...from].map(([key, text]) => [key, namesIn(text)]));
      expect(named(texts)).toEqual(named(english));
    });

    it("repeat no English text, but for names", () => {
      expect(faults((text, original, key) => text === original && sameByNature[key] === undefined)).toEqual(
        [],
      );
      expect(faults((text) => ENGLISH.test(text.replace(/⟦\w+⟧/g, "")))).toEqual([]);
    });

    it("use the letters and signs of their language", () => {
      const own = letters[language];
      if (own !== undefined)
        expect(faults((text, _, key) => !own.test(text) && sameByNature[key] === undefined)).toEqual([]);
      expect(faults((text) => foreign[language]?.test(text) === true)).toEqual([]);
    });

    it("have Latin digits, and no invisible mark", () => {
      expect(faults((text) => /\p{Nd}/u.test(text.replace(/[0-9]/g, "")))).toEqual([]);
      const allowed = language === "fa" ? ZERO_WIDTH_NON_JOINER : "";
      expect(faults((text) => (text.match(UNSEEN) ?? []).some((mark) => mark !== allowed))).toEqual([]);
    });

    it("keep the names of coins and networks in wallets", () => {
      const coins = (text: string) => [...new Set(text.match(NAMES_OF_COINS))].sort().join();
      expect(faults((text, original) => coins(text) !== coins(original))).toEqual([]);
    });

    it("are sentences if the English ones are, without extra blanks", () => {
      const isSentence = (text: string) => /[.。]$/.test(text);
      expect(faults((text, original) => isSentence(text) !== isSentence(original))).toEqual([]);
      expect(faults((text) => /\s\s|^\s|\s$| [.,،。]/.test(text))).toEqual([]);
    });

    it("name their reviewer, or say unreviewed", () => {
      const { review } = each;
      if (review === "unreviewed") return;
      expect(review.by).not.toBe("");
      expect(review.on).toMatch(/^20\d\d-\d\d-\d\d$/);
    });
  },
);

describe("what is the same in English and in another language", () => {
  it("is listed only if it is the same", () => {
    const repeated = translations.flatMap((each) =>
      [...textsOf(each)].filter(([key, text]) => text === english.get(key)).map(([key]) => key),
    );
    expect(Object.keys(sameByNature).filter((key) => !repeated.includes(key))).toEqual([]);
  });
});
