import type { Environment } from "@daric/domain/api-scope";
import { maybeOne, one, type Queryable, sql, type Transaction } from "@daric/postgres/sql";
import type { SecretChecks } from "./secret-checks.ts";

/** The binding of a database. Environment and network are null before the first start of the service. */
export type Deployment = {
  readonly environment: Environment | null;
  readonly network: string | null;
  readonly checks: SecretChecks;
};

/** The oldest program version, by its newest migration, that works on this schema. */
export async function findServesFrom(db: Queryable): Promise<number> {
  return one(await db.query<{ servesFrom: number }>(sql`select serves_from as "servesFrom" from deployment`))
    .servesFrom;
}

/** Runs the smallest query. */
export async function pingDatabase(db: Queryable): Promise<void> {
  await db.query(sql`select 1`);
}

const boundTo = sql`
  environment, network, pepper_check as "merchants.keyPepper", master_key_check as "webhooks.masterKey",
  integrity_check as "integrity.key", account_xpub_check as "addresses.accountXpub" from deployment`;

type BoundRow = Omit<Deployment, "checks"> & SecretChecks;

/** The binding, locked until the transaction ends, so that the second of two claims sees the first. */
export async function lockDeployment(tx: Transaction): Promise<Deployment> {
  return deploymentOf(one(await tx.query<BoundRow>(sql`select ${boundTo} for update`)));
}

export async function findDeployment(db: Queryable): Promise<Deployment> {
  return deploymentOf(one(await db.query<BoundRow>(sql`select ${boundTo}`)));
}

function deploymentOf({ environment, network, ...checks }: BoundRow): Deployment {
  return { environment, network, checks };
}

/** Sets the unbound fields, and leaves the others. */
export async function saveUnclaimed(
  tx: Transaction,
  { environment, network, checks }: Deployment,
): Promise<void> {
  await tx.query(sql`
    update deployment set
      environment = coalesce(environment, ${environment}),
      network = coalesce(network, ${network}),
      pepper_check = coalesce(pepper_check, ${checks["merchants.keyPepper"]}),
      master_key_check = coalesce(master_key_check, ${checks["webhooks.masterKey"]}),
      integrity_check = coalesce(integrity_check, ${checks["integrity.key"]}),
      account_xpub_check = coalesce(account_xpub_check, ${checks["addresses.accountXpub"]})`);
}

/** Replaces the checks that are not null: those of the pepper and of the master key. */
export async function replaceSecretChecks(tx: Transaction, checks: SecretChecks): Promise<void> {
  await tx.query(sql`
    update deployment set
      pepper_check = coalesce(${checks["merchants.keyPepper"]}, pepper_check),
      master_key_check = coalesce(${checks["webhooks.masterKey"]}, master_key_check)`);
}

/** Unbinds the xpub if it is the one of this check. */
export async function clearXpubCheck(tx: Transaction, check: Buffer): Promise<void> {
  await tx.query(sql`update deployment set account_xpub_check = null where account_xpub_check = ${check}`);
}

/** The account xpubs that addresses were derived from. */
export async function listAccountXpubs(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ xpub: string }>(sql`select xpub from account_keys`);
  return rows.map(({ xpub }) => xpub);
}

/** Block 0 of the network, once a node was verified. */
export async function findGenesisId(db: Queryable): Promise<string | null> {
  const { id } = one(await db.query<{ id: string | null }>(sql`select genesis_id as id from deployment`));
  return id;
}

/** The key of the checksum in every checkout token: 32 bytes, made with the database and never changed. */
export async function getCheckoutKey(db: Queryable): Promise<Buffer> {
  const row = one(
    await db.query<{ checkoutKey: Buffer }>(sql`select checkout_key as "checkoutKey" from deployment`),
  );
  return row.checkoutKey;
}

export async function insertGenesisId(db: Queryable, genesisId: string): Promise<void> {
  await db.query(sql`update deployment set genesis_id = ${genesisId} where genesis_id is null`);
}

/** The newest read and the newest final block, undefined before the first block. */
export async function findScannedBlock(
  db: Queryable,
  network: string,
): Promise<{ number: bigint; solidNumber: bigint; ageSeconds: number } | undefined> {
  return maybeOne(
    await db.query<{ number: bigint; solidNumber: bigint; ageSeconds: number }>(sql`
      select number, solid_number as "solidNumber", extract(epoch from now() - time)::float8 as "ageSeconds"
      from scan_cursors where network = ${network}`),
  );
}

/**
 * The holder of this lease (undefined without one) and the height of the scan, in one query. A block that is ahead of this
 * clock is 0 s old.
 */
export async function findReader(
  db: Queryable,
  { network, lease }: { network: string; lease: string },
): Promise<{
  holder: string | undefined;
  scanned: { number: number; solidNumber: number; ageSeconds: number } | undefined;
}> {
  const { holder, number, solidNumber, ageSeconds } = one(
    await db.query<{
      holder: string | null;
      number: bigint | null;
      solidNumber: bigint;
      ageSeconds: number;
    }>(sql`
      select number, solid_number as "solidNumber",
        greatest(0, extract(epoch from now() - time))::float8 as "ageSeconds",
        (select holder from leases where name = ${lease} and not is_free) as holder
      from (values (1)) this left join scan_cursors on network = ${network}`),
  );
  const scanned =
    number === null ? undefined : { number: Number(number), solidNumber: Number(solidNumber), ageSeconds };
  return { holder: holder ?? undefined, scanned };
}

/** The number of the last migration, and the version of the server. */
export async function findDatabaseVersions(db: Queryable): Promise<{ schema: number; postgresql: string }> {
  return one(
    await db.query<{ schema: number; postgresql: string }>(sql`
      select max(version)::integer as schema, current_setting('server_version') as postgresql from schema_version`),
  );
}

/**
 * The valid indexes and the foreign keys of the schema's tables, by name. Partitions are left out: an index of their table is
 * valid once each of them has its part.
 */
export async function listSchemaObjects(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    with tables as (
      select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and not relispartition)
    select index.relname::text as name from pg_index
      join tables on tables.oid = indrelid join pg_class index on index.oid = indexrelid where indisvalid
    union all
    select tables.relname || '.' || conname from pg_constraint
      join tables on tables.oid = conrelid where contype = 'f' and conparentid = 0`);
  return rows.map(({ name }) => name).sort();
}

/** The number of months ahead with partitions, of the table with fewest. */
export async function countMonthsAhead(db: Queryable): Promise<number> {
  const { months } = one(
    await db.query<{ months: number }>(sql`
      select coalesce(min(months), 0)::integer as months from (
        select (
          select count(*) from pg_inherits join pg_class on oid = inhrelid
          where inhparent = partrelid
            and substring(pg_get_expr(relpartbound, oid) from 'FROM \\(''([^'']+)''\\)')::timestamptz > now()) as months
        from pg_partitioned_table join pg_class on oid = partrelid and relnamespace = current_schema()::regnamespace) ready`),
  );
  return months;
}
