import { describe, expect, it } from "vitest";
import { ltrText, visualRuns } from "./runs.ts";

const seen = (line: string, direction: "ltr" | "rtl") => visualRuns(line, direction).map(({ text }) => text);

describe("the runs of a line", () => {
  it("of one script are the line itself", () => {
    expect(visualRuns("Đơn hàng A-1", "ltr")).toEqual([{ text: "Đơn hàng A-1", font: "latin" }]);
    expect(visualRuns("قیمت کل", "rtl")).toEqual([{ text: "قیمت کل", font: "arabic" }]);
  });

  it("from right to left have amounts and ids readable, the first word on the right", () => {
    expect(seen(`المبلغ ${ltrText("−25.50 USDT")}`, "rtl")).toEqual(["−25.50 USDT", "المبلغ "]);
    expect(seen("Order طلب A-7", "ltr")).toEqual(["Order ", "طلب", " A-7"]);
  });

  it("mirror brackets in text from right to left", () => {
    // The font turns a run of Arabic letters, so its brackets are the other ones until then.
    expect(seen("طلب (أول)", "rtl")).toEqual(["طلب )أول("]);
  });
});
