import { beforeAll, describe, expect, it } from "vitest";
import { speak } from "../words/words.ts";
import { messageText, priceText } from "./payment-link.ts";
import { linkChangeBody, newLinkBody } from "./payment-link-body.ts";
import { localTimeText } from "./time.ts";

beforeAll(async () => {
  await speak("en");
});

const open = {
  amount: null,
  min_amount: null,
  max_amount: null,
  currency: "USDT" as const,
  pricing_currency: null,
};

describe("the price of a payment link", () => {
  it("is an amount, or the bounds of one, in the currency that the customer reads", () => {
    const usd = { ...open, pricing_currency: "USD" as const };
    expect(priceText({ ...open, amount: "25" })).toBe("25.00 USDT");
    expect(priceText({ ...usd, min_amount: "10", max_amount: "1200.5" })).toBe("10.00–1,200.50 USD");
    expect(priceText({ ...usd, min_amount: "10" })).toBe("from 10.00 USD");
    const yen = { ...open, pricing_currency: "JPY" as const };
    expect(priceText({ ...yen, min_amount: "500", max_amount: "1500" })).toBe("500–1,500 JPY");
    expect(priceText({ ...open, max_amount: "10" })).toBe("up to 10.00 USDT");
    expect(priceText(open)).toBe("The customer chooses");
  });

  it("is part of the message to send where there is one, and the address has a line of its own", () => {
    const link = { ...open, title: "Ticket", description: null };
    const url = "https://pay.example/l/a";
    expect(messageText({ ...link, amount: "25" }, url)).toBe(`Ticket\n25.00 USDT\nPay here:\n${url}`);
    expect(messageText(link, url)).toBe(`Ticket\nPay here:\n${url}`);
  });
});

describe("the form of a new payment link", () => {
  it("leaves out what is empty, and sends the fields of the chosen kind of price alone", () => {
    const typed = { title: "Ticket", price: "USDT", amount: "25", minAmount: "1", suggested2: "5" };
    const rest = { title: "Ticket", currency: "USDT", ask: [] };
    expect(newLinkBody({ ...typed, priceBy: "fixed" }, [])).toEqual({ ...rest, amount: "25" });
    expect(newLinkBody({ ...typed, priceBy: "free" }, [])).toEqual({
      ...rest,
      minAmount: "1",
      suggestedAmounts: ["5"],
    });
    expect(newLinkBody({ title: "Tip", price: "JPY", priceBy: "free" }, ["note"])).toEqual({
      title: "Tip",
      pricingCurrency: "JPY",
      suggestedAmounts: [],
      ask: ["note"],
    });
  });

  it("sends what must not be empty, so that the service names the fault beside its field", () => {
    const body = newLinkBody({ priceBy: "fixed", price: "TRX", maxPayments: "many" }, []);
    expect(body).toMatchObject({ title: "", amount: "", maxPayments: "many" });
    expect(newLinkBody({ maxPayments: "100" }, [])).toMatchObject({ maxPayments: 100 });
  });
});

it("a change sends what was typed, and empties what was emptied", () => {
  const end = "2026-12-24T18:30:00.000Z";
  expect(linkChangeBody({ title: "New", description: "", maxPayments: "", expiresAt: "" })).toEqual({
    title: "New",
    description: null,
    maxPayments: null,
    expiresAt: null,
  });
  expect(linkChangeBody({ maxPayments: "7", expiresAt: localTimeText(end) })).toEqual({
    maxPayments: 7,
    expiresAt: end,
  });
});
