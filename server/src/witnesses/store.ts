import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { SignedBlock, WitnessKey } from "./solid-height.ts";

/** What all nodes agreed on when they were asked. */
export type Pin = { readonly active: number; readonly fingerprint: string; readonly pinnedAt: Date };

export async function findPin(db: Queryable, network: string): Promise<Pin | undefined> {
  return maybeOne(
    await db.query<Pin>(sql`
      select active, fingerprint, pinned_at as "pinnedAt" from witness_pins where network = ${network}`),
  );
}

/** How far our blocks go, and up to which they are final; undefined before the first. */
export async function findExtent(
  db: Queryable,
  network: string,
): Promise<{ readonly head: number; readonly solid: number } | undefined> {
  const row = maybeOne(
    await db.query<{ head: bigint; solid: bigint }>(sql`
      select number as head, solid_number as solid from scan_cursors where network = ${network}`),
  );
  return row && { head: Number(row.head), solid: Number(row.solid) };
}

/** How many are active by what is pinned, held until the transaction ends: nobody pins others meanwhile. */
export async function lockActive(tx: Transaction, network: string): Promise<number | undefined> {
  const rows = await tx.query<{ active: number }>(sql`
    select active from witness_pins where network = ${network} for update`);
  return maybeOne(rows)?.active;
}

/** Replaces what was pinned before. */
export async function savePin(
  tx: Transaction,
  { network, active, fingerprint }: { network: string; active: number; fingerprint: string },
): Promise<void> {
  await tx.query(sql`
    insert into witness_pins (network, active, fingerprint) values (${network}, ${active}, ${fingerprint})
    on conflict (network) do update
    set active = excluded.active, fingerprint = excluded.fingerprint, pinned_at = now()`);
}

/** The known keys, each with the newest block of our chain that it signed. */
export async function listKeys(
  db: Queryable,
  network: string,
): Promise<readonly (WitnessKey & { readonly lastBlock: number | null })[]> {
  const rows = await db.query<{
    witnessHex: string;
    signerHex: string;
    sinceBlock: bigint;
    lastBlock: bigint | null;
  }>(sql`
    select witness as "witnessHex", signer as "signerHex", since_block as "sinceBlock", last.number as "lastBlock"
    from witness_keys known
    left join lateral (
      select number from blocks
      where network = known.network and witness = known.witness and signer = known.signer and orphaned_at is null
      order by number desc limit 1
    ) last on true
    where network = ${network} order by witness`);
  return rows.map(({ sinceBlock, lastBlock, ...key }) => ({
    ...key,
    sinceBlock: Number(sinceBlock),
    lastBlock: lastBlock === null ? null : Number(lastBlock),
  }));
}

/** Makes these the known keys, and no others. */
export async function replaceKeys(
  tx: Transaction,
  { network, keys }: { network: string; keys: readonly WitnessKey[] },
): Promise<void> {
  await tx.query(sql`
    delete from witness_keys
    where network = ${network} and witness <> all(${keys.map(({ witnessHex }) => witnessHex)})`);
  await tx.query(sql`
    insert into witness_keys (network, witness, signer, since_block)
    select ${network}, * from unnest(${keys.map(({ witnessHex }) => witnessHex)}::text[],
      ${keys.map(({ signerHex }) => signerHex)}::text[], ${keys.map(({ sinceBlock }) => sinceBlock)}::bigint[])
    on conflict (network, witness) do update set signer = excluded.signer, since_block = excluded.since_block`);
}

/** The blocks of our chain in a range of heights, of which it is known who made them. */
export async function listSignedBlocks(
  db: Queryable,
  { network, from, to }: { network: string; from: number; to: number },
): Promise<readonly SignedBlock[]> {
  const rows = await db.query<{ number: bigint; witnessHex: string; signerHex: string | null }>(sql`
    select number, witness as "witnessHex", signer as "signerHex" from blocks
    where network = ${network} and number between ${from} and ${to} and orphaned_at is null and witness is not null`);
  return rows.map(({ number, witnessHex, signerHex }) => ({
    number: Number(number),
    witnessHex,
    signerHex: signerHex ?? undefined,
  }));
}
