import { aPageInput, type LoadedChargeOverrides, NOW } from "@daric/testing/checkout-builders";
import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { checkoutPage } from "./page.ts";
import { qrCode } from "./payment.ts";
import type { Assets } from "./response.ts";
import { sheetOf } from "./theme.ts";
import type { PageInput } from "./view.ts";

const assets: Assets = { version: "v1", files: new Map(), sheet: sheetOf(""), linkSheet: sheetOf("") };
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const QUIET_ZONE = 4;

/** The dark modules of a drawing, as rows of a square of this side. */
function modulesOf(markup: string, side: number): boolean[][] {
  const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => false));
  let [x, y] = [0, 0];
  for (const [, right, down, width] of markup.matchAll(/m(-?\d+) (\d+)h(\d+)/g)) {
    [x, y] = [x + Number(right), y + Number(down)];
    for (const end = x + Number(width); x < end; x += 1) {
      const row = rows[y];
      if (row === undefined || row[x] !== false) throw new Error("drawn twice or outside");
      row[x] = true;
    }
  }
  return rows;
}

describe("qrCode", () => {
  it("draws exactly the modules of the plain address, in a quiet zone of four", () => {
    const { data, size } = encode(ADDRESS, { ecc: "M", border: 0 });
    const side = size + 2 * QUIET_ZONE;
    const markup = qrCode(ADDRESS, "QR code").toString();
    const isDark = (x: number, y: number) => data[y - QUIET_ZONE]?.[x - QUIET_ZONE] ?? false;
    const expected = Array.from({ length: side }, (_, y) =>
      Array.from({ length: side }, (_, x) => isDark(x, y)),
    );
    // A line lies in the middle of its modules.
    expect(markup).toContain(`viewBox="0 -.5 ${side} ${side}"`);
    expect(modulesOf(markup, side)).toEqual(expected);
  });

  it("is an image with a name for screen readers", () => {
    expect(qrCode(ADDRESS, 'QR "code"').toString()).toContain('role="img" aria-label="QR &quot;code&quot;"');
  });
});

describe("the ways to pay", () => {
  const render = (input: Partial<PageInput> = {}, charge: LoadedChargeOverrides = {}, network?: "nile") =>
    checkoutPage({ ...aPageInput(charge, {}, network), ...input }, assets).markup;
  const appsOf = (markup: string) =>
    [...markup.matchAll(/href="(trust|tpoutside):[^"]*">([^<]*)</g)].map(([, , words]) => words);
  const lapsed = {
    fiatAmount: "25.00",
    fiatCurrency: "USD",
    quote: { rate: "1", source: "median", expiresAt: NOW },
  } as const;

  it("open the wallets' apps on a phone, with and without scripts", () => {
    const markup = render({ isPhone: true });
    expect(appsOf(markup)).toEqual(["Pay with Trust Wallet", "Pay with TokenPocket"]);
    expect(markup).toContain(`&amp;address=${ADDRESS}&amp;amount=25.5"`);
  });

  it("open no app on a test network, without a fixed amount, once the price has lapsed, and on a desktop", () => {
    expect(appsOf(render({ isPhone: true }, {}, "nile"))).toEqual([]);
    expect(appsOf(render({ isPhone: true }, { kind: "open", due: null }))).toEqual([]);
    expect(appsOf(render({ isPhone: true }, lapsed))).toEqual([]);
    expect(appsOf(render())).toEqual([]);
  });

  it("name an amount that can be typed, with what is due exactly", () => {
    const markup = render({ isPhone: true, qr: "uri" }, { due: "49.93992" });
    for (const part of [
      'data-copy="49.94"',
      'data-units="49940000"',
      "&amp;amount=49.94",
      "%22amount%22%3A49.94",
      'data-title="Pay 49.94\u00a0USDT',
    ])
      expect(markup).toContain(part);
    const text = markup.replace(/<[^>]*>/g, "");
    expect(text).toContain("Exactly 49.93992\u00a0USDT is due; 49.94 pays it in full.");
    expect(text).toContain("Enter an amount so that 49.94\u00a0USDT is what we receive");
    expect(markup).toContain(
      qrCode(`tron:${ADDRESS}?amount=49.94&token=${USDT}`, "QR code with the amount").toString(),
    );
  });

  it("name the rest of a part payment so, in the message too", () => {
    const text = render({}, { due: "49.93992", confirmed: "10.01001" }).replace(/<[^>]*>/g, "");
    expect(text).toContain("39.93\u00a0USDT is missing");
    expect(text).toContain("Send 39.93\u00a0USDT more");
    expect(text).toContain("Exactly 39.92991\u00a0USDT is due; 39.93 pays it in full.");
  });

  it("say nothing of an exact amount where there is none to type, or it is no longer asked", () => {
    expect(render({}, { due: "49.93" })).not.toContain("Exactly");
    expect(render({}, { ...lapsed, due: "49.93992" })).not.toContain("Exactly");
  });

  const isOf = (markup: string, text: string, label: string) =>
    markup.includes(qrCode(text, label).toString());

  it("have a QR code of the plain address, which can be switched to a payment URI and back", () => {
    const plain = render();
    expect(isOf(plain, ADDRESS, "QR code of the address")).toBe(true);
    expect(plain).toContain('href="?lang=en&amp;qr=uri#qr">QR code with the amount');
    const uri = render({ qr: "uri" });
    expect(isOf(uri, `tron:${ADDRESS}?amount=25.5&token=${USDT}`, "QR code with the amount")).toBe(true);
    expect(uri).toContain('href="?lang=en&amp;qr=address#qr">QR code of the address');
    expect(uri).toContain('<details class="qr-box" id="qr" open>');
    expect(uri).toContain("Few wallets read this code");
  });

  it("have no payment URI on a test network and without a fixed amount", () => {
    for (const markup of [
      render({ qr: "uri" }, {}, "nile"),
      render({ qr: "uri" }, { kind: "open", due: null }),
      render({ qr: "uri" }, lapsed),
    ]) {
      expect(isOf(markup, ADDRESS, "QR code of the address")).toBe(true);
      expect(markup).not.toContain("QR code with the amount");
    }
  });

  it("load a QR code on a phone only if its payer asks for it", () => {
    const markup = render({ isPhone: true });
    expect(markup).not.toContain("qr-code");
    expect(markup).toContain('href="?lang=en&amp;qr=address#qr">Show QR code for another device');
    expect(render({ isPhone: true, qr: "address" })).toContain("qr-code");
  });

  it("say that a contract's money counts, of a token", () => {
    const relayed = "Money sent by GasFree or another contract counts too.";
    expect(render()).toContain(relayed);
    expect(render({}, { currency: "TRX" })).not.toContain(relayed);
  });
});
