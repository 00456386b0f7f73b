import { describe, expect, it } from "vitest";
import { figuresOf } from "./figures.ts";

const MOMENT = new Date("2026-11-20T09:05:30.000Z");
const english = figuresOf("en");
const MARKS = {
  en: ".",
  "zh-Hans": ".",
  ru: ",",
  es: ",",
  "pt-BR": ",",
  tr: ",",
  vi: ",",
  id: ",",
  ar: ".",
  fa: ".",
};

/** Turns no-break spaces into blanks. */
function seen(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ");
}

describe("figuresOf", () => {
  it("writes a currency with its decimals, USDT with two, TRX without empty ones, and never drops a digit", () => {
    const written: [string, string, string][] = [
      ["25.5", "USDT", "25.50 USDT"],
      ["25", "USD", "25.00 USD"],
      ["19.9900", "EUR", "19.99 EUR"],
      ["1500", "JPY", "1 500 JPY"],
      ["1500.00", "JPY", "1 500 JPY"],
      ["100.505051", "USDT", "100.505051 USDT"],
      ["1234567.123456", "USDT", "1 234 567.123456 USDT"],
      ["999999999999.999999", "TRX", "999 999 999 999.999999 TRX"],
      ["12345678901234567890.1", "TRX", "12 345 678 901 234 567 890.1 TRX"],
      ["50", "TRX", "50 TRX"],
      ["0", "USDT", "0.00 USDT"],
      ["0.000001", "USDT", "0.000001 USDT"],
    ];
    for (const [text, currency, money] of written) expect(seen(english.money(text, currency))).toBe(money);
    expect(english.amount("25.5", "USDT")).toBe("25.50");
    expect(english.decimal("1.0003")).toBe("1.0003");
  });

  it("never lets a sum break into lines, nor groups look like decimals", () => {
    expect(english.money("1234567.5", "USDT")).toBe("1\u202f234\u202f567.50\u00a0USDT");
    expect(figuresOf("es").money("1234567.5", "USDT")).toBe("1\u202f234\u202f567,50\u00a0USDT");
  });

  it("takes the decimal mark of the language", () => {
    for (const [tag, mark] of Object.entries(MARKS))
      expect([tag, figuresOf(tag).amount("25.5", "USDT")]).toEqual([tag, `25${mark}50`]);
  });

  it("writes Latin digits and no invisible mark, in every language", () => {
    for (const tag of Object.keys(MARKS)) {
      const { money, count, time, dateTime } = figuresOf(tag);
      const texts = [money("1234567.891", "USDT"), count(12345), time(MOMENT), dateTime(MOMENT)];
      for (const text of texts) {
        expect([tag, text.replace(/[0-9]/g, "")]).toEqual([tag, expect.not.stringMatching(/\p{Nd}/u)]);
        expect([tag, text]).toEqual([tag, expect.not.stringMatching(/\p{Cf}/u)]);
      }
    }
  });

  it("names the zone of every time, and counts hours to 24", () => {
    expect([english.time(MOMENT), english.dateTime(MOMENT)]).toEqual([
      "09:05 UTC",
      "November 20, 2026 at 09:05 UTC",
    ]);
    for (const tag of Object.keys(MARKS)) {
      const { time, dateTime } = figuresOf(tag);
      expect([tag, time(new Date("2026-11-20T23:59:00Z"))]).toEqual([tag, expect.stringMatching(/23.59/)]);
      for (const text of [time(MOMENT), dateTime(MOMENT)])
        expect([tag, text]).toEqual([tag, expect.stringMatching(/09[:.]05/)]);
      expect([tag, time(MOMENT)]).toEqual([tag, expect.stringContaining("UTC")]);
      expect([tag, dateTime(MOMENT)]).toEqual([tag, expect.stringContaining("UTC")]);
    }
  });
});
