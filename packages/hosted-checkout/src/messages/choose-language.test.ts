import { checkoutLanguages } from "@daric/domain/checkout";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseLanguage, merchantLanguages, pageLanguages } from "./choose-language.ts";
import { offeredLanguages, translatedTags } from "./languages.ts";

const offered = offeredLanguages(translatedTags);

function chosen(accepted: string | undefined, requested?: unknown, languages = offered): string {
  return chooseLanguage({ requested, accepted }, languages).tag;
}

describe("chooseLanguage", () => {
  it("prefers the language of the address to those of the browser", () => {
    expect(chosen("ru,en;q=0.5", "fa")).toBe("fa");
    expect(chosen("ru", ["fa", "en"])).toBe("fa");
    for (const requested of [undefined, "", "xx", "klingon-", "../../etc", {}, [], ["\u0000"]])
      expect([requested, chosen("ru", requested)]).toEqual([requested, "ru"]);
  });

  it("identifies a language by its script, whatever its region or case", () => {
    const wishes: [string, string][] = [
      ["pt", "pt-BR"],
      ["pt-PT", "pt-BR"],
      ["PT-br", "pt-BR"],
      ["zh", "zh-Hans"],
      ["zh-CN", "zh-Hans"],
      ["zh-hans-SG", "zh-Hans"],
      ["fa-IR", "fa"],
      ["es-419", "es"],
      ["in", "id"],
      ["ar-EG-u-nu-arab", "ar"],
      ["en-GB", "en"],
    ];
    for (const [wish, tag] of wishes) {
      expect([wish, chosen(wish)]).toEqual([wish, tag]);
      expect([wish, chosen("de", wish)]).toEqual([wish, tag]);
    }
  });

  it("gives no reader another script than their own", () => {
    for (const wish of ["zh-TW", "zh-Hant", "zh-HK", "ru-Latn"])
      expect([wish, chosen(`${wish},tr;q=0.1`)]).toEqual([wish, "tr"]);
  });

  it("follows the weights of Accept-Language, then its order", () => {
    expect(chosen("de-DE,de;q=0.9,vi;q=0.7,es;q=0.8")).toBe("es");
    expect(chosen("de, tr , id")).toBe("tr");
    expect(chosen("ru;q=0, es;q=0.1")).toBe("es");
    expect(chosen("de, *;q=0.5, ru;q=0.4")).toBe("en");
  });

  it("is English if the request names no offered language", () => {
    for (const header of [undefined, "", "de", "ru;q=2", "ru;;q=1", ";q=1", ",,,", "r\u00fc", "ru;q=0"])
      expect([header, chosen(header)]).toEqual([header, "en"]);
  });

  it("takes the offered language with the highest weight", () => {
    const range = fc.record({
      tag: fc.constantFrom("de", "fr-FR", "xx", "zh-TW", ...offered.map(({ tag }) => tag)),
      weight: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
        const header = ranges.map(({ tag, weight }) => `${tag};q=${(weight / 1000).toFixed(3)}`).join(", ");
        const best = ranges
          .filter(({ tag, weight }) => weight > 0 && offered.some((language) => language.tag === tag))
          .reduce<(typeof ranges)[number] | undefined>(
            (left, right) => (left === undefined || right.weight > left.weight ? right : left),
            undefined,
          );
        expect(chosen(header)).toBe(best?.tag ?? "en");
      }),
    );
  });

  it("returns a language for any text, and stops reading an endless list", () => {
    fc.assert(fc.property(fc.string(), (text) => offered.some(({ tag }) => tag === chosen(text, text))));
    expect(chosen(`${"a-".repeat(8_000)};q=`, "a-".repeat(8_000))).toBe("en");
    expect(chosen(`${"de,".repeat(5_000)}ru`)).toBe("en");
  });

  it("chooses only what the operator offers, and English", () => {
    const two = offeredLanguages(["ru"]);
    expect(two.map(({ tag }) => tag)).toEqual(["en", "ru"]);
    expect([chosen("fa,ru;q=0.5", "tr", two), chosen("fa", "en", two)]).toEqual(["ru", "en"]);
  });
});

describe("merchantLanguages", () => {
  const tagsOf = (chosen: readonly string[] | null) =>
    merchantLanguages()(chosen).offered.map(({ tag }) => tag);

  it("are those that the merchant chose, and English; all if it chose none", () => {
    expect(tagsOf(["fa", "tr"])).toEqual(["en", "tr", "fa"]);
    expect(tagsOf(["en"])).toEqual(["en"]);
    expect(tagsOf(null)).toEqual([...checkoutLanguages]);
  });

  it("can be chosen if they have a catalogue", () => {
    expect([...checkoutLanguages]).toEqual(["en", ...translatedTags]);
  });
});

describe("pageLanguages", () => {
  it("returns the same for the same header, before and after many others", () => {
    const languages = pageLanguages(translatedTags);
    const tagOf = (accepted: string, query = {}) =>
      languages.of({ query, headers: { "accept-language": accepted } }).tag;
    const wishes = ["ru", "pt-PT,pt;q=0.9", "de", "fa-IR", "de,".repeat(20_000)];
    const before = wishes.map((wish) => tagOf(wish));
    expect(before).toEqual(["ru", "pt-BR", "en", "fa", "en"]);
    for (let n = 0; n < 1_200; n += 1) tagOf(`tr;q=0.${n}`);
    expect(wishes.map((wish) => tagOf(wish))).toEqual(before);
    expect([tagOf("ru", { lang: "vi" }), tagOf("ru")]).toEqual(["vi", "ru"]);
  });
});
