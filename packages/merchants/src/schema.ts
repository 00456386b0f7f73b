import { type NetworkName, networkEnvironment } from "@daric/chain/nodes/networks";
import { apiScopes } from "@daric/domain/api-scope";
import type { Currency } from "@daric/domain/asset";
import { checkoutLanguages } from "@daric/domain/checkout";
import { isEmail } from "@daric/domain/email";
import { ApiError } from "@daric/domain/errors";
import { ruled, ruleOfIssue } from "@daric/domain/field-rule";
import { type FixedFeeField, perFixedFee } from "@daric/domain/fixed-fee";
import { amountIn, parseAmount, parseHundredths } from "@daric/domain/money";
import { feeModes } from "@daric/domain/order";
import { isUrl } from "@daric/domain/url";
import { parseDurationMs } from "@daric/runtime/duration";
import { type AddressProblem, parseAddress } from "@daric/tron/address";
import { z } from "zod";
import { bookTerms } from "./book-input.ts";
import type { MerchantTerms } from "./merchant-terms.ts";

/* Operators' input: every field is parsed from a string, so that the command line and forms mean the same. */

const MAX_TEXT_CHARS = 120;
const MAX_URL_CHARS = 2_048;
const MAX_FEE_BASIS_POINTS = 1_000;
const MAX_TOLERANCE_BASIS_POINTS = 500;
const MAX_ADDRESS_CAP = 1_000_000_000;
const MAX_EMBED_ORIGINS = 10;
const MAX_LIFETIME_SECONDS = 3_650 * 86_400;
/** Shorter lifetimes leave a payer no time; on a local chain they let a demonstration end. */
const MIN_LIFETIME_SECONDS = 60;
const MIN_DEVNET_LIFETIME_SECONDS = 1;
/** A longer overlap would leave two keys in permanent use. */
const MAX_OVERLAP_MS = 24 * 3_600_000;
const MAX_KEY_LIFETIME_MS = 3_650 * 86_400_000;

/** Control characters could manipulate a terminal or a log, and PostgreSQL cannot store NUL. */
function isPlainText(text: string): boolean {
  return [...text].length <= MAX_TEXT_CHARS && !/\p{Cc}/u.test(text) && text.trim() !== "";
}

const shortTextRule = ruled(
  `must have 1 to ${MAX_TEXT_CHARS} characters, no control characters among them`,
  "length",
  1,
  MAX_TEXT_CHARS,
);
const shortText = z.string().refine(isPlainText, shortTextRule);

/** An empty text removes the value. */
const optionalText = z
  .string()
  .refine((text) => text === "" || isPlainText(text), shortTextRule)
  .transform((text) => (text === "" ? null : text));

function isHttpsUrl(text: string): boolean {
  if (text.length > MAX_URL_CHARS || !/^https:\/\/[^\s\\\p{Cc}]+$/u.test(text) || !isUrl(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

const httpsUrl = z
  .string()
  .refine(
    (text) => text === "" || isHttpsUrl(text),
    ruled(
      `must be an https URL without credentials of at most ${MAX_URL_CHARS} characters, or empty for none`,
      "httpsUrl",
    ),
  )
  .transform((text) => (text === "" ? null : text));

const email = z
  .string()
  .refine(
    (text) => text === "" || isEmail(text),
    ruled("must be an e-mail address like help@shop.example, or empty for none", "email"),
  )
  .transform((text) => (text === "" ? null : text));

const accentColor = z
  .string()
  .refine((text) => /^#[0-9a-f]{6}$/i.test(text), ruled("must be a colour like #0f766e", "colour"))
  .transform((text) => text.toLowerCase());

/** Tags in our spelling and order, English among them; an empty text is every language that the operator offers. */
const languageTags = z.string().transform((text, issue): string[] | null => {
  const asked = text.split(",").map((tag) => tag.trim().toLowerCase());
  if (text.trim() === "") return null;
  const chosen = checkoutLanguages.filter((tag) => tag === "en" || asked.includes(tag.toLowerCase()));
  const known: readonly string[] = checkoutLanguages.map((tag) => tag.toLowerCase());
  if (asked.every((tag) => known.includes(tag))) return chosen;
  const message = `must name languages of ${checkoutLanguages.join(", ")}, separated by commas, or be empty for all`;
  issue.addIssue({ code: "custom", ...ruled(message, "invalid") });
  return z.NEVER;
});

/** No wildcard, path or port of the scheme passes; nor does anything that could end a source of a content security policy. */
const SECURE_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;
const LOOPBACK_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?$/;

/** The origins of pages, each as a browser writes it, separated by commas; an empty text is none. */
function origins(network: NetworkName) {
  const isLive = networkEnvironment(network) === "live";
  const isOrigin = (text: string) =>
    (SECURE_ORIGIN.test(text) || (!isLive && LOOPBACK_ORIGIN.test(text))) &&
    isUrl(text) &&
    new URL(text).origin === text;
  return z.string().transform((text, issue) => {
    const named = text.trim() === "" ? [] : text.split(",").map((origin) => origin.trim());
    const chosen = [...new Set(named)];
    if (chosen.length <= MAX_EMBED_ORIGINS && chosen.every(isOrigin)) return chosen;
    const loopback = isLive ? "" : ", or http://localhost:8080 to test";
    const message =
      `must be at most ${MAX_EMBED_ORIGINS} origins like https://shop.example${loopback}: in small letters, ` +
      "without a path, a slash at the end or *, separated by commas; or be empty for none";
    issue.addIssue({ code: "custom", ...ruled(message, "origins", MAX_EMBED_ORIGINS) });
    return z.NEVER;
  });
}

function wholeNumber(minimum: number, maximum: number) {
  const rule = ruled(`must be a whole number from ${minimum} to ${maximum}`, "wholeNumber", minimum, maximum);
  return z
    .string()
    .refine((text) => /^\d{1,10}$/.test(text), { ...rule, abort: true })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, rule);
}

function amountOf<C extends Currency>(currency: C) {
  return z.string().transform((text, issue) => {
    const units = parseAmount(text);
    if (units !== undefined) return amountIn(currency, units);
    issue.addIssue({
      code: "custom",
      ...ruled("must be an amount like 0.5, with at most 6 decimals", "amount"),
    });
    return z.NEVER;
  });
}

/** The fixed fee of each coin, by its field. */
const fixedFees = perFixedFee((currency) => amountOf(currency).exactOptional()) as {
  readonly [C in Currency as FixedFeeField<C>]: z.ZodExactOptional<ReturnType<typeof amountOf<C>>>;
};

function durationMs(minimumMs: number, maximumMs: number, rule: ReturnType<typeof ruled>) {
  return z.string().transform((text, issue) => {
    const ms = parseDurationMs(text);
    if (ms !== undefined && ms >= minimumMs && ms <= maximumMs) return ms;
    issue.addIssue({ code: "custom", ...rule });
    return z.NEVER;
  });
}

function lifetime(network: NetworkName) {
  const minimum = network === "devnet" ? MIN_DEVNET_LIFETIME_SECONDS : MIN_LIFETIME_SECONDS;
  const rule = ruled(
    `must be a duration like 90s, 30m, 24h or 7d, of whole seconds, at least ${minimum}s`,
    "durationFrom",
    `${minimum}s`,
  );
  // `refine` gets a copy, because zod takes the message out of what it gets.
  return durationMs(minimum * 1_000, MAX_LIFETIME_SECONDS * 1_000, rule)
    .refine((ms) => ms % 1_000 === 0, { ...rule })
    .transform((ms) => ms / 1_000);
}

const toleranceRule = ruled("must be a percentage from 0 to 5, like 0.5", "percentage");

/** A percentage with at most two decimals, as basis points. */
const tolerance = z.string().transform((text, issue) => {
  const basisPoints = parseHundredths(text);
  if (basisPoints !== undefined && basisPoints <= MAX_TOLERANCE_BASIS_POINTS) return Number(basisPoints);
  issue.addIssue({ code: "custom", ...toleranceRule });
  return z.NEVER;
});

function changedTerms(network: NetworkName) {
  return z.object({
    name: shortText.exactOptional(),
    logoUrl: httpsUrl.exactOptional(),
    supportEmail: email.exactOptional(),
    supportUrl: httpsUrl.exactOptional(),
    accentColor: accentColor.exactOptional(),
    checkoutLanguages: languageTags.exactOptional(),
    embedOrigin: origins(network).exactOptional(),
    feeMode: z
      .string()
      .pipe(z.enum(feeModes, `must be ${feeModes.join(" or ")}`))
      .exactOptional(),
    feeBasisPoints: wholeNumber(0, MAX_FEE_BASIS_POINTS).exactOptional(),
    ...fixedFees,
    orderLifetime: lifetime(network).exactOptional(),
    openLifetime: lifetime(network).exactOptional(),
    lateWindow: lifetime(network).exactOptional(),
    underpaymentTolerance: tolerance.exactOptional(),
    activeAddressCap: wholeNumber(1, MAX_ADDRESS_CAP).exactOptional(),
    ...bookTerms,
  });
}

export type MerchantInput = z.input<ReturnType<typeof changedTerms>>;

export function parseMerchantInput(network: NetworkName, input: MerchantInput): Partial<MerchantTerms> {
  const {
    embedOrigin,
    accountCode,
    orderLifetime,
    openLifetime,
    lateWindow,
    underpaymentTolerance,
    ...terms
  } = parseInput(changedTerms(network), input);
  return {
    ...terms,
    ...(embedOrigin !== undefined && { embedOrigins: embedOrigin }),
    ...(accountCode !== undefined && { accountCodes: accountCode }),
    ...(orderLifetime !== undefined && { orderLifetimeSeconds: orderLifetime }),
    ...(openLifetime !== undefined && { openLifetimeSeconds: openLifetime }),
    ...(lateWindow !== undefined && { lateWindowSeconds: lateWindow }),
    ...(underpaymentTolerance !== undefined && { toleranceBasisPoints: underpaymentTolerance }),
  };
}

const addressFaults: Record<AddressProblem, string> = {
  not_base58:
    "is no TRON address: it has a character that addresses do not use (such as 0, O, I, l or a blank)",
  wrong_length: "is no TRON address: it must have 34 characters and start with T",
  wrong_checksum: "is no TRON address: the checksum is wrong, so a character is mistyped",
  wrong_prefix: "is no TRON address: it belongs to another chain, TRON's start with T",
};

const tronAddress = z.string().transform((text, issue) => {
  const parsed = parseAddress(text);
  if (parsed.ok) return { address: parsed.address, hex: parsed.hex };
  issue.addIssue({ code: "custom", ...ruled(addressFaults[parsed.problem], "address") });
  return z.NEVER;
});

export const settlementAccountInput = z.object({
  address: tronAddress,
  label: optionalText.exactOptional(),
});

export const apiKeyInput = z.object({
  name: optionalText.exactOptional(),
  scopes: z
    .array(z.string().pipe(z.enum(apiScopes, `must be of ${apiScopes.join(", ")}`)))
    .min(1, `must name at least one of ${apiScopes.join(", ")}`)
    .transform((scopes) => apiScopes.filter((scope) => scopes.includes(scope)))
    .exactOptional(),
  expiresIn: durationMs(
    1_000,
    MAX_KEY_LIFETIME_MS,
    ruled("must be a duration like 12h or 90d, from 1s to 3650d", "durationTo", "3650d"),
  ).exactOptional(),
});

export const rotationInput = z.object({
  overlap: durationMs(
    0,
    MAX_OVERLAP_MS,
    ruled("must be a duration like 30m or 24h, at most 24h", "durationTo", "24h"),
  ).exactOptional(),
});

/** Parses an input. @throws VALIDATION_ERROR that names every failing field and its rule. */
export function parseInput<T extends z.ZodType>(schema: T, input: z.input<T>): z.output<T> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: issue.message,
    rule: ruleOfIssue(issue),
  }));
  throw new ApiError("VALIDATION_ERROR", { details });
}
