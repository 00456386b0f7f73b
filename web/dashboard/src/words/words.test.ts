import { describe, expect, it } from "vitest";
import { tagOf, tags } from "./language.ts";
import { languages } from "./words.ts";

it("a refused transfer blames no token, in any language: the signer may have refused it", async () => {
  const token = /token|токен|توکن|الرمز|代币/i;
  for (const { load, loadOperator } of languages) {
    const [people, operators] = [(await load()).default, (await loadOperator()).default];
    const texts = [people.money.waitingFor.frozen, operators.sweeps.FROZEN];
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
