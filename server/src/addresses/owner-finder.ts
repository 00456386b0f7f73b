import type { Queryable, Transaction } from "@daric/postgres/sql";
import { hashesIn } from "@daric/tron/packed-addresses";
import { type BloomFilter, createBloomFilter } from "./bloom-filter.ts";
import {
  type AddressOwner,
  estimateIssued,
  findIssuedSince,
  findOwners,
  type IssuedSince,
  pageOfIssued,
} from "./directory-store.ts";

/** Room for what is issued after a filter was filled, before a larger one is. */
const HEADROOM = 1.25;
const LEAST_CAPACITY = 50_000;

/** Finds owners, and remembers what spares most of the questions. */
export type OwnerFinder = {
  /**
   * The owners of those of these addresses (`packAddresses`) that are in the directory: of every one that was committed before
   * the call.
   */
  find(tx: Transaction, packed: Buffer): Promise<AddressOwner[]>;
};

/** A filter with every address of transactions before `beyond`, in one life of the server. */
type FilledFilter = Omit<IssuedSince, "hashes"> & { readonly filter: BloomFilter };

/**
 * Of a block's addresses hardly one is ours, and each that is looked up among millions costs pages that are in no cache. So they
 * are first held against a filter in memory. The first question has it filled in the background, and each one adds what was
 * issued since the one before. While there is none, and where the server has begun another life since it was filled, all are looked up.
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
      // Where it fails, the next question has it tried again.
      void fill().catch(() => {});
      return undefined;
    }
    const { filter, beyond, life } = filled;
    const since = await findIssuedSince(tx, beyond);
    filter.add(since.hashes);
    if (since.life !== life || filter.isOverfull()) filled = undefined;
    else filled = { filter, life, beyond: since.beyond };
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
 * A filter of all that the directory has: whatever is committed after this began is issued since its `beyond`. Undefined where
 * another life has begun meanwhile: its pages would not be of one directory.
 */
async function fillFilter(db: Queryable): Promise<FilledFilter | undefined> {
  const { beyond, life } = await findIssuedSince(db, undefined);
  let capacity = Math.max(LEAST_CAPACITY, Math.ceil((await estimateIssued(db)) * HEADROOM));
  for (;;) {
    const filter = createBloomFilter(capacity);
    if (!(await hasAddedAll(db, filter, life))) return undefined;
    if (!filter.isOverfull()) return { filter, beyond, life };
    capacity *= 2;
  }
}

/**
 * Adds every address of the directory; stops where they are more than the filter was made for. Whether all pages are of this
 * life.
 */
async function hasAddedAll(db: Queryable, filter: BloomFilter, life: string): Promise<boolean> {
  let page = await pageOfIssued(db, undefined);
  while (page.life === life && page.last !== undefined && !filter.isOverfull()) {
    filter.add(page.hashes);
    page = await pageOfIssued(db, page.last);
  }
  return page.life === life;
}
