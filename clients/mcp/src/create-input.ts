import type { BodyOf } from "@daric/sdk";
import { z } from "zod";

const VISIBLE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
type Price = Pick<BodyOf<"POST /v1/payment-links">, "currency" | "pricingCurrency">;

/** The text fields of a new order or link: one visible line. */
export function visibleLine(maximum: number) {
  return z.string().trim().min(1).max(maximum).regex(VISIBLE, "must be one line of visible characters");
}

export const amountInput = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/, "must be a decimal string, like 25.50")
  .describe("A decimal string in units of `currency`, never a number");

export const currencyInput = z
  .string()
  .regex(/^[A-Z]{3,4}$/, "must be USDT, TRX or the code of a currency, like EUR")
  .describe("USDT or TRX; or a currency like EUR, which is converted and paid in USDT");

/** A coin is paid as it is. Any other currency is the one of the price, and the service refuses an unknown one. */
export function priceOf(currency: string): Price {
  if (currency === "USDT" || currency === "TRX") return { currency };
  return { currency: "USDT", pricingCurrency: currency as NonNullable<Price["pricingCurrency"]> };
}
