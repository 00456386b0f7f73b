import { testEnvironment } from "@daric/testing/context";
import { describe, expect, it } from "vitest";
import { checkoutLanguages } from "../domain/checkout.ts";
import { readConfig } from "../process/config.ts";
import { roles } from "../runtime/setting.ts";

function chosen(text: string): readonly string[] {
  return readConfig(testEnvironment({ CHECKOUT_LANGUAGES: text }), roles).checkout.languages;
}

describe("CHECKOUT_LANGUAGES", () => {
  it("without a value is every language, with one the languages that it names", () => {
    expect(chosen("")).toEqual(checkoutLanguages);
    expect(chosen(" ru, PT-br ,en")).toEqual(["ru", "pt-BR", "en"]);
  });

  it("refuses an unknown language, and names the known ones", () => {
    expect(() => chosen("ru,de")).toThrow(
      'CHECKOUT_LANGUAGES names "de"; there are en, zh-Hans, ru, es, pt-BR, tr, vi, id, ar, fa',
    );
  });
});
