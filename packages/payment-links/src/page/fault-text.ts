import { fiats } from "@daric/domain/fiat";
import { DECIMALS, formatAmount } from "@daric/domain/money";
import type { AmountFault } from "@daric/domain/payment-link";
import type { Language } from "@daric/hosted-checkout/messages/languages";
import { EXAMPLE_ADDRESS } from "@daric/hosted-checkout/page/receipt";
import type { PaymentLink } from "../payment-link.ts";

/** Why a click makes no order: the field, and what is wrong with it. */
export type ClickFault =
  | { readonly field: "amount"; readonly fault: AmountFault | "unread" }
  | {
      readonly field: "amount";
      readonly fault: "unclear";
      /** the amounts that the text can mean */
      readonly readings: readonly [string, string];
    }
  | { readonly field: "name"; readonly fault: "missing" }
  | { readonly field: "email"; readonly fault: "missing" | "wrong" };

const [EXAMPLE, WHOLE_EXAMPLE] = ["25.5", "25"];

/** The fault in the payer's language, with the bound that is broken. */
export function faultText(
  { link, language }: { readonly link: PaymentLink; readonly language: Language },
  fault: ClickFault,
): string {
  const texts = language.messages.paymentLink;
  const { figures } = language;
  const currency = link.pricingCurrency ?? link.currency;
  const decimals = link.pricingCurrency === null ? DECIMALS : fiats[link.pricingCurrency].decimals;
  const unread = () =>
    texts.amountUnread({ example: figures.decimal(decimals === 0 ? WHOLE_EXAMPLE : EXAMPLE) });
  const priceOf = (amount: typeof link.minAmount) =>
    amount === null ? figures.money("0", currency) : figures.money(formatAmount(amount), currency);
  if (fault.field === "name") return texts.nameMissing;
  if (fault.field === "email") {
    const { missing, wrong } = language.messages.email;
    return fault.fault === "missing" ? missing : wrong({ example: EXAMPLE_ADDRESS });
  }
  switch (fault.fault) {
    case "missing":
      return texts.amountMissing;
    case "unread":
      return unread();
    case "unclear": {
      const [one, other] = fault.readings;
      return texts.amountUnclear({
        one: figures.money(one, currency),
        other: figures.money(other, currency),
      });
    }
    case "tooSmall":
      return link.minAmount === null ? unread() : texts.amountTooSmall({ min: priceOf(link.minAmount) });
    case "tooLarge":
      return texts.amountTooLarge({ max: priceOf(link.maxAmount) });
    case "tooManyDecimals":
      return texts.amountDecimals({ currency, most: decimals });
  }
}
