import { expect, it } from "vitest";
import { buttonCode, textColourOn } from "./link-button.ts";

const url = "https://pay.example/l/a-b_c";
const hostile = { text: `"Tea" & <b>[gallery] *now*</b>`, url, colour: "#0b5fff" };

it("in HTML the text stays text, and the colour of the text reads on the merchant's", () => {
  expect(buttonCode("html", hostile)).toBe(
    `<a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#0b5fff;color:#ffffff;` +
      'font:600 16px/1.25 sans-serif;text-decoration:none">&quot;Tea&quot; &amp; &lt;b&gt;[gallery] *now*&lt;/b&gt;</a>',
  );
  expect(["#ffe600", "#0b5fff", "red"].map(textColourOn)).toEqual(["#000000", "#ffffff", "#ffffff"]);
});

it("in WordPress the block has the form that its editor writes, and its text runs no shortcode", () => {
  const code = buttonCode("wordpress", hostile);
  expect(code).toContain('<!-- wp:button {"style":{"color":{"background":"#0b5fff","text":"#ffffff"}}} -->');
  expect(code).toContain('style="color:#ffffff;background-color:#0b5fff">');
  expect(code).toContain("&lt;b&gt;&#91;gallery&#93; *now*&lt;/b&gt;</a>");
});

it("in Markdown no character of the text means anything", () => {
  const text = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`;
  const escaped = [...text].map((character) => `\\${character}`).join("");
  expect(buttonCode("markdown", { ...hostile, text: `a ${text} ü7` })).toBe(`[a ${escaped} ü7](${url})`);
});

it("for Telegram it is the markup of a bot's message", () => {
  expect(JSON.parse(buttonCode("telegram", hostile))).toEqual({
    inline_keyboard: [[{ text: hostile.text, url }]],
  });
});
