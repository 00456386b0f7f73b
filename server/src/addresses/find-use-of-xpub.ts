import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddresses, parseAccountXpub } from "@daric/tron/account-xpub";
import { findUsed, type HistorySource } from "./chain-history.ts";
import { hasIssued } from "./directory-store.ts";

/** Twice what wallets look past before they stop looking (BIP-44's gap limit is 20). */
const ADDRESSES_CHECKED = 40;

/**
 * The first of the xpub's first 40 addresses that the chain knows, for a database that has issued none; undefined when it
 * knows none of them, and for a database that has issued. `unused` keeps what nodes have answered from call to call.
 *
 * @throws NodeError when no node answers.
 */
export async function findUseOfXpub(
  db: Queryable,
  chain: HistorySource,
  { xpub, unused }: { xpub: string; unused: Set<string> },
): Promise<string | undefined> {
  if (await hasIssued(db)) return undefined;
  const addresses = deriveReceiveAddresses(parseAccountXpub(xpub), 0, ADDRESSES_CHECKED);
  return findUsed(
    chain,
    addresses.map(({ address }) => address),
    unused,
  );
}
