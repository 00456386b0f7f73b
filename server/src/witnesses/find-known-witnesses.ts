import type { Queryable } from "@daric/postgres/sql";
import type { KnownKeys } from "../chain/block-signer.ts";
import { findWitnesses, listSigners } from "./store.ts";

/** What was pinned, and who may sign by now. */
export type KnownWitnesses = NonNullable<Awaited<ReturnType<typeof findWitnesses>>>;

/** Undefined where nothing is pinned. */
export function findKnownWitnesses(db: Queryable, network: string): Promise<KnownWitnesses | undefined> {
  return findWitnesses(db, network);
}

/** The key of each known witness; empty where nothing is pinned. */
export async function findKnownKeys(db: Queryable, network: string): Promise<KnownKeys> {
  const signers = await listSigners(db, network);
  return new Map(signers.map(({ witnessHex, signerHex }) => [witnessHex, signerHex]));
}
