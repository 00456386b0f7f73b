import { fiats } from "@daric/domain/fiat";
import { language } from "../words/words.ts";
import { oncePerLanguage } from "./once-per-language.ts";

/** A number whose parts show both marks. */
const SAMPLE = 1_234_567.8;

const marksOf = oncePerLanguage((tag) => {
  const parts = new Intl.NumberFormat(tag).formatToParts(SAMPLE);
  const markOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { group: markOf("group"), decimal: markOf("decimal") };
});

/** The marks with which the pages show numbers, and a person types them. */
export function numberMarks(): { readonly group: string; readonly decimal: string } {
  return marksOf(language);
}

/** A decimal text with the marks of the language and with every digit. Never reads it as a number. */
export function groupDigits(amount: string): string {
  const { group, decimal } = marksOf(language);
  const [whole = "", fraction] = amount.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  return fraction === undefined ? grouped : `${grouped}${decimal}${fraction}`;
}

/** A count with the marks of the language. */
export function countText(count: number): string {
  return groupDigits(String(count));
}

const CENTS = 2;
const decimalsByCode: Readonly<Record<string, { readonly decimals: number }>> = fiats;

/** The amount with its currency: `1,200.50 USDT`, `1,500 JPY`. */
export function moneyText(amount: string, currency: string): string {
  return `${amountText(amount, currency)} ${currency}`;
}

/** The amount alone, with at least the decimals of its currency; a coin has two. */
export function amountText(amount: string, currency: string): string {
  const [whole = "0", fraction = ""] = amount.split(".");
  const shown = withoutZeros(fraction).padEnd(decimalsByCode[currency]?.decimals ?? CENTS, "0");
  return groupDigits(shown === "" ? whole : `${whole}.${shown}`);
}

const choices = oncePerLanguage((tag) => new Intl.ListFormat(tag, { type: "disjunction" }));

/** One of several amounts by currency: `0.5 USDT or 1 TRX`. */
export function choiceText(amounts: Readonly<Record<string, string>>): string {
  return choices(language).format(
    Object.entries(amounts).map(([currency, amount]) => `${amount} ${currency}`),
  );
}

const DECIMALS = 6;

/** The millionths of a decimal text. */
export function unitsOf(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(DECIMALS, "0").slice(0, DECIMALS) || "0");
}

/** The first amount less the second as a decimal text; null unless it is more. */
export function surplus(left: string, right: string): string | null {
  const units = unitsOf(left) - unitsOf(right);
  if (units <= 0n) return null;
  const whole = (units / 1_000_000n).toString();
  const fraction = withoutZeros((units % 1_000_000n).toString().padStart(DECIMALS, "0"));
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function withoutZeros(digits: string): string {
  return digits.endsWith("0") ? withoutZeros(digits.slice(0, -1)) : digits;
}

/** Whether the amount is zero. */
export function isZero(amount: string): boolean {
  return unitsOf(amount) === 0n;
}

/** The share of an amount in the largest one, in thousandths: for the height of a bar, never for a sum. */
export function thousandthsOf(amount: string, largest: string): number {
  const max = unitsOf(largest);
  return max === 0n ? 0 : Number((unitsOf(amount) * 1_000n) / max);
}

/** The larger of two decimal texts. */
export function largerOf(left: string, right: string): string {
  return unitsOf(left) >= unitsOf(right) ? left : right;
}
