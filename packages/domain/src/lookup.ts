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
 * The state of a transaction, as the payer of one charge may see it.
 *
 * - counted: final money of this charge, or of its family. Dust is final too, and decides nothing.
 * - seen: on its way to being final.
 * - failed: the transaction moved nothing.
 * - other_token: it came to this address in another token or currency.
 * - other_address: it paid another address, which the answer does not reveal.
 * - not_found: no node knows it yet.
 * - busy: the call budget is spent.
 */
export type Lookup = Readonly<
  /** `isElsewhere`: it came to another order of the family */
  | { result: "counted"; amount: Amount; currency: Currency; isDust: boolean; isElsewhere?: boolean }
  | {
      result: "seen";
      amount: Amount;
      currency: Currency;
      isDust: boolean;
      confirmations: number;
      requiredConfirmations: number;
    }
  | { result: "failed" }
  /** the last characters of that address; null if the transaction paid no address */
  | { result: "other_address"; addressEnd: string | null; lookAlike?: LookAlike | undefined }
  /** null for an unsupported token */
  | { result: "other_token"; amount: Amount | null; currency: Currency | null }
  | { result: "not_on_tron" }
  | { result: "not_found" | "busy"; retryAfterSeconds: number }
> & { readonly result: LookupResult };

/** Two addresses that a person could take for one another, shortened to characters in which they differ. */
export type LookAlike = { readonly other: string; readonly here: string };

export type LookupAnswer = Lookup | { readonly result: "not_an_id" };

export type NamedTransaction = { readonly txId: string } | "not_on_tron" | "not_an_id";

/** Longer than any explorer's link. */
export const MAX_LOOKUP_CHARS = 500;
export const lookupRule =
  "must be a transaction id of 64 hex characters, or an explorer's link that holds one";
const ADDRESS_END_CHARS = 4;
/** Every address begins with a T and one of 23 letters; the page shows four characters of it in bold. */
const ADDRESS_START_CHARS = 4;
/** Makers of look-alikes match the characters that programs usually show. */
const SHOWN_CHARS = 6;
/** An id of 32 bytes that is no part of a longer run of letters and digits. */
const TX_ID = /(?<![0-9a-z])(0x)?([0-9a-f]{64})(?![0-9a-z])/i;

/** Finds the transaction id in a payer's input: the id in any case, or a link that holds it. */
export function readNamedTransaction(text: string): NamedTransaction {
  const [, prefix, id] = (text.length <= MAX_LOOKUP_CHARS && TX_ID.exec(text)) || [];
  if (id === undefined) return "not_an_id";
  return prefix === undefined ? { txId: id.toLowerCase() } : "not_on_tron";
}

/** The end of an address: its payer recognises it, and a stranger cannot find the address by it. */
export function endOfAddress(address: string): string {
  return address.slice(-ADDRESS_END_CHARS);
}

/**
 * Whether another address begins or ends as this one does, as those that are made to deceive do. Then each is shortened
 * to as many characters of both ends as it takes to differ.
 */
export function lookAlikeOf(other: string, here: string): LookAlike | undefined {
  const isAlike =
    endOfAddress(other) === endOfAddress(here) ||
    other.slice(0, ADDRESS_START_CHARS) === here.slice(0, ADDRESS_START_CHARS);
  if (!isAlike || other === here) return undefined;
  for (let chars = SHOWN_CHARS; ; chars += 1) {
    const [otherShown, hereShown] = [shortened(other, chars), shortened(here, chars)];
    if (otherShown !== hereShown) return { other: otherShown, here: hereShown };
  }
}

function shortened(address: string, chars: number): string {
  if (2 * chars >= address.length) return address;
  return `${address.slice(0, chars)}…${address.slice(-chars)}`;
}
