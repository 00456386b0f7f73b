import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { type Tables, tenantColumn } from "./schema.ts";

/** The first id of decoys; merchants' ids begin with the time or with zeros. */
const FIRST_DECOY = "ffffffff-0000-0000-0000-000000000000";

/**
 * Gives every merchant a decoy: each inserted row also exists with the same ids under the decoy's id. A statement
 * that changes a decoy's row fails; one that reads without the merchant finds two rows. Views of the schema
 * `decoyless` hide decoys.
 * `decoys.changed` names tables with altered decoys. Directories have none. Truncating a table forgets its decoys.
 * Listed global statements may change them.
 */
export async function installDecoys(url: string, tables: Tables): Promise<void> {
  await withDedicatedClient({ connectionString: url }, async (client) => {
    await client.query(FUNCTIONS);
    const generated = await client.query<{ column: string }>(`
      select attrelid::regclass || '.' || attname as column from pg_attribute where attgenerated <> ''`);
    const computed = new Set(generated.rows.map(({ column }) => column));
    const tenants = Object.entries(tables).flatMap(([table, columns]) => {
      const tenant = tenantColumn(tables, table);
      const copied = columns.filter((column) => !computed.has(`${table}.${column}`));
      return tenant === undefined ? [] : [{ table, tenant, copied }];
    });
    for (const tenant of tenants) await client.query(triggersOf(tenant));
    await client.query(viewOfChanged(tenants));
  });
}

type TenantTable = { readonly table: string; readonly tenant: string; readonly copied: readonly string[] };

/*
 * Decoys are inserted as a replica would, so foreign keys and triggers ignore them. Their order does not matter,
 * and a decoy has no decoy.
 */
const FUNCTIONS = `
  create schema decoys;
  create schema decoyless;
  grant usage on schema decoys, decoyless to public;
  create table decoys.ledger (table_name text not null, rows bigint not null, hash numeric not null);

  create function decoys.decoy_of(merchant uuid) returns uuid language sql immutable as $$
    select ('ffffffff' || substr(merchant::text, 9))::uuid
  $$;

  create function decoys.make() returns trigger language plpgsql
    security definer set session_replication_role = replica as $$
  begin
    execute format(
      'with decoy as (insert into %1$I (%2$s) overriding system value select %3$s from new_rows on conflict do nothing returning *)
      insert into decoys.ledger select %1$L, count(*), sum(hash_record_extended(decoy, 0)) from decoy having count(*) > 0',
      tg_table_name, tg_argv[0], tg_argv[1]);
    return null;
  end $$;

  create function decoys.refuse() returns trigger language plpgsql as $$
  begin
    raise exception 'a statement reached the decoy of another merchant in %', tg_argv[0] using detail = current_query();
  end $$;

  create function decoys.follow() returns trigger language plpgsql security definer as $$
  begin
    insert into decoys.ledger values (tg_argv[0], -1, -hash_record_extended(old, 0));
    if tg_op = 'UPDATE' then insert into decoys.ledger values (tg_argv[0], 1, hash_record_extended(new, 0)); end if;
    return null;
  end $$;

  create function decoys.forget() returns trigger language plpgsql security definer as $$
  begin
    delete from decoys.ledger where table_name = tg_table_name;
    return null;
  end $$;`;

function triggersOf({ table, tenant, copied }: TenantTable): string {
  const values = copied.map((column) => (column === tenant ? `decoys.decoy_of(${column})` : column));
  const isGlobal = "current_query() like '/* global: %'";
  return `
    create trigger decoys_make after insert on ${table} referencing new table as new_rows
      for each statement execute function decoys.make('${copied.join(", ")}', '${values.join(", ")}');
    create trigger decoys_refuse_insert before insert on ${table} for each row
      when (new.${tenant} >= '${FIRST_DECOY}') execute function decoys.refuse('${table}');
    create trigger decoys_refuse before update or delete on ${table} for each row
      when (old.${tenant} >= '${FIRST_DECOY}' and not ${isGlobal}) execute function decoys.refuse('${table}');
    create trigger decoys_follow after update or delete on ${table} for each row
      when (old.${tenant} >= '${FIRST_DECOY}' and ${isGlobal}) execute function decoys.follow('${table}');
    create trigger decoys_forget after truncate on ${table} for each statement execute function decoys.forget();
    create view decoyless.${table} with (security_invoker = true) as
      select * from ${table} where ${tenant} < '${FIRST_DECOY}';
    grant all on decoyless.${table} to public;`;
}

/**
 * Opening a table on a new connection costs a third of a millisecond. So only tables in which decoys were made are
 * read: a test fills five of seventy.
 */
function viewOfChanged(tenants: readonly TenantTable[]): string {
  const columns = tenants.map(({ table, tenant }) => `('${table}', '${tenant}')`);
  return `
    create table decoys.tenants (table_name text primary key, tenant text not null);
    insert into decoys.tenants values ${columns.join(", ")};

    create function decoys.find_changed() returns table (table_name text, rows_made numeric, rows_found bigint)
      language plpgsql security definer as $$
    declare
      made_hash numeric;
      found_hash numeric;
      tenant text;
    begin
      for table_name, tenant, rows_made, made_hash in
        select l.table_name, t.tenant, sum(l.rows), sum(l.hash)
        from decoys.ledger l join decoys.tenants t using (table_name) group by 1, 2
      loop
        execute format(
          'select count(*), coalesce(sum(hash_record_extended(t, 0)), 0) from %I t where %I >= %L', table_name, tenant, '${FIRST_DECOY}')
          into rows_found, found_hash;
        if (rows_made, made_hash) <> (rows_found, found_hash) then return next; end if;
      end loop;
    end $$;

    create view decoys.changed as
    select table_name, rows_made as made, rows_found as found from decoys.find_changed();
    grant select on decoys.changed to public`;
}
