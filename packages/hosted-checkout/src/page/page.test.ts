import { seenOf } from "@daric/checkout/projection";
import type { CheckoutRecord } from "@daric/domain/checkout";
import { ApiError } from "@daric/domain/errors";
import {
  aFinalDeposit,
  amount,
  aPageInput,
  aRecord,
  aSeenDeposit,
  inOtherCoin,
  type LoadedChargeOverrides,
  NOW,
} from "@daric/testing/checkout-builders";
import { describe, expect, it } from "vitest";
import { en } from "../messages/en.ts";
import { offeredLanguages } from "../messages/languages.ts";
import { checkoutPage } from "./page.ts";
import { problemOf, problemPage } from "./problem.ts";
import type { Assets } from "./response.ts";
import { sheetOf } from "./theme.ts";

const assets: Assets = {
  version: "v1",
  files: new Map(),
  sheet: sheetOf("p>b{margin:0}"),
  linkSheet: sheetOf(""),
};
const [english] = offeredLanguages([]);
const ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const expired = { isExpired: true, status: "EXPIRED" } as const;

type Network = Parameters<typeof aPageInput>[2];

function render(charge: LoadedChargeOverrides = {}, record: Partial<CheckoutRecord> = {}, network?: Network) {
  return checkoutPage(aPageInput(charge, record, network), assets);
}

/** The words of the page, without markup. */
function textOf(markup: string): string {
  const body = markup.slice(markup.indexOf("<body>"));
  return body
    .replace(/<(svg)\b.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, " ");
}

function textOfCharge(...input: Parameters<typeof render>): string {
  return textOf(render(...input).markup);
}

describe("checkoutPage", () => {
  it("shows the amount, the address, the purpose and the shop in the first answer", () => {
    const { markup } = render();
    const text = textOf(markup);
    for (const part of [
      "Blue Bottle Books",
      "A-1042",
      "25.50 USDT",
      "TRON · TRC-20",
      "until November 20, 2026 at 11:00 UTC",
    ]) {
      expect(text).toContain(part);
    }
    expect(markup).toContain(`data-copy="${ADDRESS}"`);
    expect(markup).toContain('data-copy="25.5"');
    expect(text).toMatch(/Only USDT on TRON \(TRC-20\) ?\. On any other network .* may be lost\./);
    expect(text).toMatch(/Enter an amount so that 25\.50 USDT is what we receive after its fee/);
    expect(markup).toContain('<html lang="en" dir="ltr">');
    expect(markup).toContain('data-title="Pay 25.50\u00a0USDT · Blue Bottle Books"');
  });

  it("has no amount and no reference in the parts that chats keep", () => {
    const pages = [
      render(),
      render({ confirmed: "10" }),
      render({ confirmed: "25.5" }, { deposits: [aFinalDeposit("25.5")] }),
      render({}, { unmatched: inOtherCoin("50") }),
    ];
    for (const { markup } of pages) {
      const head = markup.slice(0, markup.indexOf("</head>")).replace(/<(script|style)\b.*?<\/\1>/gs, "");
      const kept = [
        ...head.matchAll(
          /<title>([^<]*)|<meta (?:property|name)="(?:og:|twitter:|desc)[^>]*content="([^"]*)/g,
        ),
      ];
      expect(kept.map(([, title, content]) => title ?? content)).toEqual([
        expect.stringMatching(/^(?:Payment to|✓ Paid ·) Blue Bottle Books$/),
        "Payment to Blue Bottle Books",
      ]);
      expect(markup).not.toMatch(/name="description"/);
    }
  });

  it("shows the address in groups that are copied as one word", () => {
    const groups = [...render().markup.matchAll(/<span>(\w{1,4})<\/span>/g)].map((match) => match[1]);
    expect(groups.join("")).toBe(ADDRESS);
    expect(groups[0]).toHaveLength(4);
  });

  it("asks for the rest alone after a part has arrived", () => {
    for (const paid of [{ confirmed: "10" }, { pending: "10" }]) {
      const { markup } = render(paid, { deposits: [aFinalDeposit("10")] });
      expect(textOf(markup)).toMatch(/15\.50 USDT (is missing|still to send)/);
      expect(markup).toContain('data-copy="15.5"');
      expect(markup).toContain(`data-copy="${ADDRESS}"`);
    }
  });

  it("asks for nothing while the whole is being confirmed, and counts the confirmations", () => {
    const { markup } = render({ pending: "25.5" }, { deposits: [aSeenDeposit()] });
    expect(markup).not.toContain("data-copy");
    expect(markup).toContain('data-announce="25.50\u00a0USDT found. Confirming, about a minute."');
    expect(textOf(markup)).toContain("Payment found");
    expect(markup).toMatch(/<progress [^>]*value="7" max="19">/);
  });

  it("with all confirmations waits for finality, and never calls the payment confirmed", () => {
    for (const headNumber of [118, 120]) {
      const { markup } = render({ pending: "25.5" }, { deposits: [aSeenDeposit({ headNumber })] });
      const text = textOf(markup);
      expect(text).toContain("has every confirmation. It counts as soon as the network makes it final");
      expect(text).toContain("Confirmations 19 of 19");
      expect(text).toContain("Waiting for the network to make it final");
      expect(text).not.toMatch(/confirmed|paid\b|received/i);
      expect(markup).toMatch(/<progress [^>]*value="19" max="19">/);
    }
    const before = render({ pending: "25.5" }, { deposits: [aSeenDeposit({ headNumber: 117 })] });
    expect(textOf(before.markup)).not.toContain("Waiting for the network");
  });

  it("waits for finality of a part too, while the rest is still to be sent", () => {
    const { markup } = render({ pending: "10" }, { deposits: [aSeenDeposit({ headNumber: 118 })] });
    expect(textOf(markup)).toContain("15.50 USDT still to send");
    expect(textOf(markup)).toContain("Waiting for the network to make it final");
  });

  it("never invites a payment that would not count", () => {
    const closed: LoadedChargeOverrides[] = [
      expired,
      { ...expired, confirmed: "10" },
      { confirmed: "25.5", status: "ARCHIVED" },
      { confirmed: "30", status: "ARCHIVED" },
      { status: "ARCHIVED" },
    ];
    for (const charge of closed) {
      const { markup } = render(charge);
      // A printed receipt has the address.
      expect(markup.replace(/<dl class="facts paper">.*?<\/dl>/s, "")).not.toContain(ADDRESS);
      expect(markup).not.toMatch(/data-copy="T|qr-code/);
    }
  });

  it("gives the payer advice in each state that needs it", () => {
    const table: [LoadedChargeOverrides, Partial<CheckoutRecord>, string[]][] = [
      [
        expired,
        {},
        [
          "This payment link has expired",
          "Do not send now: start again at Blue Bottle Books",
          "Already sent?",
        ],
      ],
      [
        { ...expired, confirmed: "10" },
        {},
        ["Paid in part", "10.00 USDT of 25.50 USDT arrived; 15.50 USDT is missing, and the time is over"],
      ],
      [
        { ...expired, confirmedTotal: "25.5" },
        {},
        [
          "Your payment came too late",
          "Your 25.50 USDT arrived after this order had closed. Ask Blue Bottle Books to deliver or refund it.",
        ],
      ],
      [
        { ...expired, confirmed: "4", confirmedTotal: "25.5" },
        {},
        [
          "Part of your payment came too late",
          "4.00 USDT arrived in time, and 21.50 USDT after this order had closed.",
        ],
      ],
      [{ confirmed: "27.5" }, {}, ["27.50 USDT received, 2.00 more than asked"]],
      [{ status: "ARCHIVED" }, {}, ["This order is closed"]],
      [
        { confirmed: "25.5" },
        { deposits: [aFinalDeposit("25.5", { late: true })] },
        ["after the time was over, and was accepted"],
      ],
      [
        { pending: "25.5" },
        { deposits: [aSeenDeposit({ status: "STUCK" })] },
        ["The network takes longer than usual"],
      ],
      [
        { pending: "25.5" },
        { deposits: [aSeenDeposit({ status: "REORG_PENDING" })] },
        ["Please do not send a second time"],
      ],
      [
        { confirmed: "24.5" },
        {},
        ["1.00 USDT is missing", "Probably an exchange kept its fee. Too little for your exchange?"],
      ],
      [
        { confirmed: "25.5", pending: "5" },
        { deposits: [aSeenDeposit({ amount: amount("5") }), aFinalDeposit("25.5")] },
        ["25.50 USDT received. The payment is final.", "Amount sent 30.50 USDT"],
      ],
      [
        {},
        { unmatched: inOtherCoin("50"), unmatchedDeposits: [aFinalDeposit("50", { currency: "TRX" })] },
        ["50 TRX arrived; this order is in USDT", "50 TRX Does not count", "To this address"],
      ],
      [{ confirmed: "10" }, { unmatched: inOtherCoin("5") }, ["5 TRX arrived too. It does not count"]],
      [expired, { unmatched: inOtherCoin("5") }, ["5 TRX arrived, but this order was in USDT."]],
      [
        { currency: "TRX" },
        { unmatched: inOtherCoin("5", "USDT") },
        ["5.00 USDT arrived; this order is in TRX", "Only TRX on TRON"],
      ],
    ];
    for (const [charge, record, parts] of table) {
      const text = textOfCharge(charge, record);
      for (const part of parts) expect(text).toContain(part);
    }
  });

  it("accepts any amount for receive and open addresses and for an order of zero", () => {
    const any: LoadedChargeOverrides[] = [
      { kind: "receive", due: null, expiresAt: null },
      { kind: "open", due: null },
      { due: "0" },
    ];
    for (const charge of any) {
      expect(textOfCharge(charge)).toContain("You choose the amount in USDT");
      expect(render(charge).markup).toContain(`data-copy="${ADDRESS}"`);
    }
  });

  it("shows the first grapheme of the shop's name as its sign", () => {
    for (const [name, sign] of [
      ["👨‍👩‍👧 Family", "👨‍👩‍👧"],
      ["🇨🇭 Shop", "🇨🇭"],
      [" écru", "É"],
    ] as const) {
      const { markup } = render({}, { merchant: { ...aRecord().merchant, name } });
      expect(markup).toContain(`<span class="monogram">${sign}</span>`);
    }
  });

  it("shows time, sender and transaction on a receipt, in full and with copy buttons", () => {
    const deposits = [aFinalDeposit("25.5")];
    const { markup } = render({ confirmed: "25.5" }, { deposits });
    const txId = deposits[0]?.txId ?? "";
    expect(markup).toContain('data-title="✓ Paid · Receipt A-1042"');
    expect(markup).toContain(`data-copy="${txId}"`);
    const text = textOf(markup);
    for (const part of ["Received on November 20, 2026 at 10:00 UTC", `From ${deposits[0]?.from}`, txId]) {
      expect(text).toContain(part);
    }
  });

  it("gives a wallet the raw transfer and the network, and nothing for an unknown network", () => {
    const attributes = (charge: LoadedChargeOverrides, network?: Network) =>
      /id="wallet"[^>]*? hidden ([^>]*)>/.exec(render(charge, {}, network).markup)?.[1];
    const nile = "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc";
    expect(attributes({}, "nile")).toBe(
      `data-wallet="${ADDRESS}" data-units="25500000" data-genesis="${nile}" data-contract="TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf"`,
    );
    expect(attributes({ currency: "TRX" }, "nile")).toContain('data-contract=""');
    expect(attributes({}, "devnet")).toBeUndefined();
    expect(attributes({ kind: "receive", due: null, expiresAt: null }, "nile")).toBeUndefined();
    expect(attributes({ currency: "TRX", due: "99999999999" }, "nile")).toBeUndefined();
  });

  it("invites no payment while the last blocks are checked", () => {
    const { markup } = render({ isTimeOver: true });
    expect(textOf(markup)).toContain("Time is over; checking the last blocks Do not send now.");
    expect(markup).not.toContain(ADDRESS);
  });

  it("keeps a receive address open after a payment, without a redirect", () => {
    const { markup } = render({ kind: "receive", due: null, expiresAt: null, confirmed: "3" });
    expect(markup).toContain(`data-copy="${ADDRESS}"`);
    expect(markup).toContain('data-pace="live"');
    for (const kind of ["receive", "open"] as const)
      expect(textOfCharge({ kind, due: null, expiresAt: null })).toContain("Ready to receive USDT");
    expect(markup).not.toContain("data-redirect");
  });

  it("shows fiat price, rate and fee of an order that is priced in USD with the fee on top", () => {
    const text = textOfCharge({
      due: "25.757576",
      expectedAmount: amount("25.0075"),
      payAmount: amount("25.757576"),
      fiatCurrency: "USD",
      fiatAmount: "25.00",
      quote: { rate: "1.0003", source: "median", expiresAt: new Date("2026-11-20T10:09:00Z") },
    });
    for (const part of [
      "25.00 USD",
      "1 USD = 1.0003 USDT",
      "Price held until November 20, 2026 at 10:09 UTC",
      "Price 25.00 USD 25.0075 USDT 1 USD = 1.0003 USDT",
      "Network and service fee 0.750076 USDT",
      "Amount 25.757576 USDT",
    ]) {
      expect(text).toContain(part);
    }
  });

  it.each([
    ["EUR", "19.9900", "1.0869565218", "19.99 EUR", "1 EUR = 1.0869565218 USDT"],
    ["JPY", "1500", "0.0066666667", "1 500 JPY", "1 JPY = 0.0066666667 USDT"],
  ] as const)(
    "shows a price in %s with the currency's decimals, and its rate with every digit",
    (...facts) => {
      const [fiatCurrency, fiatAmount, rate, ...shown] = facts;
      const quote = { rate, source: "median", expiresAt: new Date("2026-11-20T10:09:00Z") };
      const text = textOfCharge({ fiatCurrency, fiatAmount, quote });
      for (const part of shown) expect(text).toContain(part);
    },
  );

  it("counts the rate's lock by the database's clock, and the time to pay by a chain clock that is ahead", () => {
    const quote = { rate: "1", source: "median", expiresAt: new Date("2026-11-20T10:09:00Z") };
    const priced = { fiatCurrency: "USD", fiatAmount: "25.50", quote } as const;
    const ahead = { now: new Date("2026-11-20T10:20:00Z"), databaseNow: NOW };
    const { markup } = render(priced, ahead);
    const leftMs = [...markup.matchAll(/data-until="(\d+)"/g)].map(([, until]) => Number(until) - +ahead.now);
    expect(leftMs).toEqual([9 * 60_000, 40 * 60_000]);
    expect(markup).toContain('data-phrase="Price held for {left}"');
    expect(markup).not.toContain("data-requote");
  });

  describe("after the end of a rate's lock", () => {
    const quote = { rate: "1", source: "median", expiresAt: new Date("2026-11-20T10:09:06Z") };
    const priced = { fiatCurrency: "USD", fiatAmount: "25.50", quote } as const;
    const after = (minutes: number) => ({ databaseNow: new Date(+quote.expiresAt + minutes * 60_000) });

    it("greys the amount, offers today's amount first, and shows how long the old one counts", () => {
      const { markup } = render(priced, after(0), "nile");
      expect(markup).toContain('<p class="amount large stale">');
      expect(markup).toMatch(
        /<form class="requote" method="post" data-requote><input type="hidden" name="requote" value="now"><button class="button" type="submit">Get today&#39;s amount<\/button><\/form>/,
      );
      // The old amount has no copy button, wallet button or exchange hint.
      expect(markup).not.toMatch(/id="copy-amount"|id="wallet"|Paying from an exchange/);
      expect(markup).toContain('class="copy quiet" id="copy-address"');
      expect(markup).toContain('data-title="Payment to Blue Bottle Books"');
      const text = textOf(markup);
      expect(text).toContain("Price no longer held");
      expect(text).toMatch(/Already sent\? It counts if it was sent before 10:24 UTC ?\./);
      // Later payments do not count by the old rate.
      expect(textOfCharge(priced, after(15))).not.toContain("Already sent? It counts");
      expect(textOfCharge(priced, after(15))).toContain("Get today's amount");
    });

    it("names no sum for the rest of a part payment, and asks for none while a payment is not final", () => {
      const part = textOfCharge({ ...priced, confirmed: "10" }, after(0));
      expect(part).toContain("10.00 USDT arrived. Get today's amount for the rest");
      expect(part).not.toMatch(/is missing|before the time is over/);
      const found = { deposits: [aSeenDeposit({ amount: amount("10") })] };
      const { markup } = render({ ...priced, pending: "10" }, { ...found, ...after(0) });
      expect(markup).not.toContain("data-requote");
      expect(markup).toContain('id="copy-amount"');
      expect(textOf(markup)).toContain("Already sent? It counts if it was sent before 10:24 UTC");
    });

    it("asks for nothing if nothing is to be sent", () => {
      for (const charge of [{ confirmed: "25.5" }, expired, { status: "ARCHIVED" } as const])
        expect(render({ ...priced, ...charge }, after(0)).markup).not.toContain("data-requote");
    });
  });

  it("returns to the stored address alone: by a link, by the script's pause, and without scripts", () => {
    const { markup } = render({ confirmed: "25.5" });
    const url = "https://bluebottle.example/thanks?ref=A-1042&amp;status=paid";
    expect(markup).toContain(`data-redirect-after="20" href="${url}"`);
    expect(markup).toContain(`<noscript><meta http-equiv="refresh" content="20;url=${url}"></noscript>`);
    expect(textOf(markup)).toContain("Taking you to bluebottle.example in");
    expect(render({ confirmed: "25.5", successUrl: "javascript:alert(1)" }).markup).not.toContain(
      "data-redirect",
    );
  });

  it("returns automatically after a payment, also a late one, and after an order that ended without money", () => {
    const goes = (...input: Parameters<typeof render>) => {
      const { markup } = render(...input);
      const pause = /data-redirect-after="(\d+)"/.exec(markup)?.[1];
      const refresh = /<noscript><meta http-equiv="refresh" content="(\d+);url=/.exec(markup)?.[1];
      expect(refresh).toBe(pause);
      expect(markup.includes("Taking you to")).toBe(pause !== undefined);
      // The button stays in every final state.
      expect(markup).toMatch(/<a class="button"[^>]* href="https:\/\/bluebottle\.example\//);
      return pause;
    };
    const late = { deposits: [aFinalDeposit("25.5", { late: true })] };
    const wrong = {
      unmatched: inOtherCoin("5"),
      unmatchedDeposits: [aFinalDeposit("5", { currency: "TRX" })],
    };
    expect(goes({ confirmed: "25.5" })).toBe("20");
    expect(goes({ confirmed: "30" })).toBe("20");
    expect(goes({ ...expired, confirmedInWindow: "25.5" }, late)).toBe("20");
    expect(goes(expired)).toBe("20");
    expect(goes({ status: "ARCHIVED" })).toBe("20");
    expect(goes({ ...expired, confirmed: "10" })).toBeUndefined();
    expect(goes({ ...expired, confirmedTotal: "25.5" }, late)).toBeUndefined();
    expect(goes(expired, wrong)).toBeUndefined();
    expect(goes({ status: "ARCHIVED" }, wrong)).toBeUndefined();
  });

  it("has a button to stay, and tells screen readers of the redirect", () => {
    const { markup } = render({ confirmed: "25.5" });
    expect(markup).toMatch(/<button class="text-button" type="button">Stay here<\/button>/);
    expect(markup).toContain('data-stays="This page stays open."');
    expect(markup).toMatch(/data-announce="[^"]* Taking you to bluebottle\.example in 20 s\."/);
    expect(render({ ...expired, confirmed: "10" }).markup).not.toMatch(/data-announce="[^"]*Taking you/);
  });

  it("lets the payer cancel only before a payment has arrived", () => {
    const cancel = "https://bluebottle.example/cart?ref=A-1042&amp;status=cancelled";
    expect(render().markup).toContain(cancel);
    for (const charge of [{ pending: "1" }, { confirmed: "1" }, { confirmed: "25.5" }, expired]) {
      expect(render(charge).markup).not.toContain(cancel);
    }
  });

  it("reloads without scripts while the state can change", () => {
    const refresh = (charge: LoadedChargeOverrides) =>
      /<noscript><meta http-equiv="refresh" content="(\d+)/.exec(render(charge).markup)?.[1];
    expect(refresh({})).toBe("10");
    expect(refresh({ ...expired, cancelUrl: null })).toBe("60");
    // More payments may arrive after paid or closed.
    expect(refresh({ confirmed: "25.5", successUrl: null })).toBe("60");
    expect(refresh({ status: "ARCHIVED", cancelUrl: null })).toBe("60");
    expect(refresh({ confirmed: "30", successUrl: null })).toBeUndefined();
  });

  it("blames no exchange for more than its fee, and shows no total to send after a payment", () => {
    for (const charge of [{ confirmed: "10" }, { ...expired, confirmed: "10" }, { confirmed: "30" }]) {
      const text = textOfCharge(charge);
      expect(text).not.toMatch(/exchange kept its fee| To send 25\.50/);
      expect(text).toContain("Amount 25.50 USDT");
    }
  });

  it("shows the accepted part of the due amount, and nothing of it if all had arrived", () => {
    const accepted = { status: "ARCHIVED", acceptedAt: NOW } as const;
    const short = textOfCharge({ ...accepted, confirmed: "12.75" }, { deposits: [aFinalDeposit("12.75")] });
    expect(short).toContain("Paid Blue Bottle Books accepted 12.75 of 25.50 USDT as full payment.");
    const late = { deposits: [aFinalDeposit("25.5", { late: true })] };
    expect(textOfCharge({ ...accepted, confirmed: "25.5" }, late)).toContain("and was accepted");
  });

  it("shows no amount to send after the end", () => {
    const fee = { due: "100.505051", expectedAmount: amount("100"), payAmount: amount("100.505051") };
    expect(textOfCharge({ ...fee, due: "100.5" })).toContain("To send 100.50 USDT");
    expect(textOfCharge(fee)).not.toContain("To send");
    const over = textOfCharge({ ...fee, ...expired });
    expect(over).not.toContain("To send");
    expect(over).toContain("Network and service fee 0.505051 USDT Amount 100.505051 USDT");
  });

  it("with something wrong and no contact of the shop, says where else to ask", () => {
    const none = "Blue Bottle Books gives no contact here: ask where you placed the order.";
    const without = { successUrl: null };
    const over = { ...without, confirmed: "30" };
    expect(textOfCharge(over, { deposits: [aFinalDeposit("30")] })).toContain(none);
    expect(textOfCharge({ ...without, ...expired })).toContain(none);
    expect(
      textOfCharge({ ...without, confirmed: "25.5" }, { deposits: [aFinalDeposit("25.5")] }),
    ).not.toContain(none);
    const merchant = { ...aRecord().merchant, supportEmail: "help@bluebottle.example" };
    expect(textOfCharge(over, { merchant, deposits: [aFinalDeposit("30")] })).not.toContain(none);
  });

  it("prints as a receipt with its title, the shop's contact, the address and the page's URL", () => {
    const merchant = { ...aRecord().merchant, supportEmail: "help@bluebottle.example" };
    const input = aPageInput({ confirmed: "25.5" }, { merchant, deposits: [aFinalDeposit("25.5")] });
    const { markup } = checkoutPage({ ...input, pageUrl: "https://pay.example/c/x" }, assets);
    expect(markup).toContain('<p class="paper">Receipt</p>');
    const paper = textOf(`<body>${/<dl class="facts paper">.*?<\/dl>/s.exec(markup)?.[0]}`);
    expect(paper.trim()).toBe(
      `Paid to ${ADDRESS} Contact help@bluebottle.example Payment page https://pay.example/c/x`,
    );
    for (const charge of [{}, { pending: "25.5" }, expired])
      expect(render(charge).markup).not.toMatch(/class="paper">Receipt|class="facts paper"/);
  });

  it("marks every print of a test network as a test", () => {
    expect(textOfCharge({ confirmed: "25.5" }, {}, "devnet")).toContain("Test - no value");
    expect(textOfCharge({ confirmed: "25.5" }, {}, "mainnet")).not.toContain("no value");
  });

  it("states on every page of a test network that its coins have no value", () => {
    expect(textOfCharge({}, {}, "nile")).toContain("Test · Nile test network. Coins here have no value.");
    expect(textOfCharge({}, {}, "devnet")).toContain("Local development chain");
    expect(textOfCharge({}, {}, "private")).toContain("Private chain. Coins here have no value.");
    expect(textOfCharge({}, {}, "mainnet")).not.toContain("no value");
  });

  it("links a transaction to the explorer of its network, if there is one", () => {
    const deposits = [aFinalDeposit("25.5")];
    const linkOn = (network: Network) =>
      /class="transaction" href="([^"]*)"/.exec(
        render({ confirmed: "25.5" }, { deposits }, network).markup,
      )?.[1];
    expect(linkOn("mainnet")).toMatch(/^https:\/\/tronscan\.org\/#\/transaction\/4b9d1f0c/);
    expect(linkOn("nile")).toMatch(/^https:\/\/nile\.tronscan\.org\//);
    expect([linkOn("devnet"), linkOn("private")]).toEqual([undefined, undefined]);
  });

  it("passes its scripts their texts in its own language", () => {
    const { markup } = checkoutPage(aPageInput(), assets);
    const json = /data-words="([^"]*)"/.exec(markup)?.[1]?.replaceAll("&quot;", '"') ?? "";
    expect(JSON.parse(json)).toEqual({ ...en.scripts, daysAndHours: "{days} d {hours} h" });
  });

  it("writes the state in the format that the browser compares with the projection", () => {
    for (const input of [aPageInput(), aPageInput({ pending: "10" }, { deposits: [aSeenDeposit()] })]) {
      const { markup } = checkoutPage(input, assets);
      expect(markup).toContain(`data-seen="${seenOf(input.projection)}"`);
    }
  });
});

describe("text of a merchant or a caller", () => {
  const hostileTexts = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus='alert(1)",
    "</title></style><script>alert(1)</script>",
    "<!--<svg onload=alert(1)>",
    "a\u202Etxt.exe\u0000b",
  ];

  it("never becomes markup, in any field", () => {
    const plain = tagsOf(render({ confirmed: "25.5" }).markup);
    for (const text of hostileTexts) {
      const { markup, contentSecurityPolicy } = render(
        {
          confirmed: "25.5",
          orderRef: text,
          successUrl: `https://shop.example/${text}`,
          cancelUrl: `javascript:${text}`,
        },
        {
          merchant: {
            name: text,
            logoId: text,
            accentColor: text,
            supportEmail: `${text}@shop.example`,
            supportUrl: `https://shop.example/${text}`,
            languages: null,
            embedOrigins: [],
          },
        },
      );
      expect(tagsOf(markup).filter((tag) => tag !== "img")).toEqual(plain);
      expect(markup.replace(/"[^"]*"/g, "")).not.toMatch(/<[^>]*\son\w+=/);
      expect(markup).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(contentSecurityPolicy).not.toMatch(/[<>"]/);
    }
  });

  it("shows the logo from our own address, and loads no other picture", () => {
    const { markup, contentSecurityPolicy } = render(
      {},
      { merchant: { ...aRecord().merchant, logoId: "ab" } },
    );
    expect(markup).toContain('<img data-logo src="../checkout/logos/ab"');
    expect(/img-src ([^;]*)/.exec(contentSecurityPolicy)?.[1]).toBe("'self' data:");
  });

  it("runs under a policy that allows no inline code but the page's own, and no other site", () => {
    const { markup, contentSecurityPolicy } = render();
    expect(contentSecurityPolicy).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}' 'sha256-[\w+/=]{44}'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(markup.match(/<script(?![^>]*\ssrc=)/g)).toHaveLength(1);
    expect(markup).not.toMatch(/\sstyle=/);
    expect(
      [...markup.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g)].map((match) => match[1]),
    ).toEqual([expect.stringMatching(/^data:image\/svg\+xml,/), "#announcement", "../checkout/v1/main.js"]);
  });
});

describe("problemPage", () => {
  it("explains to the payer why there is no checkout, and never the inner error", () => {
    const problems: [ApiError, string, number, string][] = [
      [new ApiError("NOT_FOUND"), "/c/cut", 404, "We cannot find this payment"],
      [new ApiError("NOT_FOUND"), "/cut", 404, "There is no page here"],
      [new ApiError("RATE_LIMITED", { retryAfterSeconds: 7 }), "/c/x", 429, "One moment, please"],
      [
        new ApiError("INTERNAL_ERROR", { message: "hunter2" }),
        "/c/x",
        500,
        "This page is not available right now",
      ],
    ];
    for (const [error, path, status, title] of problems) {
      const problem = problemOf(error, path);
      const { markup } = problemPage(problem, assets, english);
      expect(problem.status).toBe(status);
      expect(textOf(markup)).toContain(title);
      expect(markup).not.toContain("hunter2");
    }
  });

  it("reloads, with scripts and without, unless the link is wrong", () => {
    const refreshOf = (error: ApiError) => {
      const { markup } = problemPage(problemOf(error, "/c/x"), assets, english);
      return /http-equiv="refresh" content="(\d+)"/.exec(markup)?.[1];
    };
    expect(refreshOf(new ApiError("RATE_LIMITED", { retryAfterSeconds: 7 }))).toBe("7");
    expect(refreshOf(new ApiError("INTERNAL_ERROR"))).toBe("10");
    expect(refreshOf(new ApiError("NOT_FOUND"))).toBeUndefined();
  });
});

/** The elements of a document in order, by name. */
function tagsOf(markup: string): string[] {
  return [...markup.matchAll(/<([a-z][a-z0-9]*)/gi)].map((match) => match[1] ?? "");
}
