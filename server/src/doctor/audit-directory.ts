import type { Transaction } from "@daric/postgres/sql";
import { parseAddress } from "@daric/tron/address";
import { HASH_BYTES } from "@daric/tron/packed-addresses";
import { hashOfHex } from "../addresses/address-hash.ts";
import { findAddressViolations } from "./audit-addresses.ts";
import { countOffered, findUncreditedTransfers } from "./charge-check-store.ts";
import type { CheckScope } from "./deposit-check-store.ts";
import {
  type DirectoryReading,
  findMisowned,
  findTwiceKnown,
  findUnreservedIndexes,
  listDirectoryParts,
  readDirectory,
} from "./directory-check-store.ts";
import { IndexSet } from "./index-set.ts";
import { MAX_SAMPLES, type Violation } from "./invariant.ts";
import type { PartWalk } from "./part-by-part.ts";

/**
 * How the directory of addresses, by which the watcher knows whose they are, contradicts the charges, itself and the indexes
 * that were taken; and which money it should have known and did not. Each address is looked at once, beside the charge that it
 * is of. Where each is what its charge tells payers, no index is there twice, and there are as many charges as addresses of
 * them, every charge has exactly one; only where not, each charge is looked for.
 */
export async function findDirectoryViolations(
  tx: Transaction,
  { network, lists }: { readonly network: string; readonly lists: readonly CheckScope[] },
  walk: PartWalk,
): Promise<Violation[]> {
  const seen = new IndexSet();
  const repeated: number[] = [];
  let [owned, isOffered] = [0n, true];
  const parts = await listDirectoryParts(tx);
  const found = await walk("addresses", parts, async (part) => {
    const readings = await readDirectory(tx, part);
    for (const reading of readings) {
      repeated.push(...seen.add(reading.keyId, reading.indexes));
      owned += reading.owned;
      isOffered &&= isOfferedAsKnown(reading);
    }
    if (!readings.some(({ isSuspect }) => isSuspect)) return [];
    return [...(await findUnreservedIndexes(tx, part)), ...(await findMisowned(tx, part))];
  });
  if (repeated.length > 0) found.push(repeatedIndexes(repeated));
  let charges = 0n;
  for (const { merchantIds } of lists) charges += await countOffered(tx, merchantIds);
  if (found.length > 0 || !isOffered || charges !== owned) {
    found.push(...(await walk("addresses, charge by charge", lists, (list) => findUnwatchedOf(tx, list))));
    found.push(...(await findTwiceKnown(tx, owned)));
  }
  return [...found, ...(await findUncreditedTransfers(tx, network))];
}

const ADDRESS_CHARS = 34;

/** Whether each charge tells payers the very address by which the watcher knows it. */
function isOfferedAsKnown({ owned, hashes, offered }: DirectoryReading): boolean {
  const count = Number(owned);
  if (hashes.length !== count * HASH_BYTES || offered.length !== count * ADDRESS_CHARS) return false;
  for (let index = 0; index < count; index += 1) {
    const parsed = parseAddress(offered.slice(index * ADDRESS_CHARS, (index + 1) * ADDRESS_CHARS));
    const hash = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
    if (!parsed.ok || !hashOfHex(parsed.hex).equals(hash)) return false;
  }
  return true;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Those of some merchants' charges that tell another address than they were given, or one that the watcher does not know as theirs. */
async function findUnwatchedOf(tx: Transaction, { merchantIds }: CheckScope): Promise<Violation[]> {
  const found: Violation[] = [];
  for (let after: string | undefined = BEFORE_ALL; after !== undefined; ) {
    const { violations, next } = await findAddressViolations(tx, { merchantIds, after });
    found.push(...violations);
    after = next;
  }
  return found;
}

function repeatedIndexes(repeated: readonly number[]): Violation {
  const indexes = [...new Set(repeated)];
  return {
    invariant: "I13",
    what: "index from which more than one address was issued",
    count: indexes.length,
    samples: indexes.slice(0, MAX_SAMPLES).map(String),
  };
}
