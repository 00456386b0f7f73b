import { maybeOne, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { SigningWitness } from "../chain/parse-witnesses.ts";
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

/** Holds what is pinned until the transaction ends: nobody pins others meanwhile. */
export async function lockPin(tx: Transaction, network: string): Promise<void> {
  await tx.query(sql`select active from witness_pins where network = ${network} for update`);
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

/** A key with the newest block of our chain that it signed. */
export type StoredKey = WitnessKey & { readonly lastBlock: number | null };

/** Who may sign, what is pinned and the keys read at one moment. */
export async function findWitnesses(
  db: Queryable,
  network: string,
): Promise<(Pin & { readonly keys: readonly StoredKey[] }) | undefined> {
  const rows = await db.query<
    Pin & {
      witnessHex: string | null;
      signerHex: string;
      sinceBlock: bigint;
      isAlone: boolean;
      replaced: string | null;
      lastBlock: bigint | null;
    }
  >(sql`
    select pin.active, pin.fingerprint, pin.pinned_at as "pinnedAt", known.witness as "witnessHex",
      known.signer as "signerHex", known.since_block as "sinceBlock", known.is_alone as "isAlone", known.replaced,
      last.number as "lastBlock"
    from witness_pins pin
    left join witness_keys known on known.network = pin.network
    left join lateral (
      select number from blocks
      where network = known.network and witness = known.witness and signer = known.signer and orphaned_at is null
      order by number desc limit 1
    ) last on true
    where pin.network = ${network} order by known.witness`);
  const [pin] = rows;
  if (pin === undefined) return undefined;
  const { active, fingerprint, pinnedAt } = pin;
  const keys = rows.flatMap(({ witnessHex, signerHex, sinceBlock, isAlone, replaced, lastBlock }) =>
    witnessHex === null
      ? []
      : [
          {
            witnessHex,
            signerHex,
            sinceBlock: Number(sinceBlock),
            ...(isAlone && { isAlone, replaced: replaced ?? undefined }),
            lastBlock: lastBlock === null ? null : Number(lastBlock),
          },
        ],
  );
  return { active, fingerprint, pinnedAt, keys };
}

/** The key of each known witness. */
export async function listSigners(
  db: Queryable,
  network: string,
): Promise<readonly Pick<WitnessKey, "witnessHex" | "signerHex">[]> {
  return db.query(sql`
    select witness as "witnessHex", signer as "signerHex" from witness_keys where network = ${network}`);
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
    insert into witness_keys (network, witness, signer, since_block, is_alone, replaced)
    select ${network}, * from unnest(${keys.map(({ witnessHex }) => witnessHex)}::text[],
      ${keys.map(({ signerHex }) => signerHex)}::text[], ${keys.map(({ sinceBlock }) => sinceBlock)}::bigint[],
      ${keys.map(({ isAlone }) => isAlone === true)}::boolean[], ${keys.map(({ replaced }) => replaced ?? null)}::text[])
    on conflict (network, witness) do update
    set signer = excluded.signer, since_block = excluded.since_block, is_alone = excluded.is_alone,
      replaced = excluded.replaced`);
}

/** The ids of our blocks at some heights. */
export async function listBlockIds(
  db: Queryable,
  { network, numbers }: { network: string; numbers: readonly number[] },
): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query<{ number: bigint; id: string }>(sql`
    select number, id from blocks
    where network = ${network} and number = any(${[...numbers]}::bigint[]) and orphaned_at is null`);
  return new Map(rows.map(({ number, id }) => [Number(number), id]));
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

/** The newest key that each witness has named in a block of our chain up to the solid one. */
export async function listNamedKeys(
  db: Queryable,
  { network, solid }: { network: string; solid: number },
): Promise<readonly WitnessKey[]> {
  const rows = await db.query<{ witnessHex: string; signerHex: string; sinceBlock: bigint }>(sql`
    select distinct on (named.witness)
      named.witness as "witnessHex", named.signer as "signerHex", named.number as "sinceBlock"
    from witness_key_changes named
    join blocks on blocks.id = named.block_id and blocks.orphaned_at is null
    where named.network = ${network} and named.number <= ${solid}
    order by named.witness, named.number desc, named.place desc`);
  return rows.map(({ sinceBlock, ...key }) => ({ ...key, sinceBlock: Number(sinceBlock) }));
}

/** A key that a witness names in a block, and which of its transactions does. */
export type KeyChange = SigningWitness & {
  readonly blockId: string;
  readonly number: number;
  readonly place: number;
};

export async function insertKeyChanges(
  tx: Transaction,
  { network, changes }: { network: string; changes: readonly KeyChange[] },
): Promise<void> {
  await tx.query(sql`
    insert into witness_key_changes (network, block_id, number, witness, signer, place)
    select ${network}, * from unnest(${changes.map(({ blockId }) => blockId)}::text[],
      ${changes.map(({ number }) => number)}::bigint[], ${changes.map(({ witnessHex }) => witnessHex)}::text[],
      ${changes.map(({ signerHex }) => signerHex)}::text[], ${changes.map(({ place }) => place)}::integer[])
    on conflict do nothing`);
}
