import { currencies } from "@daric/domain/asset";
import { fiatCurrencies } from "@daric/domain/fiat";
import { nearestName } from "@daric/domain/nearest-name";
import type { z } from "zod";

const TYPE_NAMES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  date: "a timestamp",
  null: "null",
};

const COUNTED_UNITS: Record<string, string> = { string: "character", array: "item" };

/**
 * The message for a field that broke a rule, to follow its name ("amount must be a string"). Rules with a
 * message of their own keep it.
 */
export const errorMessageOf: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && issue.code === "invalid_type") return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}${quotesHint(issue)}`;
    case "invalid_value":
      return `must be ${oneOf(issue.values)}${meantHint(issue)}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    default:
      return "is not valid";
  }
};

function quotesHint({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const isBare = typeof input === "number" || typeof input === "boolean";
  return expected === "string" && isBare ? " in quotes" : "";
}

/** The probable value, if the input differs by capitals or by a typing error. */
function meantHint({ values, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidValue>): string {
  if (typeof input !== "string") return "";
  const meant = nearestName(input, values.map(String));
  if (meant === undefined) return "";
  if (input.toUpperCase() === meant) return " (capital letters)";
  if (input.toLowerCase() === meant) return " (small letters)";
  return `: did you mean ${meant}?`;
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String);
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} or ${last}`;
}

function tooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  return `must ${bound(issue.origin, "at least", String(issue.minimum))}`;
}

function tooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  return `must ${bound(issue.origin, "at most", String(issue.maximum))}`;
}

function bound(origin: string, comparison: string, limit: string): string {
  const unit = COUNTED_UNITS[origin];
  if (unit === undefined) return `be ${comparison} ${limit}`;
  return `have ${comparison} ${limit} ${unit}${limit === "1" ? "" : "s"}`;
}

const MAX_WHOLE_DIGITS = 12;
const MAX_DECIMALS = 6;
/** Of them six decimals, and zeros. */
const MAX_FRACTION_DIGITS = 51;
/** A longer text is no mistyped amount, and no pattern reads it. */
const MAX_LENGTH = MAX_WHOLE_DIGITS + 1 + MAX_FRACTION_DIGITS;

/** The fault of a malformed amount, to follow the name of its field. */
export function faultOfAmount(text: string): string {
  if (text.length > MAX_LENGTH) return `is too long: no amount has more than ${MAX_LENGTH} characters`;
  if (text === "") return 'is empty: send a decimal like "25.5", or leave the field out';
  if (/\s/.test(text)) return "must have no blanks";
  if (text.includes(",")) return 'has a comma: write "1000.5", with a point and nothing between thousands';
  if (/^[+-]/.test(text)) return "must have no sign: no amount is negative";
  if (/^[\d.]*e[+-]?\d+$/i.test(text)) return 'must be written out, without an exponent: "1000", not "1e3"';
  const [, whole, fraction] = /^(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return 'must be a decimal like "25.5": digits, and at most one point';
  return faultOfDigits(whole, fraction);
}

function faultOfDigits(whole: string, fraction: string | undefined): string {
  if (whole === "" || fraction === "") return 'must have digits on both sides of the point, like "0.5"';
  if (/^0\d/.test(whole)) return "must not begin with a zero before other digits";
  if (whole.length > MAX_WHOLE_DIGITS) {
    return `is too big: at most ${MAX_WHOLE_DIGITS} digits before the point, not ${whole.length}`;
  }
  const significant = fraction?.replace(/(?<!0)0+$/, "").length ?? 0;
  if (significant > MAX_DECIMALS) return `must have at most ${MAX_DECIMALS} decimals, not ${significant}`;
  return `must have at most ${MAX_FRACTION_DIGITS} digits behind the point, not ${fraction?.length ?? 0}`;
}

/** The message for a JSON number as an amount: the correct spelling. */
export function faultOfNumber(value: number): string {
  const digits = String(value);
  const example = /^\d{1,12}(\.\d{1,6})?$/.test(digits) ? digits : "25.5";
  return `must be a string in quotes: "${example}", not ${example} (money is never a number)`;
}

/** The codes of ISO 4217. */
const FIAT_CODES: readonly string[] = Intl.supportedValuesOf("currency");

/** The message for fiat as the currency to pay in; undefined for any other value, which keeps the rule of the list. */
export function faultOfCurrency(value: unknown): string | undefined {
  if (typeof value !== "string" || !FIAT_CODES.includes(value.toUpperCase())) return undefined;
  const code = fiatCurrencies.find((known) => known === value.toUpperCase()) ?? "USD";
  return `must be ${currencies.join(" or ")}, which the payer sends: a price in ${code} is "pricingCurrency": "${code}"`;
}
