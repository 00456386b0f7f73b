import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as catalogue from "../words/words.ts";
import { moneyText } from "./amount.ts";
import { durationOf, durationWords, sentDuration } from "./setting.ts";
import { readAmount, sentAmount } from "./typed-amount.ts";

beforeAll(async () => {
  await catalogue.speak("en");
});
afterEach(() => vi.restoreAllMocks());

const speak = (tag: string) => vi.spyOn(catalogue, "language", "get").mockReturnValue(tag as never);
const tags = ["en", "es", "pt-BR", "tr", "ru", "ar", "fa", "zh-Hans", "vi", "id"];

describe("an amount in a form", () => {
  it("is read by the marks of the language of the pages", () => {
    speak("es");
    expect(["25,5", "49,90", "1.200,50", "1.200"].map(sentAmount)).toEqual([
      "25.5",
      "49.9",
      "1200.5",
      "1200",
    ]);
    speak("en");
    expect(["25,5", "49.90", "1,200.50", "1,200"].map(sentAmount)).toEqual([
      "25.5",
      "49.9",
      "1200.5",
      "1200",
    ]);
    speak("fa");
    expect(["۲۵٫۵", "۴۹/۹۰", "۱٬۲۰۰٫۵۰ تتر"].map(sentAmount)).toEqual(["25.5", "49.9", "1200.5"]);
    speak("zh-Hans");
    expect(["２５．５", "１，２００", "25。5"].map(sentAmount)).toEqual(["25.5", "1200", "25.5"]);
  });

  it("is read back, in every language, from the text that the pages show", () => {
    for (const tag of tags) {
      speak(tag);
      for (const amount of ["1200", "1.2", "1234567.000001"])
        expect(readAmount(moneyText(amount, "USDT")), `${tag} ${amount}`).toEqual({ amount });
    }
  });

  it("is sent as it was typed where it is none, and not in doubt where it is one", () => {
    speak("ru");
    expect(sentAmount("abc")).toBe("abc");
    expect(readAmount("1.200")).toEqual({ amount: "1200", other: "1.2" });
  });
});

describe("a duration in a form", () => {
  it("has a number as people type it, and a unit", () => {
    speak("es");
    expect(["1,5 h", "90 m", "60m", "1.200 s", "soon h", "0,001 s"].map(sentDuration)).toEqual([
      "5400s",
      "5400s",
      "3600s",
      "1200s",
      "soonh",
      "0,001s",
    ]);
  });

  it("takes its unit from the text, where it is typed behind the number", () => {
    speak("en");
    expect([durationOf("30 minutes", "h"), durationOf("1d", "h"), durationOf("2", "h")]).toEqual([
      "30 m",
      "1 d",
      "2 h",
    ]);
    speak("es");
    expect([durationOf("30 minutos", "h"), durationOf("2 días", "h")]).toEqual(["30 m", "2 d"]);
    speak("zh-Hans");
    expect(durationOf("30分钟", "h")).toBe("30 m");
  });

  it("is shown in words of the language", () => {
    speak("es");
    expect(durationWords("60m")).toBe("60 minutos");
    speak("en");
    expect(durationWords("1d")).toBe("1 day");
    expect(durationWords("soon")).toBe("soon");
  });
});
