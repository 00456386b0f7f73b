import { type CheckoutState, checkoutStates } from "@daric/domain/checkout";
import { describe, expect, it } from "vitest";
import { cancelRedirect, finalRedirect, type RedirectTargets } from "./redirects.ts";

const targets: RedirectTargets = {
  successUrl: "https://shop.example/done",
  cancelUrl: "https://shop.example/cart",
  orderRef: "A-1042",
};

function successOf(overrides: Partial<RedirectTargets>): string | undefined {
  return finalRedirect({ ...targets, ...overrides }, { state: "paid", isExpired: false })?.url;
}

describe("finalRedirect", () => {
  it("sends paid orders to successUrl, unpaid ended ones to cancelUrl, and none while the order can be paid", () => {
    const table: Record<CheckoutState, [beforeExpiry: string | undefined, afterExpiry: string | undefined]> =
      {
        awaiting: [undefined, undefined],
        confirming: [undefined, undefined],
        paid: [
          "https://shop.example/done?ref=A-1042&status=paid",
          "https://shop.example/done?ref=A-1042&status=paid",
        ],
        overpaid: [
          "https://shop.example/done?ref=A-1042&status=paid",
          "https://shop.example/done?ref=A-1042&status=paid",
        ],
        underpaid: [undefined, "https://shop.example/cart?ref=A-1042&status=expired"],
        expired: [
          "https://shop.example/cart?ref=A-1042&status=expired",
          "https://shop.example/cart?ref=A-1042&status=expired",
        ],
        error: [
          "https://shop.example/cart?ref=A-1042&status=cancelled",
          "https://shop.example/cart?ref=A-1042&status=cancelled",
        ],
      };
    for (const state of checkoutStates) {
      const urls = [false, true].map((isExpired) => finalRedirect(targets, { state, isExpired })?.url);
      expect([state, ...urls]).toEqual([state, ...table[state]]);
    }
  });

  it("keeps the address's own query byte for byte and its fragment last", () => {
    expect(successOf({ successUrl: "https://shop.example/?sig=a%20b+c%2F&flag&x=1#/done" })).toBe(
      "https://shop.example/?sig=a%20b+c%2F&flag&x=1&ref=A-1042&status=paid#/done",
    );
  });

  it("lets no stored parameter replace ours", () => {
    expect(successOf({ successUrl: "https://shop.example/?status=paid&ref=other&x=1" })).toBe(
      "https://shop.example/?x=1&ref=A-1042&status=paid",
    );
  });

  it("carries a reference of any text, in characters that break neither an address nor a header", () => {
    const orderRef = "\u200f\u0623-1\t2\r\nset-cookie: a=b&status=paid#\u202e";
    const url = successOf({ orderRef, successUrl: "https://shop.example/" }) ?? "";
    expect(url).toMatch(/^[\x21-\x7e]+$/);
    expect([...new URL(url).searchParams]).toEqual([
      ["ref", orderRef],
      ["status", "paid"],
    ]);
  });

  it("leaves ref out if the order has none, and removes a stored one", () => {
    expect(successOf({ orderRef: null, successUrl: "https://shop.example/?ref=mine" })).toBe(
      "https://shop.example/?ref=mine&status=paid",
    );
  });

  it("encodes the order reference", () => {
    expect(successOf({ orderRef: "a&status=paid #1/ü" })).toBe(
      "https://shop.example/done?ref=a%26status%3Dpaid+%231%2F%C3%BC&status=paid",
    );
  });

  it("is null without an address, or with anything but a plain web address", () => {
    const refused = [
      null,
      "",
      "javascript:alert(1)",
      "JaVaScript:alert(1)",
      "data:text/html,x",
      "//shop.example/done",
      "/done",
      "https://user:secret@shop.example/",
      "ftp://shop.example/",
    ];
    for (const successUrl of refused)
      expect([successUrl, successOf({ successUrl })]).toEqual([successUrl, undefined]);
  });

  it("names the host in the form that the browser dials, so that look-alike letters show", () => {
    const redirect = finalRedirect(
      { ...targets, successUrl: "https://аpple.example/" },
      { state: "paid", isExpired: false },
    );
    expect(redirect?.host).toMatch(/^xn--/);
  });
});

describe("cancelRedirect", () => {
  it("has the status of a cancellation", () => {
    expect(cancelRedirect(targets)).toEqual({
      status: "cancelled",
      url: "https://shop.example/cart?ref=A-1042&status=cancelled",
      host: "shop.example",
    });
  });
});
