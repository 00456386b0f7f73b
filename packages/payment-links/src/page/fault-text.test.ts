import type { AmountFault } from "@daric/domain/payment-link";
import { type Language, offeredLanguages, translatedTags } from "@daric/hosted-checkout/messages/languages";
import { describe, expect, it } from "vitest";
import type { PaymentLink } from "../payment-link.ts";
import { faultText } from "./fault-text.ts";

const [english, ...others] = offeredLanguages(translatedTags);

type Pricing = PaymentLink["pricingCurrency"];

function textOf(
  fault: AmountFault | "unread",
  pricingCurrency: Pricing,
  language: Language = english,
): string {
  const link = { currency: "USDT", pricingCurrency, minAmount: null, maxAmount: null } as PaymentLink;
  return faultText({ link, language }, { field: "amount", fault });
}

describe("the fault of an amount", () => {
  it("names the decimals of the link's currency", () => {
    expect(textOf("tooManyDecimals", "EUR")).toBe("Decimals allowed in EUR: 2.");
    expect(textOf("tooManyDecimals", "JPY")).toBe("Decimals allowed in JPY: 0.");
    for (const language of others) expect(textOf("tooManyDecimals", "JPY", language)).toMatch(/JPY.*0/);
  });

  it("has an example that the currency allows", () => {
    expect(textOf("unread", null)).toBe("Enter the amount as a number, like 25.5.");
    expect(textOf("unread", "EUR")).toBe("Enter the amount as a number, like 25.5.");
    expect(textOf("tooSmall", "JPY")).toBe("Enter the amount as a number, like 25.");
  });
});
