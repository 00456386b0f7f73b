import type { Queryable, Transaction } from "@daric/postgres/sql";
import { hashesIn } from "@daric/tron/packed-addresses";
import { type BloomFilter, createBloomFilter } from "./bloom-filter.ts";
import {
  estimateIssued,
  findIssuedSince,
  findOwners,
  type IssuedSince,
  pageOfIssued,
} from "./directory-store.ts";
import type { AddressOwner } from "./issued-address.ts";

const HEADROOM = 1.25;
const MIN_CAPACITY = 50_000;

export type OwnerFinder = {
  /** The owners of these addresses (`packAddresses`) in the directory. It sees all that was committed before the call. */
  find(tx: Transaction, packed: Buffer): Promise<AddressOwner[]>;
};

type FilledFilter = Omit<IssuedSince, "hashes"> & { readonly filter: BloomFilter };

/**
 * Few addresses of a block are ours, and each look-up among millions reads uncached pages. A Bloom filter in memory spares
 * most of them. The first call fills it in the background, and each call adds the addresses issued since the last one.
 * Without a valid filter all addresses are looked up.
 */
export function createOwnerFinder({ db }: { readonly db: Queryable }): OwnerFinder {
  let filled: FilledFilter | undefined;
  let isFilling = false;
  const fill = async (): Promise<void> => {
    if (isFilling) return;
    isFilling = true;
    try {
      filled = await fillFilter(db);
    } finally {
      isFilling = false;
    }
  };
  const currentFilter = async (tx: Transaction): Promise<BloomFilter | undefined> => {
    if (filled === undefined) {
      void fill().catch(() => {});
      return undefined;
    }
    const { filter, beyond, incarnation } = filled;
    const since = await findIssuedSince(tx, beyond);
    filter.add(since.hashes);
    if (since.incarnation !== incarnation || filter.isOverfull()) filled = undefined;
    else filled = { filter, incarnation, beyond: since.beyond };
    return filled?.filter;
  };
  return {
    find: async (tx, packed) => {
      const filter = await currentFilter(tx);
      const some = filter === undefined ? hashesIn(packed) : filter.select(packed);
      return some.length === 0 ? [] : findOwners(tx, some);
    },
  };
}

/**
 * A filter with all addresses of the directory; later commits are found from its `beyond` on. Undefined if the server was
 * restarted meanwhile, because the pages could be of different directories.
 */
async function fillFilter(db: Queryable): Promise<FilledFilter | undefined> {
  const { beyond, incarnation } = await findIssuedSince(db, undefined);
  let capacity = Math.max(MIN_CAPACITY, Math.ceil((await estimateIssued(db)) * HEADROOM));
  for (;;) {
    const filter = createBloomFilter(capacity);
    if (!(await hasAddedAll(db, filter, incarnation))) return undefined;
    if (!filter.isOverfull()) return { filter, beyond, incarnation };
    capacity *= 2;
  }
}

/** Adds every address, or stops when the filter is overfull. Returns whether all pages are of the same incarnation. */
async function hasAddedAll(db: Queryable, filter: BloomFilter, incarnation: string): Promise<boolean> {
  let page = await pageOfIssued(db, undefined);
  while (page.incarnation === incarnation && page.last !== undefined && !filter.isOverfull()) {
    filter.add(page.hashes);
    page = await pageOfIssued(db, page.last);
  }
  return page.incarnation === incarnation;
}
