import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { migrate } from "@daric/postgres/migrate";
import { one, type Queryable, sql } from "@daric/postgres/sql";
import { readSweepTerms } from "@daric/settlement/plan/terms-store";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { raw } from "@daric/testing/raw-sql";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { MIGRATIONS_DIRECTORY } from "./migrations.ts";
import { findServesFrom } from "./store.ts";

/** A plain `pg_dump` of a service that was tried out, with the last schema that the baseline replaced. */
const DUMP = new URL("../../../../tests/testing/vectors/former-database.sql.gz", import.meta.url);

/** The newest migration that serves no program from before it. */
const NEWEST_CONTRACTING = 117;
/** Of migrations after those that are tested here. */
const NEW_TABLES = [
  "payment_links",
  "messages",
  "message_choices",
  "message_channels",
  "mail_stops",
  "refunds",
  "refund_addresses",
  "refund_transfers",
  "shop_codes",
];
/** The last file of the baseline. */
const BASELINE_UP_TO = 112;

let baseline: string;
let former: TestDatabase;

beforeAll(async () => {
  baseline = await mkdtemp(join(tmpdir(), "daric-baseline-"));
  const isOfIt = (path: string) =>
    path === MIGRATIONS_DIRECTORY || Number(basename(path).slice(0, 4)) <= BASELINE_UP_TO;
  await cp(MIGRATIONS_DIRECTORY, baseline, { recursive: true, filter: isOfIt });
});
afterAll(() => rm(baseline, { recursive: true }));

beforeEach(async () => {
  former = await createEmptyDatabase();
  const dump = gunzipSync(await readFile(DUMP)).toString();
  await withDedicatedClient({ connectionString: former.ownerUrl }, (client) => client.query(dump));
});
afterEach(() => former.drop());

/** Every property of the schema's objects that a dump has, a line for each object. */
async function describeSchema(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ line: string }>(sql`
    with ours as (select * from pg_class where relnamespace = current_schema()::regnamespace)
    select concat_ws(' ', relkind, relname, reloptions, relacl, relispartition, obj_description(oid, 'pg_class'),
      pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid)) as line from ours
    union all
    select concat_ws(' ', 'column', relname, row_number() over (partition by relname order by attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation, attidentity, attacl, attoptions,
      pg_get_expr(adbin, adrelid), col_description(attrelid, attnum))
    from ours join pg_attribute on attrelid = ours.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relkind in ('r', 'p')
    union all
    select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid),
      obj_description(pg_constraint.oid, 'pg_constraint'))
    from ours join pg_constraint on conrelid = ours.oid
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid) from ours join pg_index on indrelid = ours.oid
    union all
    select concat_ws(' ', 'sequence', relname, seqtypid::regtype, seqstart, seqincrement, seqcache) from ours
    join pg_sequence on seqrelid = ours.oid
    union all
    select concat_ws(' ', 'trigger', relname, tgname) from ours join pg_trigger on tgrelid = ours.oid where not tgisinternal
    union all
    select concat_ws(' ', 'function', oid::regprocedure) from pg_proc where pronamespace = current_schema()::regnamespace
    order by 1`);
  return rows.map(({ line }) => line);
}

/** The rows of every table but that of versions, without the nulls at their end: later migrations add columns. */
async function readRows(db: Queryable): Promise<Record<string, unknown>> {
  const tables = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> 'schema_version' order by 1`);
  const rows: Record<string, unknown> = {};
  for (const { name } of tables)
    rows[name] = await db.query(
      raw(`select regexp_replace(t::text, ',+\\)$', ')') as row from ${name} t order by 1`),
    );
  return rows;
}

const versions = (db: Queryable) =>
  db.query(sql`select version, name, md5 from schema_version order by version`);

it("a database with the last former schema becomes one of the baseline: the same schema as a new one, and its rows stay", async () => {
  const fresh = await createEmptyDatabase();
  await migrate(fresh.ownerUrl, baseline);
  // From version 18 on PostgreSQL names these constraints, and those of a renamed table keep their names.
  await former.owner.query(sql`
    do $$ begin
      if current_setting('server_version_num')::integer >= 180000 then
        alter table index_gaps rename constraint index_gaps_first_not_null to skipped_addresses_first_not_null;
      end if;
    end $$`);
  const before = await readRows(former.owner);
  expect(await migrate(former.ownerUrl, baseline)).toMatchObject({ applied: 0 });
  expect(await readRows(former.owner)).toEqual(before);
  expect(await describeSchema(former.owner)).toEqual(await describeSchema(fresh.owner));
  expect(await versions(former.owner)).toEqual(await versions(fresh.owner));
  await fresh.drop();
});

it("migration 0113 keeps the recovery codes that are left, the nodes of each rescan and the terms of sweeps, each in its row", async () => {
  const code = (byte: string) => Buffer.from(byte.repeat(32), "hex");
  await former.owner.query(sql`
    insert into recovery_codes select id, code_hash, used_at from people, (values
      (${code("01")}::bytea, null::timestamptz), (${code("cd")}::bytea, now())) made (code_hash, used_at)`);
  await former.owner.query(sql`
    insert into people (id, email, name) values (gen_random_uuid(), 'ben@shop.example', 'Ben')`);
  await former.owner.query(sql`
    insert into rescans (network, from_number, to_number, next_number) values ('devnet', 20, 30, 20)`);
  await former.owner.query(sql`
    insert into rescan_nodes values ('devnet', 1, 'a node', 1, 2, 'shows another block')`);
  await former.owner.query(sql`delete from sweep_terms`);
  await former.owner.query(sql`
    insert into sweep_terms values
      ('TRX', 268000, null, null, null, 86400000, '2026-11-20T10:00:00Z'),
      ('USDT', 7528500, 225855000, 99999999999999999999, 22585500, 86400000, '2026-11-20T10:00:00Z')`);
  await former.owner.query(sql`update settlement_control set paused_at = now(), pause_reason = 'a test'`);
  const before = await readRows(former.owner);

  await migrate(former.ownerUrl, MIGRATIONS_DIRECTORY);

  expect(
    await former.owner.query(sql`select recovery_code_hashes as codes from people order by email`),
  ).toEqual([{ codes: [code("01"), code("ab")] }, { codes: [] }]);
  expect(await former.owner.query(sql`select nodes from rescans order by id`)).toEqual([
    {
      nodes: [
        { node: "a node", shown: 1, notShown: 2, reason: "shows another block" },
        { node: "node 1", shown: 3, notShown: 0, reason: null },
      ],
    },
    { nodes: [] },
  ]);
  const common = { oldAfterMs: 86_400_000, foundAt: new Date("2026-11-20T10:00:00Z") };
  const noRate = { priceUsdE8: undefined, paysFrom: undefined, oldPaysFrom: undefined };
  expect(await readSweepTerms(former.owner)).toEqual([
    {
      ...common,
      currency: "USDT",
      price: 7_528_500n,
      priceUsdE8: 225_855_000n,
      paysFrom: 99_999_999_999_999_999_999n,
      oldPaysFrom: 22_585_500n,
    },
    { ...common, ...noRate, currency: "TRX", price: 268_000n },
  ]);
  const control = await former.owner.query(sql`select pause_reason as reason from settlement_control`);
  expect(control).toEqual([{ reason: "a test" }]);
  expect(await findServesFrom(former.owner)).toBe(NEWEST_CONTRACTING);

  const after = await readRows(former.owner);
  const changed = ["merchants", "people", "rescans", "settlement_control", "deployment", "scan_cursors"];
  const gone = ["recovery_codes", "rescan_nodes", "sweep_terms", "alert_messages"];
  const kept = Object.keys(before).filter((table) => !gone.includes(table));
  expect(Object.keys(after).filter((table) => !NEW_TABLES.includes(table))).toEqual(kept);
  for (const table of kept.filter((name) => !changed.includes(name)))
    expect(after[table], table).toEqual(before[table]);
});

it("migration 0114 keeps the fixed fees of each merchant", async () => {
  await former.owner.query(sql`
    insert into merchants (id, name, fee_fixed_usdt_units, fee_fixed_trx_units)
    values (gen_random_uuid(), 'Fixed', 500000, 999999999999999999), (gen_random_uuid(), 'Free', 0, 0)`);
  await migrate(former.ownerUrl, MIGRATIONS_DIRECTORY);
  const fees = await former.owner.query(sql`
    select name, fixed_fees::text as fees from merchants where name in ('Fixed', 'Free') order by name`);
  expect(fees).toEqual([
    { name: "Fixed", fees: '{"TRX": 999999999999999999, "USDT": 500000}' },
    { name: "Free", fees: "{}" },
  ]);
});

it("a database without recovery codes, rescans and terms of sweeps gets none by migration 0113", async () => {
  const fresh = await createEmptyDatabase();
  await migrate(fresh.ownerUrl, MIGRATIONS_DIRECTORY);
  expect(await readSweepTerms(fresh.owner)).toEqual([]);
  const control = await fresh.owner.query<{ terms: unknown }>(sql`select terms from settlement_control`);
  expect(one(control).terms).toBeNull();
  await fresh.drop();
});

it.each([
  ["without the last former file", "delete from schema_version where version = 54"],
  ["of other files", "update schema_version set md5 = 'x' where version = 30"],
])(
  "a database %s is refused in one line with the commit that it needs, and stays as it is",
  async (_, change) => {
    await former.owner.query(raw(change));
    const before = await versions(former.owner);
    await expect(migrate(former.ownerUrl, MIGRATIONS_DIRECTORY)).rejects.toThrow(
      /^the database has schema version 5[34], which is too old for this program: first run `daric migrate` of commit [0-9a-f]{8}$/,
    );
    expect(await versions(former.owner)).toEqual(before);
  },
);
