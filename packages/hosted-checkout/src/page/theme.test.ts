import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast, themeOf } from "./theme.ts";

const LIGHT_SURFACE = "#ffffff";
const DARK_SURFACE = "#181b20";

/** The variables of the sheet: first those of the light page, then those of the dark one. */
function variables(css: string, name: string): string[] {
  return [...css.matchAll(new RegExp(`--${name}:(#[0-9a-f]{6})`, "g"))].map((match) => match[1] ?? "");
}

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, "0")}`);

describe("contrast", () => {
  it("is the ratio that WCAG gives", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
    expect(contrast("#ffffff", "#777777")).toBe(contrast("#777777", "#ffffff"));
  });

  it("refuses an invalid colour", () => {
    expect(() => contrast("red", "#ffffff")).toThrow(TypeError);
  });
});

describe("themeOf", () => {
  it("gives readable colours on the light and on the dark page, for any choice of the merchant", () => {
    fc.assert(
      fc.property(color, (accentColor) => {
        const { css } = themeOf(accentColor);
        const [light = "", dark = ""] = variables(css, "accent");
        const [brand = ""] = variables(css, "brand");
        const [onBrand = ""] = variables(css, "on-brand");
        expect(brand).toBe(accentColor);
        const pairs = [
          [light, LIGHT_SURFACE],
          [dark, DARK_SURFACE],
          [onBrand, brand],
        ] as const;
        for (const [one, other] of pairs) expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it("keeps an accent colour with enough contrast", () => {
    expect(variables(themeOf("#0f766e").css, "accent")[0]).toBe("#0f766e");
  });

  it("adds an edge to a brand without contrast to its surface, and to no other", () => {
    const table: [string, string[]][] = [
      ["#ffffff", ["var(--text)", "initial"]],
      ["#f7f8fa", ["var(--text)", "initial"]],
      ["#000000", ["initial", "var(--text)"]],
      ["#181b20", ["initial", "var(--text)"]],
      ["#0f766e", ["initial", "initial"]],
    ];
    for (const [accent, rims] of table) {
      const found = [...themeOf(accent).css.matchAll(/--rim:([^;}]*)/g)].map((match) => match[1]);
      expect([accent, found]).toEqual([accent, rims]);
    }
  });

  it("never puts a merchant's text into the sheet", () => {
    for (const text of ["red", "#fff", "#0f766e;}", "</style><script>", "#0f766e\n", ""]) {
      expect(themeOf(text)).toEqual(themeOf("#0f766e"));
    }
  });

  it("has the hash of the sheet's exact bytes", () => {
    const { css, cspHash } = themeOf("#c2410c");
    expect(cspHash).toBe(`sha256-${createHash("sha256").update(css).digest("base64")}`);
  });
});
