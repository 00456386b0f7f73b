import { type FiatCurrency, fiatCurrencies } from "@daric/domain/fiat";
import { ruled } from "@daric/domain/field-rule";
import {
  ACCOUNT_CODE_PATTERN,
  type AccountCodes,
  type JournalAccount,
  journalAccounts,
} from "@daric/domain/journal-account";
import { isTimeZone } from "@daric/runtime/time-zone";
import { z } from "zod";

const MAX_ZONE_CHARS = 64;
const MAX_NAME_CHARS = 200;
const MAX_ADDRESS_CHARS = 500;
const MAX_TAX_ID_CHARS = 40;

/** A text of at most so many characters, in which only lines may be control characters; an empty one removes the value. */
function textOf(most: number, { hasLines = false } = {}) {
  const isPlain = (text: string) =>
    [...text].length <= most && !/\p{Cc}/u.test(hasLines ? text.replaceAll("\n", "") : text);
  const rule = ruled(
    `must have at most ${most} characters, no control characters among them`,
    "maxLength",
    most,
  );
  return z
    .string()
    .transform((text) => text.replaceAll("\r\n", "\n").trim())
    .refine(isPlain, rule)
    .transform((text) => (text === "" ? null : text));
}

/** No offset like `+05:00`, which PostgreSQL reads as its opposite. */
const timeZone = z
  .string()
  .refine(
    (text) => text.length <= MAX_ZONE_CHARS && /^[A-Za-z][\w+/-]*$/.test(text) && isTimeZone(text),
    ruled("must be a time zone like Europe/Berlin, or UTC", "invalid"),
  );

const bookCurrency = z
  .string()
  .toUpperCase()
  .pipe(
    z.enum(
      fiatCurrencies as [FiatCurrency, ...FiatCurrency[]],
      `must be one of ${fiatCurrencies.join(", ")}`,
    ),
  );

/** `revenue=8400,held=1361`; an empty text is the default code of every account. */
const accountCodes = z.string().transform((text, issue): AccountCodes => {
  const entries = text.trim() === "" ? [] : text.split(",").map((entry) => entry.trim().split("="));
  const fault = entries.map(faultOf).find((found) => found !== undefined);
  if (fault === undefined) return Object.fromEntries(entries) as AccountCodes;
  issue.addIssue({ code: "custom", ...ruled(fault, "invalid") });
  return z.NEVER;
});

/** The fault of one entry, which names the account. */
function faultOf([account = "", code, ...more]: readonly string[], index: number, all: string[][]) {
  if (!journalAccounts.includes(account as JournalAccount))
    return `has no account "${account}": the accounts are ${journalAccounts.join(", ")}`;
  if (code === undefined || more.length > 0 || !ACCOUNT_CODE_PATTERN.test(code))
    return `must give ${account} a code of at most 20 letters, digits, dots, dashes and underscores, as ${account}=8400`;
  if (all.findIndex(([other]) => other === account) !== index) return `names ${account} twice`;
  return undefined;
}

/** The terms of documents and books: name, address and tax id, time zone, currency and accounts. */
export const bookTerms = {
  legalName: textOf(MAX_NAME_CHARS).exactOptional(),
  legalAddress: textOf(MAX_ADDRESS_CHARS, { hasLines: true }).exactOptional(),
  taxId: textOf(MAX_TAX_ID_CHARS).exactOptional(),
  timeZone: timeZone.exactOptional(),
  bookCurrency: bookCurrency.exactOptional(),
  accountCode: accountCodes.exactOptional(),
};

/** Codes as the input takes them: `revenue=8400,held=1361`. */
export function accountCodesText(codes: AccountCodes): string {
  return Object.entries(codes)
    .map(([account, code]) => `${account}=${code}`)
    .join();
}
