import { aPageInput, aRecord } from "@daric/testing/checkout-builders";
import { describe, expect, it } from "vitest";
import { frameOf } from "./frame.ts";
import { checkoutPage } from "./page.ts";
import { loadAssets } from "./response.ts";

const SHOP = "https://shop.example";
const merchant = { ...aRecord().merchant, embedOrigins: [SHOP, "https://www.shop.example"] };
const render = (frame?: ReturnType<typeof frameOf>, record: object = { merchant }) =>
  checkoutPage({ ...aPageInput({}, record), frame }, loadAssets());

describe("the frame of a request", () => {
  const of = (query: unknown, headers = {}) => frameOf({ query, headers }, merchant.embedOrigins);

  it("is that of a listed origin, or of a browser that says so", () => {
    expect(of({ embed: SHOP })).toEqual({ origin: SHOP });
    expect(of({}, { "sec-fetch-dest": "iframe" })).toEqual({ origin: undefined });
    expect(of({}, { "sec-fetch-dest": "document" })).toBeUndefined();
  });

  it.each([`${SHOP}/`, "https://evil.example", "*", "null", "", [SHOP], "__proto__"])(
    "%j is no listed origin",
    (embed) => {
      expect(of({ embed })).toBeUndefined();
    },
  );
});

describe("a page in a frame", () => {
  it("names the listed origin around it, and keeps it in the links to other languages", () => {
    const { markup } = render({ origin: SHOP });
    expect(markup).toContain(`<meta name="embed" content="${SHOP}" data-order-ref="A-1042">`);
    for (const [, query] of markup.matchAll(/<a href="(\?lang=[^"]*)"/g))
      expect(query).toMatch(/^\?lang=[\w-]+&amp;embed=https%3A%2F%2Fshop\.example$/);
    expect(render({ origin: undefined }).markup).not.toContain('name="embed"');
  });

  it("leads back to the shop by its button alone, in the whole window", () => {
    const ended = aPageInput({ confirmed: "25.5" }, { merchant });
    const [alone, framed] = [ended, { ...ended, frame: { origin: undefined } }].map(
      (input) => checkoutPage(input, loadAssets()).markup,
    );
    expect(alone).toMatch(/<noscript><meta http-equiv="refresh" content="20;url=/);
    expect(framed).not.toMatch(/http-equiv="refresh"[^>]*url=|data-redirect-after/);
    for (const markup of [alone, framed]) expect(markup).toMatch(/<a class="button" target="_top"/);
  });
});

it("only pages of the listed origins may frame the page; without any none may", () => {
  expect(render().contentSecurityPolicy).toMatch(
    /; frame-ancestors https:\/\/shop\.example https:\/\/www\.shop\.example$/,
  );
  expect(render(undefined, {}).contentSecurityPolicy).toMatch(/; frame-ancestors 'none'$/);
});
