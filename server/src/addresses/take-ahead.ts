import { uuidv7 } from "uuidv7";
import { idOf } from "../domain/ids.ts";
import type { IssuedAddress } from "./address-source.ts";
import type { SourceContext } from "./context.ts";
import type { Deriver } from "./deriver.ts";
import { findOwners } from "./directory-store.ts";
import { ensureAccountKey, takeIndexes } from "./key-store.ts";

/** So many at a time: what a process that is killed takes with it. */
export const INDEXES_AT_ONCE = 250;

/**
 * The addresses of the next 250 indexes, which nobody else gets. The indexes are taken before anything is derived: a
 * crash in between leaves a gap, never an address that is issued twice. Indexes whose addresses the directory has, as
 * where `next_index` was set back, are passed by.
 */
export async function takeAhead(context: SourceContext, deriver: Deriver): Promise<IssuedAddress[]> {
  const { db, config } = context;
  const xpub = config.addresses.accountXpub;
  const accountKeyId = await ensureAccountKey(db, { id: idOf("accountKey", uuidv7()), xpub });
  for (;;) {
    const first = await takeIndexes(db, accountKeyId, INDEXES_AT_ONCE);
    const derived = await deriver.derive({ xpub, first, count: INDEXES_AT_ONCE });
    const taken = derived.map(({ index, address, hash }) => ({
      accountKeyId,
      index,
      address,
      hash: Buffer.from(hash),
    }));
    const known = await findOwners(
      db,
      taken.map(({ hash }) => hash),
    );
    if (known.length === 0) return taken;
  }
}
