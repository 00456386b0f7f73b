import type { PaymentLink } from "@daric/sdk/contract";
import { words } from "../words/words.ts";
import { amountText, moneyText } from "./amount.ts";
import type { Tone } from "./payment-state.ts";

const tones: Readonly<Record<PaymentLink["status"], Tone>> = {
  active: "good",
  disabled: "quiet",
  sold_out: "attention",
  expired: "quiet",
};

export function linkToneOf(status: PaymentLink["status"]): Tone {
  return tones[status];
}

type Price = Pick<PaymentLink, "amount" | "min_amount" | "max_amount" | "currency" | "pricing_currency">;

/** The price, or the bounds of the one that a customer chooses; undefined without bounds. */
export function findPrice(link: Price): string | undefined {
  const { amount, min_amount: least, max_amount: most, currency, pricing_currency } = link;
  const unit = pricing_currency ?? currency;
  const text = words.paymentLinks;
  if (amount !== null) return moneyText(amount, unit);
  if (least !== null && most !== null) return `${amountText(least, unit)}–${moneyText(most, unit)}`;
  if (least !== null) return text.from({ least: moneyText(least, unit) });
  if (most !== null) return text.upTo({ most: moneyText(most, unit) });
  return undefined;
}

/** The price as the merchant reads it. */
export function priceText(link: Price): string {
  return findPrice(link) ?? words.paymentLinks.free;
}

/** A text that offers the link to customers, ready to send. Its address has a line of its own, whatever the direction of the words. */
export function messageText(link: Price & Pick<PaymentLink, "title" | "description">, url: string): string {
  const lines = [link.title, link.description, findPrice(link), words.paymentLinks.payHere, url];
  return lines.filter(Boolean).join("\n");
}
