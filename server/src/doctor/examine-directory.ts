import type { Transaction } from "@daric/postgres/sql";
import { addressToHex, isAddress } from "@daric/tron/address";
import { hashOfHex } from "../addresses/address-hash.ts";
import {
  findUncreditedTransfers,
  findUnwatched,
  listOffered,
  type OfferedAddress,
} from "./charge-check-store.ts";
import type { CheckScope } from "./deposit-check-store.ts";
import {
  countOwned,
  findMisowned,
  findTwiceKnown,
  findUntakenIndexes,
  listDirectoryParts,
  readIndexes,
} from "./directory-check-store.ts";
import { IndexSet } from "./index-set.ts";
import { type Breakage, MAX_SAMPLES } from "./invariant.ts";

/**
 * How the directory of addresses, by which the watcher knows whose they are, contradicts the charges, itself and the indexes
 * that were taken; and which money it should have known and did not. Part by part: each address beside its charge, and
 * each charge beside the address that it tells to payers. Where both hold, and there are as many of the one as of the other, none has two.
 */
export async function findDirectoryBreakages(
  tx: Transaction,
  network: string,
  scopes: readonly CheckScope[],
): Promise<Breakage[]> {
  const seen = new IndexSet();
  const repeated: number[] = [];
  const found: Breakage[] = [];
  let owned = 0n;
  for (const part of await listDirectoryParts(tx)) {
    for (const { keyId, indexes } of await readIndexes(tx, part)) repeated.push(...seen.add(keyId, indexes));
    found.push(...(await findUntakenIndexes(tx, part)), ...(await findMisowned(tx, part)));
    owned += await countOwned(tx, part);
  }
  if (repeated.length > 0) found.push(repeatedIndexes(repeated));
  let charges = 0n;
  for (const { merchantIds } of scopes) {
    let after = BEFORE_ALL;
    for (;;) {
      const page = await listOffered(tx, { merchantIds, after });
      if (page.length === 0) break;
      charges += BigInt(page.length);
      after = page.at(-1)?.id ?? after;
      found.push(...(await findUnwatched(tx, page.map(withHash))));
    }
  }
  if (found.length > 0 || charges !== owned) found.push(...(await findTwiceKnown(tx, owned)));
  return [...found, ...(await findUncreditedTransfers(tx, network))];
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** What is no address has no bytes, and is nobody's. */
function withHash(offered: OfferedAddress): OfferedAddress & { hash: Buffer } {
  const { address } = offered;
  return { ...offered, hash: isAddress(address) ? hashOfHex(addressToHex(address)) : Buffer.alloc(0) };
}

function repeatedIndexes(repeated: readonly number[]): Breakage {
  const indexes = [...new Set(repeated)];
  return {
    invariant: "I13",
    what: "index from which more than one address was issued",
    count: indexes.length,
    samples: indexes.slice(0, MAX_SAMPLES).map(String),
  };
}
