import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddresses, parseAccountXpub } from "@daric/tron/account-xpub";
import { INDEXES_AT_ONCE } from "./address-pool.ts";
import { findUsed, type HistorySource } from "./chain-history.ts";
import { hasIssued } from "./directory-store.ts";

/** A process takes its indexes in batches, and issues each batch from its first one on. */
const BATCHES_CHECKED = 4;
const CHECKED_OF_EACH = 10;

/**
 * The first address that was used on the chain, of the first ten in each of the xpub's first four batches, if any. A database that has issued addresses gets
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
  const account = parseAccountXpub(xpub);
  const addresses = Array.from({ length: BATCHES_CHECKED }, (_, batch) =>
    deriveReceiveAddresses(account, batch * INDEXES_AT_ONCE, CHECKED_OF_EACH),
  ).flat();
  return findUsed(
    chain,
    addresses.map(({ address }) => address),
    unused,
  );
}
