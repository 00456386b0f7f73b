import { deriveReceiveAddresses, parseAccountXpub } from "@daric/tron/account-xpub";

/** Addresses derived at once, in some 20 ms. */
const AT_ONCE = 250;

/**
 * The index from which the xpub derives this address: first among `count` from `first` on, then below `first`. Undefined if
 * it is none of them. An address takes about 0.1 ms.
 */
export async function findIndex(
  xpub: string,
  address: string,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<number | undefined> {
  const account = parseAccountXpub(xpub);
  for (const [from, to] of [
    [first, first + count],
    [0, first],
  ] as const) {
    for (let start = from; start < to; start += AT_ONCE) {
      const derived = deriveReceiveAddresses(account, start, Math.min(AT_ONCE, to - start));
      const found = derived.find((receiver) => receiver.address === address);
      if (found !== undefined) return found.index;
      await new Promise(setImmediate);
    }
  }
  return undefined;
}
