import type { Transaction } from "@daric/postgres/sql";
import { addressToHex } from "@daric/tron/address";
import { hashOfHex } from "../addresses/address-hash.ts";
import {
  countCharges,
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
 * that were taken; and which money it should have known and did not. Part by part. Where each address is that of its charge,
 * no index is there twice and there are as many as charges, each charge has one: only where not, they are looked at one by
 * one.
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
  for (const scope of scopes) charges += await countAll(tx, scope);
  if (found.length > 0 || charges !== owned) {
    found.push(...(await findTwiceKnown(tx, owned)));
    for (const scope of scopes) found.push(...(await findUnknown(tx, scope)));
  }
  return [...found, ...(await findUncreditedTransfers(tx, network))];
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

async function countAll(tx: Transaction, { merchantIds }: CheckScope): Promise<bigint> {
  let charges = 0n;
  let after: string | undefined = BEFORE_ALL;
  while (after !== undefined) {
    const page: { count: bigint; last: string } | undefined = await countCharges(tx, { merchantIds, after });
    charges += page?.count ?? 0n;
    after = page?.last;
  }
  return charges;
}

/** The charges of some merchants whose address the watcher does not know. */
async function findUnknown(tx: Transaction, { merchantIds }: CheckScope): Promise<Breakage[]> {
  const found: Breakage[] = [];
  let after: string | undefined = BEFORE_ALL;
  while (after !== undefined) {
    const page: OfferedAddress[] = await listOffered(tx, { merchantIds, after });
    after = page.at(-1)?.id;
    const offered = page.map((one) => ({ ...one, hash: hashOfHex(addressToHex(one.address)) }));
    if (offered.length > 0) found.push(...(await findUnwatched(tx, offered)));
  }
  return found;
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
