import { type BloomFilter, createBloomFilter } from "@daric/addresses/bloom-filter";
import type { Queryable } from "@daric/postgres/sql";
import { type AddressRow, findWatchVersion, listWatched } from "./address-store.ts";

/** The addresses of refunds, by which blocks are searched. */
export type WatchedAddresses = {
  /** Whether one of these addresses (`packAddresses`) may be watched. */
  mayHave(packed: Buffer): boolean;
  /** the refunds that watch an address (hex, `41…`) */
  of(addressHex: string): readonly AddressRow[];
};

export type RefundWatch = {
  /** All that were committed before the call. */
  current(db: Queryable): Promise<WatchedAddresses>;
};

/**
 * Keeps the watched addresses of all refunds in memory, and reads them again once they changed. A refund is READY before its merchant can pay it, so a
 * block that pays it is read after the address is known.
 */
export function createRefundWatch(): RefundWatch {
  let known: { readonly version: string; readonly watched: WatchedAddresses } | undefined;
  return {
    current: async (db) => {
      const version = await findWatchVersion(db);
      if (known?.version !== version) known = { version, watched: await readWatched(db) };
      return known.watched;
    },
  };
}

/** The watched addresses as they are now. */
export async function readWatched(db: Queryable): Promise<WatchedAddresses> {
  const rows = await listWatched(db);
  const filter: BloomFilter = createBloomFilter(rows.length);
  const byAddress = new Map<string, AddressRow[]>();
  for (const row of rows) {
    filter.add(row.address);
    const hex = `41${row.address.toString("hex")}`;
    const others = byAddress.get(hex);
    if (others === undefined) byAddress.set(hex, [row]);
    else others.push(row);
  }
  return {
    mayHave: (packed) => rows.length > 0 && filter.select(packed).length > 0,
    of: (addressHex) => byAddress.get(addressHex) ?? [],
  };
}
