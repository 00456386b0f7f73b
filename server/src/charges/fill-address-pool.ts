import { setImmediate as turn } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { idOf } from "../domain/ids.ts";
import {
  countPooledAddresses,
  ensureAccountKey,
  insertPooledAddresses,
  takeIndexes,
} from "./address-store.ts";
import type { IssuingContext } from "./context.ts";

/** Derived without a pause: about 7 ms in which the process answers nobody. */
const BATCH = 25;
/** One call's share of a large pool: about 0.1 s, so that a process which stops does not wait for all of it. */
const MAX_PER_CALL = 250;

/**
 * Derives addresses until `addressPoolSize` of them wait to be issued, 250 at most; answers how many it derived, 0
 * when the pool is full. The indexes are taken before anything is derived: a crash in between leaves a gap, never an
 * address that is issued twice. Several processes may fill at once and then overshoot by one call's share each.
 */
export async function fillAddressPool(
  context: Pick<IssuingContext, "config" | "db" | "addresses">,
): Promise<number> {
  const { db, config, addresses } = context;
  const accountKeyId = await ensureAccountKey(db, {
    id: idOf("accountKey", uuidv7()),
    xpub: config.charges.accountXpub,
  });
  const free = config.charges.addressPoolSize - (await countPooledAddresses(db, accountKeyId));
  const missing = Math.min(free, MAX_PER_CALL);
  let derived = 0;
  while (derived < missing) {
    const count = Math.min(BATCH, missing - derived);
    const first = await takeIndexes(db, accountKeyId, count);
    await insertPooledAddresses(db, accountKeyId, addresses.deriveAhead(first, count));
    derived += count;
    await turn();
  }
  return derived;
}
