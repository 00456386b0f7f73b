import { html } from "@daric/runtime/html";
import { describe, expect, it } from "vitest";
import { offeredLanguages } from "../messages/languages.ts";
import { isolated } from "./elements.ts";

const [english, arabic = english] = offeredLanguages(["ar"]);

function written(text: Parameters<typeof isolated>[1], language = arabic): string {
  return html`${isolated({ language }, text)}`.toString();
}

describe("isolated", () => {
  it("keeps amounts, coins and names from left to right on a page from right to left", () => {
    const table: [string, string][] = [
      [
        "وصل 24.50\u00a0USDT من أصل",
        'وصل <bdi><span class="whole">24.50</span>\u00a0<span class="whole">USDT</span></bdi> من أصل',
      ],
      ["1 USD = 1.0003 USDT", "<bdi>1 USD = 1.0003 USDT</bdi>"],
      ["راسل Blue Bottle Books.", "راسل <bdi>Blue Bottle Books</bdi>."],
      ["(Ethereum ERC-20 أو Solana…)", "(<bdi>Ethereum ERC-20</bdi> أو <bdi>Solana</bdi>…)"],
    ];
    for (const [text, markup] of table) expect(written(text)).toBe(markup);
  });

  it("leaves plain numbers and finished elements unchanged", () => {
    expect(written("بقيت 5 دقائق، 7 من 19")).toBe("بقيت 5 دقائق، 7 من 19");
    expect(written(["نستلم ", html`<b>A</b>`, " بعد 1 USDT"])).toBe("نستلم <b>A</b> بعد <bdi>1 USDT</bdi>");
  });

  it("escapes markup", () => {
    expect(written('<b>"x" & y</b>')).not.toMatch(/<(?!\/?bdi>)/);
  });

  it("keeps the digits of an amount and its currency whole, on any page", () => {
    const whole = (...parts: string[]) =>
      parts.map((part) => `<span class="whole">${part}</span>`).join("\u00a0");
    const table: [string, string][] = [
      ["49.93493\u00a0USDT is missing", `${whole("49.93493", "USDT")} is missing`],
      ["1\u00a0234,50\u00a0USDT.", `${whole("1\u00a0234,50", "USDT")}.`],
      ["1\u00a0USD = 1.0003\u00a0USDT", `${whole("1", "USD")} = ${whole("1.0003", "USDT")}`],
      ["5\u00a0USDTs, 7 of 19", "5\u00a0USDTs, 7 of 19"],
    ];
    for (const [text, markup] of table) expect(written(text, english)).toBe(markup);
  });

  it("changes nothing else on a page from left to right", () => {
    expect(written("1 USD = 1.0003 USDT", english)).toBe("1 USD = 1.0003 USDT");
  });
});
