import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeHtml, html } from "./html.ts";

/** Payloads that break out of text, of a quoted attribute, of a title, a style or a script element. */
const hostileTexts = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "`-alert(1)-`",
  "</title><script>alert(1)</script>",
  "</style><svg onload=alert(1)>",
  "javascript:alert(1)",
  "&lt;script&gt;",
  "<!--",
  "]]><x>",
  "\u0000<b>",
  "＜script＞",
];

describe("html", () => {
  it("escapes every value, in text and in quoted attributes", () => {
    for (const text of hostileTexts) {
      const value = html`<a title="${text}">${text}</a>`.toString();
      const inside = value.slice('<a title="'.length, -"</a>".length);
      expect(inside.replace('">', "")).not.toMatch(/[<>"'`\p{Cc}]/u);
    }
  });

  it("escapes an ampersand once, so that text reads as it was written", () => {
    expect(html`${"Tom & Jerry's"}`.toString()).toBe("Tom &amp; Jerry&#39;s");
  });

  it("nests markup and joins lists without escaping it again", () => {
    const items = ["a", "<b>"].map((text) => html`<li>${text}</li>`);
    expect(html`<ul>${items}</ul>`.toString()).toBe("<ul><li>a</li><li>&lt;b&gt;</li></ul>");
  });

  it("renders null, undefined and false as nothing, and zero as zero", () => {
    expect(html`[${null}${undefined}${false}${0}${""}]`.toString()).toBe("[0]");
  });

  it("treats an object that only looks like markup as no markup", () => {
    const forged = { toString: () => "<script>" } as unknown as string;
    expect(() => html`${forged}`.toString()).toThrow();
  });

  it("keeps the template's own backslashes and braces", () => {
    expect(html`a{b}\\c`.toString()).toBe("a{b}\\c");
  });
});

describe("escapeHtml", () => {
  it("takes out characters that reorder or hide text", () => {
    expect(escapeHtml("shop\u202Egnp.exe\u2066\u200F")).toBe("shopgnp.exe");
    expect(escapeHtml("a\u0000b\nc\u0085d\u2028e\u2029")).toBe("a b c d e ");
  });

  it("leaves no character of markup, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`&<>"'\`;#ab\u202e\n`) }), (text) => {
        expect(escapeHtml(text).replace(/&(amp|lt|gt|quot|#39|#96);/g, "")).not.toMatch(/[&<>"'`]/);
      }),
    );
  });
});
