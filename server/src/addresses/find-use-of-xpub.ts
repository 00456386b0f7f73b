import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddresses, parseAccountXpub } from "@daric/tron/account-xpub";
import { findUsed, type HistorySource } from "./chain-history.ts";
import { hasIssued } from "./directory-store.ts";

/** Twice the gap limit of BIP-44 (20), after which wallets stop searching. */
const ADDRESSES_CHECKED = 40;

/**
 * The first of the xpub's first 40 addresses that was used on the chain, if any. A database that has issued addresses gets
 * undefined; one without tables is undefined itself. `unused` keeps the nodes' answers across calls.
 *
 * @throws NodeError if no node answers.
 */
export async function findUseOfXpub(
  db: Queryable | undefined,
  chain: HistorySource,
  { xpub, unused }: { xpub: string; unused: Set<string> },
): Promise<string | undefined> {
  if (db !== undefined && (await hasIssued(db))) return undefined;
  const addresses = deriveReceiveAddresses(parseAccountXpub(xpub), 0, ADDRESSES_CHECKED);
  return findUsed(
    chain,
    addresses.map(({ address }) => address),
    unused,
  );
}
