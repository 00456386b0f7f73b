import { beforeAll, describe, expect, it } from "vitest";
import { en } from "./en/en.ts";
import { operator } from "./en/operator.ts";
import { tagOf, tags } from "./language.ts";
import { languages } from "./words.ts";

/** Texts that are names of things in every language. */
const NAMES = new Set(["Daric", "USDT", "TRX"]);
/** Letters that a language with its own script has in every sentence. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  "zh-Hans": /\p{Script=Han}/u,
  ru: /\p{Script=Cyrillic}/u,
  ar: /\p{Script=Arabic}/u,
  fa: /\p{Script=Arabic}/u,
};
const ENGLISH = /\b(?:the|your|and|with|from|please|address|network|you)\b/i;
/** Arabic letters that Persian does not write, and the other way round. */
const FOREIGN: Readonly<Record<string, RegExp>> = { ar: /[یکگچپژ]/, fa: /[يكة]/ };

type Texts = ReadonlyMap<string, string>;

/** Every text by its key. A sentence with names has `⟦0⟧` for the first. */
function textsOf(catalogue: object): Texts {
  const texts = new Map<string, string>();
  const collect = (value: unknown, key: string) => {
    if (typeof value === "string") texts.set(key, value);
    else if (typeof value === "function") texts.set(key, value("⟦0⟧", "⟦1⟧", "⟦2⟧"));
    else for (const [part, inner] of Object.entries(value as object)) collect(inner, `${key}.${part}`);
  };
  for (const [group, words] of Object.entries(catalogue)) collect(words, group);
  return texts;
}

const namesIn = (text: string) => (text.match(/⟦\d⟧/g) ?? []).sort().join();
const original = textsOf({ ...en, operator });
const translated = languages.filter(({ tag }) => tag !== "en");

describe.each(translated)("$tag", ({ tag, load, loadOperator, isRightToLeft = false }) => {
  let texts: Texts;
  beforeAll(async () => {
    texts = textsOf({ ...(await load()), operator: await loadOperator() });
  });

  it("has every text of the English catalogue, and no other", () => {
    expect([...texts.keys()].sort()).toEqual([...original.keys()].sort());
    expect([...texts].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  it("has the names of each sentence", () => {
    const wrong = [...original].filter(([key, text]) => namesIn(text) !== namesIn(texts.get(key) ?? ""));
    expect(wrong).toEqual([]);
  });

  it("leaves no sentence in English", () => {
    const sentences = [...original].filter(([, text]) => !NAMES.has(text) && text.includes(" "));
    const same = sentences.filter(
      ([key, text]) => texts.get(key) === text && key !== "developers.deliveries.took",
    );
    expect(same).toEqual([]);
    expect([...texts].filter(([, text]) => ENGLISH.test(text))).toEqual([]);
    const script = SCRIPTS[tag];
    const withoutOwn = sentences.filter(([key]) => !script?.test(texts.get(key) ?? ""));
    expect(script === undefined ? [] : withoutOwn).toEqual([]);
  });

  it("is written in its own letters and in its direction", () => {
    const foreign = FOREIGN[tag];
    expect(foreign === undefined ? [] : [...texts].filter(([, text]) => foreign.test(text))).toEqual([]);
    expect(isRightToLeft).toBe(/^(ar|fa)$/.test(tag));
  });
});

it("a refused transfer blames no token, in any language: the signer may have refused it", async () => {
  const token = /token|токен|توکن|الرمز|代币/i;
  for (const { load, loadOperator } of languages) {
    const texts = [(await load()).money.waitingFor.frozen, (await loadOperator()).sweeps.FROZEN];
    expect(texts.filter((text) => !text || token.test(text))).toEqual([]);
  }
});

describe("the language", () => {
  it("is one of the catalogues", () => {
    expect(languages.map(({ tag }) => tag)).toEqual(tags);
  });

  it("is the first wish of the browser that is offered, in any region", () => {
    expect(tagOf([null, "de-DE", "pt-PT", "es"])).toBe("pt-BR");
    expect(tagOf(["zh-CN"])).toBe("zh-Hans");
    expect(tagOf(["fa-AF"])).toBe("fa");
  });

  it("is English if none is offered, and for another script", () => {
    expect(tagOf(["zh-TW", "not a tag", "de"])).toBe("en");
    expect(tagOf([])).toBe("en");
  });
});
