import type { CheckoutRecord } from "@daric/domain/checkout";
import { ApiError } from "@daric/domain/errors";
import {
  aFinalDeposit,
  aPageInput,
  aSeenDeposit,
  inOtherCoin,
  type LoadedChargeOverrides,
} from "@daric/testing/checkout-builders";
import { describe, expect, it } from "vitest";
import { offeredLanguages, translatedTags } from "../messages/languages.ts";
import { checkoutPage } from "./page.ts";
import { problemOf, problemPage } from "./problem.ts";
import type { Assets } from "./response.ts";

const assets: Assets = {
  version: "v1",
  files: new Map(),
  sheet: { css: "", cspHash: "" },
  linkSheet: { css: "", cspHash: "" },
};
const languages = offeredLanguages(translatedTags);
const [english, ...others] = languages;
const expired = { isExpired: true, status: "EXPIRED" } as const;

const states: [LoadedChargeOverrides, Partial<CheckoutRecord>][] = [
  [{}, {}],
  [{}, { unmatched: inOtherCoin("5") }],
  [{ pending: "25.5" }, { deposits: [aSeenDeposit()] }],
  [{ confirmed: "10" }, { deposits: [aFinalDeposit("10")] }],
  [{ confirmed: "30" }, { deposits: [aFinalDeposit("30")] }],
  [expired, {}],
  [{ status: "ARCHIVED" }, {}],
  [{ kind: "receive", due: null, expiresAt: null }, {}],
];

/** Texts that are the same in every language: names, sums, and the shop's address. */
const NAMES =
  /^(Blue Bottle Books|https:\/\/bluebottle\.example|A-1042|[\d.]+\s(USDT|TRX)|USDT|TRX|TRON( · TRC-20)?)$/;

/** The texts that a payer reads, without addresses, ids and the names of other languages. */
function textsOf(markup: string): string[] {
  const texts = markup
    .slice(markup.indexOf("<title>"))
    .replace(/<(script|style|svg|nav|code)\b.*?<\/\1>|<p class="address".*?<\/p>/gs, "");
  return texts.split(/<[^>]*>/).filter((text) => /\p{L}{2}/u.test(text));
}

describe("a page in another language", () => {
  it.each(others.map((other) => [other.tag, other] as const))(
    "shows no English in %s, in any state",
    (_, language) => {
      for (const [charge, record] of states) {
        const input = aPageInput(charge, record, "nile");
        const { markup } = checkoutPage({ ...input, language, languages }, assets);
        expect(markup).toContain(`<html lang="${language.tag}" dir="${language.direction}">`);
        const inEnglish = new Set(textsOf(checkoutPage({ ...input, languages }, assets).markup));
        expect(textsOf(markup).filter((text) => inEnglish.has(text) && !NAMES.test(text.trim()))).toEqual([]);
      }
    },
  );

  it("offers the others in their own words, and keeps the choice in the address", () => {
    const persian = others.find(({ tag }) => tag === "fa") ?? english;
    const { markup } = checkoutPage({ ...aPageInput(), language: persian, languages }, assets);
    const links = [
      ...markup.matchAll(/<a href="\?lang=([\w-]+)" lang="([\w-]+)" hreflang="[\w-]+">([^<]+)</g),
    ];
    expect(links.map((link) => link[1])).toEqual(links.map((link) => link[2]));
    expect(links.map((link) => link[1]).sort()).toEqual(
      languages
        .map(({ tag }) => tag)
        .filter((tag) => tag !== "fa")
        .sort(),
    );
    expect(links.map((link) => link[3])).toEqual(expect.arrayContaining(["English", "العربية", "简体中文"]));
  });

  it("offers none if the operator has only one", () => {
    const { markup } = checkoutPage({ ...aPageInput(), language: english, languages: [english] }, assets);
    expect(markup).not.toContain("hreflang=");
  });

  it("covers the problem page too", () => {
    for (const language of languages) {
      const { markup } = problemPage(problemOf(new ApiError("NOT_FOUND"), "/c/cut"), assets, language);
      expect(markup).toContain(`<html lang="${language.tag}" dir="${language.direction}">`);
      expect(markup).toContain(language.messages.problems.notFound.title);
    }
  });
});
