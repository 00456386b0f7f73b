import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openFonts } from "./fonts.ts";
import { hasGap, ltrText, ownText, visualRuns } from "./runs.ts";

/** Noto Sans SC with the letters of the papers alone. */
const chineseFont = fileURLToPath(new URL("../../test/NotoSansSC-subset.ttf", import.meta.url));
const fonts = openFonts(undefined);
const withChinese = openFonts(chineseFont);
const seen = (line: string, direction: "ltr" | "rtl") =>
  visualRuns(line, direction, fonts).map(({ text }) => text);

describe("the runs of a line", () => {
  it("of one script are the line itself", () => {
    expect(visualRuns("Đơn hàng A-1", "ltr", fonts)).toEqual([{ text: "Đơn hàng A-1", font: "latin" }]);
    expect(visualRuns("قیمت کل", "rtl", fonts)).toEqual([{ text: "قیمت کل", font: "arabic" }]);
  });

  it("from right to left have amounts and ids readable, the first word on the right", () => {
    expect(seen(`المبلغ ${ltrText("−25.50 USDT")}`, "rtl")).toEqual(["−25.50 USDT", "المبلغ "]);
    expect(seen("Order طلب A-7", "ltr")).toEqual(["Order ", "طلب", " A-7"]);
  });

  it("of a name or an address have the direction of their first letter", () => {
    expect(seen(ownText("10115 Berlin"), "rtl")).toEqual(["10115 Berlin"]);
    expect(seen(ownText("طلب A-7"), "ltr")).toEqual(["A-7", "طلب "]);
  });

  it("mirror brackets in text from right to left", () => {
    // The font turns a run of Arabic letters, so its brackets are the other ones until then.
    expect(seen("طلب (أول)", "rtl")).toEqual(["طلب )أول("]);
  });

  it("show a letter that no font has as a question mark, and Chinese with the font of the operator", () => {
    expect(visualRuns("A 单，1 😀", "ltr", fonts)).toEqual([{ text: "A ??1 ?", font: "latin" }]);
    expect(visualRuns("A 单，1", "ltr", withChinese)).toEqual([
      { text: "A ", font: "latin" },
      { text: "单，", font: "own" },
      { text: "1", font: "latin" },
    ]);
    expect(["A?", "A\u200B\u202F1", "单", "😀"].map((text) => hasGap(text, fonts))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(hasGap("单，", withChinese)).toBe(false);
  });
});
