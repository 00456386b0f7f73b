import { describe, expect, it } from "vitest";
import { amountTerm, fieldWithWords, foldText, textTerms, wholeTerm, wordsOf } from "./search-terms.ts";

describe("a folded text", () => {
  it.each([
    ["ЗАКАЗ Иванова", "заказ иванова"],
    ["ΠΑΡΑΓΓΕΛΊΑΣ", "παραγγελίας"],
    ["Éclair", "e\u0301clair"],
    ["ŞİŞLİ", "şişli"],
    ["ISPARTA", "ısparta"],
    ["ＡＢＣ １２", "abc 12"],
    ["STRASSE", "straße"],
    ["MÜLLER", "mu\u0308ller"],
    ["سفارش ۱۲", "سفارش 12"],
    ["علي", "علی"],
    ["in\u200bv\u202e-7\u00ad7", "INV-77"],
    ["seek  1\u00a0x", "SEEK 1 X"],
  ])("%s is the same as %s", (text, same) => expect(foldText(text)).toBe(foldText(same)));

  it("keeps letters apart that are different ones", () => {
    expect(foldText("й")).not.toBe(foldText("и"));
    expect(foldText("müller")).not.toBe(foldText("muller"));
  });
});

describe("terms", () => {
  it("are the words of every field, and references as a whole", () => {
    const texts = {
      orderRef: "INV-77",
      customerRef: null,
      label: "Blue mug",
      metadata: { email: "Bob@mail.example" },
    };
    expect(textTerms(texts)).toEqual(["=inv-77", "inv", "77", "blue", "mug", "bob", "mail", "example"]);
    expect(fieldWithWords(texts, ["blue", "mu"])).toBe("label");
    expect(fieldWithWords(texts, ["inv", "mug"])).toBe("order reference");
    expect(fieldWithWords(texts, ["mu", "blue"])).toBeUndefined();
  });

  it("of a script without blanks begin at each character", () => {
    expect(wordsOf("订单王小明 A7")).toEqual(["订单", "单王", "王小", "小明", "明", "a7"]);
  });

  it("of a reference have no number sign and no quotes", () => {
    for (const typed of ["#INV-77", "«inv-77»", "“Inv-77”", "№ inv-77", "'inv-77'"])
      expect(wholeTerm(typed)).toBe("=inv-77");
    expect(wholeTerm('"#"')).toBeUndefined();
  });

  it("of an amount have no zeros at the end", () => {
    expect(amountTerm("49.90")).toBe("$49.9");
    expect(amountTerm("100.00")).toBe("$100");
    expect(amountTerm("100")).toBe("$100");
  });

  it("of one payment are few, however long its metadata is", () => {
    const metadata = { text: Array.from({ length: 500 }, (_, index) => `w${index}`).join(" ") };
    expect(textTerms({ orderRef: null, customerRef: null, label: null, metadata })).toHaveLength(100);
  });
});
