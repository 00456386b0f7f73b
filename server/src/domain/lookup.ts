import type { Currency } from "./asset.ts";
import type { Amount } from "./money.ts";

export const lookupResults = [
  "counted",
  "seen",
  "failed",
  "other_address",
  "other_token",
  "not_on_tron",
  "not_found",
  "busy",
] as const;
type LookupResult = (typeof lookupResults)[number];

/**
 * What became of a transaction, as the payer of one charge may know it. `counted`: its money is final, and of this charge.
 * `seen`: it is on its way to that. `failed`: it moved nothing. `other_token`: it came here, and is no money of this charge.
 * `other_address`: it went elsewhere, to whom else is not told. `not_found`: nobody knows it yet. `busy`: no node could be asked,
 * because too much is asked.
 */
export type Lookup = Readonly<
  | { result: "counted"; amount: Amount; currency: Currency }
  | {
      result: "seen";
      amount: Amount;
      currency: Currency;
      confirmations: number;
      requiredConfirmations: number;
    }
  | { result: "failed" }
  /** the last characters of that address; null where the transaction paid nobody */
  | { result: "other_address"; addressEnd: string | null }
  /** null of a token that we do not know */
  | { result: "other_token"; amount: Amount | null; currency: Currency | null }
  | { result: "not_on_tron" }
  | { result: "not_found" | "busy"; retryAfterSeconds: number }
> & { readonly result: LookupResult };

/** What the form of the page answers: of what holds no id, just that. */
export type LookupAnswer = Lookup | { readonly result: "not_an_id" };

/** What a payer typed in, as far as it can be told without asking anybody. */
export type NamedTransaction = { readonly txId: string } | "not_on_tron" | "not_an_id";

/** Longer than any explorer's link. */
export const MAX_LOOKUP_CHARS = 500;
/** The rule of a transaction id that is typed in, for who calls us. */
export const lookupRule =
  "must be a transaction id of 64 hex characters, or an explorer's link that holds one";
const ADDRESS_END_CHARS = 4;
/** An id of 32 bytes that is no part of a longer run of letters and digits. */
const TX_ID = /(?<![0-9a-z])(0x)?([0-9a-f]{64})(?![0-9a-z])/i;

/** Finds the transaction id in what a payer typed or pasted: the id in any case, or a link that holds it. */
export function readNamedTransaction(text: string): NamedTransaction {
  const [, prefix, id] = (text.length <= MAX_LOOKUP_CHARS && TX_ID.exec(text)) || [];
  if (id === undefined) return "not_an_id";
  return prefix === undefined ? { txId: id.toLowerCase() } : "not_on_tron";
}

/** So much of an address that its payer knows it again, and that nobody finds it by. */
export function endOfAddress(address: string): string {
  return address.slice(-ADDRESS_END_CHARS);
}
