import { describe, expect, it } from "vitest";
import { translatedTags } from "../messages/languages.ts";
import { pageLanguages } from "./page-languages.ts";

describe("pageLanguages", () => {
  it("answers the same header alike however often and after however many others it comes", () => {
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
