import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NumberMarks, readingsOf, readTypedAmount } from "./typed-amount.ts";

const languages = ["en", "es", "pt-BR", "tr", "ru", "ar", "fa", "zh-Hans", "vi", "id"];

function marksOf(language: string): NumberMarks {
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8);
  const markOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { decimal: markOf("decimal"), group: markOf("group") };
}

describe("an amount that a person typed", () => {
  it.each([
    ["49.90", "49.9"],
    ["49.9 USDT", "49.9"],
    ["$49.90", "49.9"],
    ["49.90 $", "49.9"],
    ["USD 49.90", "49.9"],
    ["usdt 25.5", "25.5"],
    ["US$ 25,50", "25.5"],
    ["25,5", "25.5"],
    ["1,200.50 USDT", "1200.5"],
    ["1.200,50", "1200.5"],
    ["1.200,00 USDT", "1200"],
    ["1200,50", "1200.5"],
    ["1\u00a0200,50 USDT", "1200.5"],
    ["1\u202f200,50 USDT", "1200.5"],
    ["1\u2009200,500", "1200.5"],
    ["1'200.5", "1200.5"],
    ["1’200’000", "1200000"],
    ["1.200.000", "1200000"],
    ["12,34,567.8", "1234567.8"],
    ["٢٥٫٥", "25.5"],
    ["١٬٢٠٠٫٥٠", "1200.5"],
    ["۱٬۲۰۰٫۵۰ تتر", "1200.5"],
    ["۴۹/۹۰", "49.9"],
    ["\u200f۱۲۰۰\u200f دلار", "1200"],
    ["１，２００．５０", "1200.5"],
    ["２５。５ 美元", "25.5"],
    ["0,500", "0.5"],
    ["0.125", "0.125"],
    ["12345.678", "12345.678"],
    [",5", "0.5"],
    ["25,", "25"],
    ["+7", "7"],
    ["007.10", "7.1"],
    [`25.5${"0".repeat(50)} USDT`, "25.5"],
    ["25 долларов", "25"],
    ["25,5 đô la", "25.5"],
    ["25.5USDT", "25.5"],
    ["49.90usd", "49.9"],
    ["USD49.90", "49.9"],
    ["trx1200", "1200"],
    ["２５．５ＵＳＤＴ", "25.5"],
  ])("is read from %s", (text, amount) => {
    expect(readingsOf(text)).toEqual([amount]);
  });

  it.each([["1.200"], ["1,200"], ["1,200 USDT"]])(
    "can be two where three digits follow one mark: %s",
    (text) => {
      expect(readingsOf(text)).toEqual(["1200", "1.2"]);
    },
  );

  it.each([
    ["49 €"],
    ["-5"],
    ["1e3"],
    ["A-10"],
    ["1.2.3"],
    ["1 2"],
    ["10 20"],
    ["1,20,5"],
    ["1.20.300"],
    ["1 20 300"],
    ["25usdc"],
    ["25xusd"],
    ["1.200,5.1"],
    [""],
    ["."],
    ["USDT"],
    ["INV 77"],
    ["9".repeat(81)],
  ])("is none where the text can mean something else: %s", (text) => expect(readingsOf(text)).toEqual([]));

  it("is what the marks of the reader's language say", () => {
    expect(readTypedAmount("1.200", marksOf("es"))).toEqual({ amount: "1200" });
    expect(readTypedAmount("1,200", marksOf("es"))).toEqual({ amount: "1.2" });
    expect(readTypedAmount("1,200", marksOf("en"))).toEqual({ amount: "1200" });
    expect(readTypedAmount("1.200", marksOf("zh-Hans"))).toEqual({ amount: "1.2" });
    expect(readTypedAmount("25,5", marksOf("en"))).toEqual({ amount: "25.5" });
  });

  it("is asked for where neither mark is the language's", () => {
    expect(readTypedAmount("1.200", marksOf("ru"))).toEqual({ amount: "1200", other: "1.2" });
    expect(readTypedAmount("1,200", marksOf("fa"))).toEqual({ amount: "1200", other: "1.2" });
  });

  it("is the one that the pages show, in each language, with its own digits too", () => {
    const units = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
    fc.assert(
      fc.property(units, fc.constantFrom(...languages), fc.boolean(), (number, language, hasOwnDigits) => {
        const [whole = "0", fraction = ""] = [number / 1_000_000n, number % 1_000_000n].map(String);
        const digits = fraction.padStart(6, "0");
        const marks = marksOf(language);
        const shown = whole.replace(/\B(?=(\d{3})+$)/g, marks.group) + marks.decimal + digits;
        const own = hasOwnDigits ? shown.replace(/\d/g, (digit) => "۰۱۲۳۴۵۶۷۸۹"[Number(digit)] ?? "") : shown;
        const read = readTypedAmount(`${own} USDT`, marks);
        const kept = digits.replace(/0+$/, "");
        expect(read).toEqual({ amount: kept === "" ? whole : `${whole}.${kept}` });
      }),
    );
  });

  it("is read or not in a time that does not grow, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const reading of readingsOf(text)) expect(reading).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(readingsOf(text).length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
