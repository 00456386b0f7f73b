import { type AccountXpub, deriveReceiveAddresses, parseAccountXpub } from "@daric/tron/account-xpub";
import { serveWorkerRpc } from "../runtime/worker-rpc-server.ts";
import { hashOfHex } from "./address-hash.ts";
import type { DerivedAddress, IndexRange } from "./deriver.ts";

let known: { readonly xpub: string; readonly account: AccountXpub } | undefined;

serveWorkerRpc(({ xpub, first, count }: IndexRange): DerivedAddress[] => {
  if (known?.xpub !== xpub) known = { xpub, account: parseAccountXpub(xpub) };
  return deriveReceiveAddresses(known.account, first, count).map(({ index, address, hex }) => ({
    index,
    address,
    hash: Uint8Array.from(hashOfHex(hex)),
  }));
});
