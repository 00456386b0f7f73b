import { type Language, offeredLanguages, translatedTags } from "@daric/hosted-checkout/messages/languages";
import {
  addressesOf,
  harmlessLike,
  hostileTexts,
  plain,
  seenLines,
  tagsOf,
} from "@daric/testing/mail-reader";
import {
  aMailToPayer,
  aPayerMail,
  aRefundMail,
  payerMailKinds,
  SAMPLE_CLAIM_URL,
  SAMPLE_LOGO,
  SAMPLE_PAGE_URL,
  SAMPLE_STOP_URL,
} from "@daric/testing/message-samples";
import { describe, expect, it } from "vitest";
import { renderPayerMail } from "./payer-mail.ts";

const mails = offeredLanguages(translatedTags).flatMap((language) =>
  payerMailKinds.map((kind) => [kind, language.tag, language] as const),
);
/** Marks that reorder text, but for the isolates that the mail sets itself. */
const REORDERS = /[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/;
const [payment] = aPayerMail().order.payments;
const many = Array.from({ length: 21 }, (_, n) => ({
  ...payment,
  txHash: String(n).padStart(64, "a"),
  amount: "123456789012.123456",
  blockNumber: 61_234_567,
  confirmedAt: new Date("2026-09-30T11:04:09Z"),
}));

describe.each(mails)("the mail %s in %s", (kind, tag, { direction, figures }: Language) => {
  it("links nothing but its page and the way to end such mails, and loads nothing but its logo", () => {
    const letter = renderPayerMail(
      aMailToPayer(kind, {
        language: tag,
        shop: { supportEmail: null, supportUrl: "https://shop.example/help" },
      }),
    );
    const pageUrl = kind === "claim" ? SAMPLE_CLAIM_URL : SAMPLE_PAGE_URL;
    expect(addressesOf(letter)).toEqual(["cid:logo", pageUrl, SAMPLE_STOP_URL]);
    expect(letter.text.includes("shop.example")).toBe(false);
    expect(letter.attachments).toEqual([
      { filename: "logo.png", content: SAMPLE_LOGO, contentType: "image/png", cid: "logo" },
    ]);
  });

  it("says in its plain part all that its HTML part says", () => {
    const { html, text } = renderPayerMail(aMailToPayer(kind, { language: tag, network: "nile" }));
    const read = plain(text);
    expect(seenLines(html).length).toBeGreaterThan(10);
    expect(seenLines(html).filter((line) => !read.includes(line))).toEqual([]);
  });

  it("has the language's direction, numbers and times", () => {
    const facts = aMailToPayer(kind, { language: tag });
    const { html, text, subject } = renderPayerMail(facts);
    expect(html).toContain(`<html lang="${tag}" dir="${direction}">`);
    expect(html).toContain(`<div class="p" lang="${tag}" dir="${direction}"`);
    const price = "order" in facts ? [figures.money("24.90", "EUR")] : [];
    const amount = "order" in facts ? facts.order.received : facts.amount;
    for (const shown of [...price, figures.money(amount, "USDT")])
      expect(plain(text)).toContain(plain(shown));
    expect(plain(text)).toContain(plain(figures.dateTime(payment?.confirmedAt ?? new Date(0))));
    expect(plain(text)).toContain("UTC");
    expect(/\u2068/.test(text)).toBe(direction === "rtl");
    expect(plain(subject)).toContain("Blue Bottle Books");
  });

  it("stays below 30 kB and 150 characters of a subject with the longest facts", () => {
    const long = "Ω".repeat(500);
    const { html, subject } = renderPayerMail(
      aMailToPayer(kind, {
        language: tag,
        network: "private",
        shop: { name: long, supportEmail: null, supportUrl: `https://${"a".repeat(60)}.example` },
        order: {
          orderRef: long,
          received: "123456789012.123456",
          missing: "123456789012.123456",
          payments: many,
        },
      }),
    );
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(30_000);
    expect([...subject].length).toBeLessThanOrEqual(150);
    expect(html.includes(many[19]?.txHash ?? "?")).toBe(kind !== "claim" && kind !== "refunded");
    expect(html.includes(many[20]?.txHash ?? "?")).toBe(false);
  });
});

it("a mail has no English in another language", () => {
  const inEnglish = (kind: (typeof payerMailKinds)[number]) =>
    new Set(seenLines(renderPayerMail(aMailToPayer(kind)).html));
  const names =
    /^(Blue Bottle Books|A-1042|[\d.,]+ (USDT|EUR)|help@bluebottle\.example|…KcbLSE|[0-9a-f]{64})$/;
  for (const [kind, tag] of mails.filter(([, tag]) => tag !== "en")) {
    const lines = seenLines(renderPayerMail(aMailToPayer(kind, { language: tag })).html);
    expect(lines.filter((line) => inEnglish(kind).has(line) && !names.test(line))).toEqual([]);
  }
});

describe("a text of a merchant", () => {
  const languages = ["en", "ar"] as const;

  it.each(hostileTexts)("adds no element, line, header, link or change of direction: %j", (text) => {
    const isBlank = text.replace(/[\s\u200b]/g, "") === "";
    for (const language of languages) {
      const mail = (name: string) =>
        renderPayerMail(
          aPayerMail("short", {
            language,
            shop: { name: name || "Shop", accentColor: name, supportEmail: name, supportUrl: name },
            order: { orderRef: name || null },
          }),
        );
      const letter = mail(text);
      expect(tagsOf(letter.html)).toEqual(tagsOf(mail(isBlank ? "" : harmlessLike(text)).html));
      expect(addressesOf(letter)).toEqual(["cid:logo", SAMPLE_PAGE_URL, SAMPLE_STOP_URL]);
      expect(letter.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      for (const part of [letter.subject, letter.text, letter.html, letter.short]) {
        expect(part).not.toMatch(REORDERS);
        expect(part).not.toMatch(/evil\.example|@evil|@everyone|@victim/);
        expect(part).not.toMatch(/\p{Cs}/u);
      }
      expect(letter.text.split("\n").filter((line) => /^(?:Bcc|New body)/.test(line))).toEqual([]);
      expect(letter.short.split("\n").length).toBe(2);
    }
  });

  it("is shown as it is, escaped in the HTML part alone", () => {
    const { html, text } = renderPayerMail(aPayerMail("paid", { shop: { name: "Müller & Söhne <3" } }));
    expect(html).toContain("Müller &amp; Söhne &lt;3");
    expect(text).toContain("Müller & Söhne <3");
  });

  it("is isolated where its direction is another", () => {
    const { html, text, subject } = renderPayerMail(aPayerMail("paid", { shop: { name: "متجر 12" } }));
    expect(html).toContain('<span dir="auto">متجر 12</span>');
    for (const part of [text, subject]) expect(part).toContain("\u2068متجر 12\u2069");
  });

  it("gives the host in place of a name without a letter", () => {
    expect(renderPayerMail(aPayerMail("paid", { shop: { name: "\u200b " } })).text).toMatch(
      /^pay\.example\n/,
    );
  });
});

describe("the contact of a shop", () => {
  const rowsOf = (shop: { supportEmail: string | null; supportUrl: string | null }) =>
    renderPayerMail(aPayerMail("late", { shop }))
      .text.split("\n")
      .filter((line) => /^Contact|contact here/.test(line));

  it("is its address as it is, else the host of its page, which no program links", () => {
    const supportUrl = "https://shop.example/help?next=1";
    expect(rowsOf({ supportEmail: "help@shop.example", supportUrl })).toEqual(["Contact: help@shop.example"]);
    expect(rowsOf({ supportEmail: null, supportUrl })).toEqual(["Contact: shop.\u200cexample"]);
    for (const supportEmail of ["https://evil.example/@x", "evil.example/help@shop.example"])
      expect(rowsOf({ supportEmail, supportUrl: null })).toEqual([
        "Blue Bottle Books gives no contact here: ask where you placed the order.",
      ]);
  });
});

describe("a mail about a part", () => {
  it("asks for the rest while that counts, and no longer", () => {
    const open = renderPayerMail(aPayerMail("short"));
    expect(open.text).toContain("To pay in full, send 15.50\u00a0USDT more");
    expect(open.text).toContain("Time to pay: until November 20, 2026 at 12:00 UTC");
    expect(open.text).toContain(`Pay the rest:\n${SAMPLE_PAGE_URL}`);
    const over = renderPayerMail(aPayerMail("short", { order: { payUntil: null } }));
    expect(over.text).toContain("Do not send the rest now");
    expect(over.text).not.toMatch(/Pay the rest|Time to pay/);
  });

  it("names no sum that is unknown", () => {
    const { subject, text } = renderPayerMail(aPayerMail("short", { order: { missing: null } }));
    expect(subject).toBe("Paid in part: Blue Bottle Books · Order A-1042");
    expect(plain(text)).toContain("The payment page shows how much is still to pay");
  });
});

it("a receipt says that it is no invoice, and what was due if another amount came", () => {
  const { text } = renderPayerMail(aPayerMail("paid", { order: { received: "30" } }));
  expect(text).toContain("not a tax invoice");
  expect(text).toContain("Amount: 25.50\u00a0USDT\nAmount received: 30.00\u00a0USDT");
  expect(renderPayerMail(aPayerMail("paid")).text).not.toContain("Amount: ");
});

it("each mail of a test network says so, and none of mainnet", () => {
  for (const kind of payerMailKinds) {
    const test = renderPayerMail(aMailToPayer(kind, { network: "devnet" }));
    expect(test.subject).toMatch(/^\[Test\] /);
    for (const part of [test.text, test.html]) expect(part).toContain("Coins here have no value.");
    expect(renderPayerMail(aMailToPayer(kind)).text).not.toMatch(/test/i);
  }
});

describe("a mail about a refund", () => {
  it("has the claim link, says that it takes one address, and that the earlier link is dead", () => {
    const { subject, text } = renderPayerMail(aRefundMail("claim"));
    expect(plain(subject)).toBe("Blue Bottle Books sends you 25.50 USDT back · Order A-1042");
    expect(text).toContain(`Name your address:\n${SAMPLE_CLAIM_URL}`);
    expect(plain(text)).toContain("This link replaces the one that you got before");
    expect(plain(text)).toContain("The link takes one address, once.");
    const first = aRefundMail("claim");
    expect(renderPayerMail({ ...first, isNewer: false } as typeof first).text).not.toContain("replaces");
  });

  it("that is paid has the transaction and the end of the address", () => {
    const { text } = renderPayerMail(aRefundMail("refunded"));
    expect(plain(text)).toContain("Blue Bottle Books sent 25.50 USDT back to you.");
    expect(text).toContain("To your address: …KcbLSE");
    expect(text).toContain(payment?.txHash);
  });

  it.each(hostileTexts)("takes no element, line or link from a text of a merchant: %j", (text) => {
    const isBlank = text.replace(/[\s\u200b]/g, "") === "";
    for (const kind of ["claim", "refunded"] as const) {
      const mail = (name: string) =>
        renderPayerMail(
          aRefundMail(kind, { shop: { name: name || "Shop" }, order: { orderRef: name || null } }),
        );
      const letter = mail(text);
      expect(tagsOf(letter.html)).toEqual(tagsOf(mail(isBlank ? "" : harmlessLike(text)).html));
      for (const part of [letter.subject, letter.text, letter.html, letter.short])
        expect(part).not.toMatch(/evil\.example|@evil|@everyone|@victim/);
    }
  });
});

it("without a way to end such mails a mail links its page alone", () => {
  const letter = renderPayerMail(aPayerMail("paid", { unsubscribeUrl: null, shop: { logo: null } }));
  expect(addressesOf(letter)).toEqual([SAMPLE_PAGE_URL]);
});

it("an unknown language is English", () => {
  expect(renderPayerMail(aPayerMail("paid", { language: "xx" })).html).toContain(
    '<html lang="en" dir="ltr">',
  );
});

it("the short text has amount, reference and link alone", () => {
  expect(renderPayerMail(aPayerMail("short")).short).toBe(
    `15.50\u00a0USDT is missing: Blue Bottle Books · Order A-1042\n${SAMPLE_PAGE_URL}`,
  );
});
