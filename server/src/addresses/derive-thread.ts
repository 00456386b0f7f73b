import { parentPort } from "node:worker_threads";
import { type AccountXpub, deriveReceiveAddresses, parseAccountXpub } from "@daric/tron/account-xpub";
import { hashOfHex } from "./address-hash.ts";
import type { DerivedAddress, IndexRange, ThreadAnswer } from "./deriver.ts";

// What `deriver.ts` starts as a thread: it answers each question in turn.

let known: { readonly xpub: string; readonly account: AccountXpub } | undefined;

parentPort?.on("message", ({ id, ...range }: IndexRange & { readonly id: number }) => {
  parentPort?.postMessage({ id, ...answerTo(range) } satisfies ThreadAnswer);
});

function answerTo(range: IndexRange): Omit<ThreadAnswer, "id"> {
  try {
    return { derived: derive(range) };
  } catch (error) {
    return { failure: String(error) };
  }
}

function derive({ xpub, first, count }: IndexRange): DerivedAddress[] {
  if (known?.xpub !== xpub) known = { xpub, account: parseAccountXpub(xpub) };
  return deriveReceiveAddresses(known.account, first, count).map(({ index, address, hex }) => ({
    index,
    address,
    hash: Uint8Array.from(hashOfHex(hex)),
  }));
}
