import type { Branding } from "@daric/domain/checkout";
import { aFinalDeposit, aPageInput, aRecord } from "@daric/testing/checkout-builders";
import { describe, expect, it } from "vitest";
import { contactLink } from "./contact.ts";
import { pageView } from "./view.ts";

const PAGE = "https://pay.example/c/token";

/** The link's address as a browser reads it. */
function linkOf(
  charge: Parameters<typeof aPageInput>[0],
  merchant: Partial<Branding> = {},
): string | undefined {
  const deposits = [aFinalDeposit("24.5", { txId: "ab".repeat(32) })];
  const input = aPageInput(charge, { deposits, merchant: { ...aRecord().merchant, ...merchant } });
  const link = contactLink(pageView({ ...input, pageUrl: PAGE }), "help");
  return /href="([^"]*)"/.exec(String(link))?.[1]?.replaceAll("&amp;", "&").replaceAll("&#39;", "'");
}

describe("the way to the shop", () => {
  const supportEmail = "help+tron@shop.example";

  it("is a message that names the payment, with its transactions and amounts", () => {
    const link = linkOf({ confirmed: "24.5" }, { supportEmail, supportUrl: "https://shop.example/help" });
    const url = new URL(link ?? "");
    expect([url.protocol, decodeURIComponent(url.pathname)]).toEqual(["mailto:", supportEmail]);
    expect(decodeURIComponent(url.search)).toBe(
      `?subject=Order A-1042&body=Payment page: ${PAGE}\r\nTransaction: ${"ab".repeat(32)}\r\n` +
        "Received: 24.50\u00a0USDT of 25.50\u00a0USDT\r\n\r\n",
    );
  });

  it("lets no text of an order add a header, another address or a line", () => {
    for (const orderRef of [
      "A\r\nBcc: all@shop.example",
      "A&bcc=all@shop.example",
      "A?cc=all@shop.example",
      "A%0D%0ABcc:x",
      "\ud800 half",
      "A\u2028B",
    ]) {
      const link = linkOf({ orderRef }, { supportEmail });
      expect(link).toMatch(/^mailto:help%2Btron@shop\.example\?subject=[^&?\s]*&body=[^&?\s]*$/);
      expect(decodeURIComponent(/subject=([^&]*)/.exec(link ?? "")?.[1] ?? "")).not.toMatch(/[\r\n\u2028]/);
    }
  });

  it("is the support page without an address, else the shop that the payer came from, else nothing", () => {
    expect(linkOf({}, { supportUrl: "https://shop.example/help" })).toBe("https://shop.example/help");
    expect(linkOf({ successUrl: "https://shop.example/thanks?a=1" })).toBe("https://shop.example");
    expect(linkOf({ successUrl: null })).toBeUndefined();
    expect(linkOf({ successUrl: "javascript:alert(1)" })).toBeUndefined();
  });
});
