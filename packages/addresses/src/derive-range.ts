import { type AccountXpub, deriveReceiveAddresses, parseAccountXpub } from "@daric/tron/account-xpub";
import { bytesOfHex } from "./address-bytes.ts";

export type IndexRange = { readonly xpub: string; readonly first: number; readonly count: number };

/** An address in base58, and its 20 bytes without the common prefix. */
export type DerivedAddress = {
  readonly index: number;
  readonly address: string;
  readonly bytes: Uint8Array;
};

let known: { readonly xpub: string; readonly account: AccountXpub } | undefined;

/** Derives on this thread. The last account is kept, since parsing one takes as long as 40 addresses. */
export function deriveRange({ xpub, first, count }: IndexRange): DerivedAddress[] {
  if (known?.xpub !== xpub) known = { xpub, account: parseAccountXpub(xpub) };
  return deriveReceiveAddresses(known.account, first, count).map(({ index, address, hex }) => ({
    index,
    address,
    bytes: Uint8Array.from(bytesOfHex(hex)),
  }));
}
