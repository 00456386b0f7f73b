import { createHash } from "node:crypto";
import type pg from "pg";

/** The files that the baseline (0100 to 0112) replaced, as the last commit with them has them. Both make the same schema. */
const FORMER = {
  newest: 54,
  /** MD5 of the files' checksums, in their order */
  md5: "f846fa0207c9c5c7ae1a30e150937895",
  commit: "9fd87a2e",
  /** the last file of the baseline */
  replacedUpTo: 112,
};

/**
 * From version 18 on PostgreSQL names these constraints. Those of a renamed table or column have kept their names, and a dump shows them.
 * A distributed database is left as it is.
 */
const NAME_NOT_NULL_CONSTRAINTS = `do $$
declare
  named record;
begin
  for named in
    select conrelid::regclass as table_name, conname as old_name, relname || '_' || attname || '_not_null' as new_name
    from pg_constraint join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'n' and relnamespace = current_schema()::regnamespace and not relispartition
      and conname <> relname || '_' || attname || '_not_null' and to_regclass('pg_catalog.pg_dist_partition') is null
  loop
    execute format('alter table %s rename constraint %I to %I', named.table_name, named.old_name, named.new_name);
  end loop;
end $$`;

/** A row of the version table. */
type VersionRow = { readonly version: number; readonly name: string; readonly md5: string };

/**
 * Makes a database of the former files one of the baseline: its rows in the version table are replaced.
 * @throws Error when the database lacks some of the former files, or has others.
 */
export async function adoptFormer(
  client: pg.Client,
  {
    applied,
    files,
  }: { readonly applied: readonly Omit<VersionRow, "name">[]; readonly files: readonly VersionRow[] },
): Promise<void> {
  const newest = applied.at(-1)?.version;
  const md5 = createHash("md5")
    .update(applied.map((row) => row.md5).join(""))
    .digest("hex");
  if (newest !== FORMER.newest || md5 !== FORMER.md5)
    throw new Error(
      `the database has schema version ${newest}, which is too old for this program: first run \`daric migrate\` of commit ${FORMER.commit}`,
    );
  await client.query(NAME_NOT_NULL_CONSTRAINTS);
  await client.query("delete from schema_version");
  for (const { version, name, md5 } of files.filter((file) => file.version <= FORMER.replacedUpTo))
    await client.query("insert into schema_version values ($1, $2, $3, now())", [version, name, md5]);
}
