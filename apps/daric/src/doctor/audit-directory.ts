import { bytesOfHex } from "@daric/addresses/address-bytes";
import { deriveRange, type IndexRange } from "@daric/addresses/derive-range";
import type { Transaction } from "@daric/postgres/sql";
import { parseAddress } from "@daric/tron/address";
import { HASH_BYTES } from "@daric/tron/packed-addresses";
import { findAddressViolations } from "./audit-addresses.ts";
import { countOffered } from "./charge-check-store.ts";
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
import { findUncreditedTransfers } from "./uncredited-store.ts";

/**
 * Compares the directory of addresses, by which the watcher assigns payments, with the charges and the issued
 * indexes. Also finds money that it should have assigned. One pass reads each address beside its charge. If
 * all match, no index repeats and the counts are equal, every charge has exactly one address. Only otherwise
 * each charge is looked up.
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
  return [...found, ...(await findUncreditedTransfers(tx, { network, lists }))];
}

const ADDRESS_CHARS = 34;

/** Whether each charge shows the address that the watcher knows for it. */
function isOfferedAsKnown({ owned, hashes, offered }: DirectoryReading): boolean {
  const count = Number(owned);
  if (hashes.length !== count * HASH_BYTES || offered.length !== count * ADDRESS_CHARS) return false;
  for (let index = 0; index < count; index += 1) {
    const parsed = parseAddress(offered.slice(index * ADDRESS_CHARS, (index + 1) * ADDRESS_CHARS));
    const bytes = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
    if (!parsed.ok || !bytesOfHex(parsed.hex).equals(bytes)) return false;
  }
  return true;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Charges with another address than their own, or with one that the watcher does not know as theirs. */
async function findUnwatchedOf(tx: Transaction, { merchantIds }: CheckScope): Promise<Violation[]> {
  const found: Violation[] = [];
  const derive = async (range: IndexRange) => deriveRange(range);
  for (let after: string | undefined = BEFORE_ALL; after !== undefined; ) {
    const { violations, next } = await findAddressViolations(tx, { merchantIds, after, derive });
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
