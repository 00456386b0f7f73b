import { addressBytes } from "@daric/addresses/address-bytes";
import { isId } from "@daric/domain/ids";
import { type NamedTransaction, readNamedTransaction } from "@daric/domain/lookup";
import { wholeTerm, wordsOf } from "@daric/domain/search-terms";
import { readingsOf } from "@daric/domain/typed-amount";
import { parseAddress } from "@daric/tron/address";
import type { Ends } from "./search-store.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const ADDRESS_CHARS = 34;
/** The hex digits of an address as a number: its prefix, 20 bytes and a checksum. */
const HEX_DIGITS = 50;
const PREFIX = 0x41n;
/** More words than this say no more. */
const MAX_WORDS = 8;

/** Everything that a searched text can name. */
export type SearchText = {
  /** as it was typed, without what is invisible */
  readonly text: string;
  readonly id: string | null;
  readonly transaction: NamedTransaction;
  /** the 20 bytes of an address */
  readonly address: Buffer | undefined;
  readonly token: string | undefined;
  readonly ends: (Ends & { readonly hashes: HashRange | undefined }) | undefined;
  readonly sender: string | undefined;
  /** plain decimals */
  readonly amounts: readonly string[];
  /** the term of the text as a whole reference */
  readonly whole: string | undefined;
  readonly words: readonly string[];
};

/** Reads a searched text. Hashes and addresses may be in groups, in lines, in a link, or shortened in the middle. */
export function readSearchText(typed: string): SearchText {
  const text = typed
    .normalize("NFC")
    .replace(/\p{Cf}/gu, "")
    .trim();
  const compact = text.replace(/\s+/gu, "");
  const found = (pattern: RegExp) => pattern.exec(text)?.[0] ?? pattern.exec(compact)?.[0];
  const id = found(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i)?.toLowerCase();
  const sender = found(/T[1-9A-HJ-NP-Za-km-z]{33}/);
  const named = readNamedTransaction(text);
  const isAddress = sender !== undefined && parseAddress(sender).ok;
  return {
    text,
    id: id !== undefined && isId(id) ? id : null,
    transaction: named === "not_an_id" ? readNamedTransaction(compact) : named,
    address: isAddress ? addressBytes(sender) : undefined,
    sender: isAddress ? sender : undefined,
    token: found(/(?<![\w-])[\w-]{40}(?![\w-])/),
    ends: endsOf(compact),
    amounts: readingsOf(text),
    whole: wholeTerm(text),
    words: [...new Set(wordsOf(text))].slice(0, MAX_WORDS),
  };
}

/** The ends of `TM3f3CUw…3QyPUtkx`, with dots or an ellipsis between them. */
function endsOf(compact: string): SearchText["ends"] {
  const [, head, tail] = /(?<!\w)(?:0x)?(\w{3,40})(?:…|⋯|\.{2,3}|\*{2,})(\w{3,40})(?!\w)/.exec(compact) ?? [];
  return head === undefined || tail === undefined ? undefined : { head, tail, hashes: hashesFrom(head) };
}

type HashRange = { readonly from: Buffer; readonly to: Buffer };

/** The 20 bytes of the least and the greatest address that begin with this text; undefined if none does. */
export function hashesFrom(head: string): HashRange | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{2,32}$/.test(head)) return undefined;
  const [from, to] = ["1", "z"].map((filler) => {
    const digits = [...head.padEnd(ADDRESS_CHARS, filler)];
    return digits.reduce((number, digit) => number * 58n + BigInt(BASE58.indexOf(digit)), 0n);
  }) as [bigint, bigint];
  const least = PREFIX << 192n;
  const greatest = ((PREFIX + 1n) << 192n) - 1n;
  if (to < least || from > greatest) return undefined;
  return { from: hashIn(from < least ? least : from), to: hashIn(to > greatest ? greatest : to) };
}

function hashIn(address: bigint): Buffer {
  return Buffer.from(address.toString(16).padStart(HEX_DIGITS, "0"), "hex").subarray(1, 21);
}
