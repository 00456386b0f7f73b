import type { Queryable } from "@daric/postgres/sql";
import { findPin, listKeys, type Pin } from "./store.ts";

/** What was pinned, and who may sign by now. */
export type KnownWitnesses = Pin & { readonly keys: Awaited<ReturnType<typeof listKeys>> };

/** Undefined where nothing is pinned. */
export async function findKnownWitnesses(
  db: Queryable,
  network: string,
): Promise<KnownWitnesses | undefined> {
  const pin = await findPin(db, network);
  return pin && { ...pin, keys: await listKeys(db, network) };
}
