import { withDedicatedClient } from "@daric/postgres/dedicated-client";

/** Deleted rows keep their place, so a database that grew beyond this is slower than a new one. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * Lets a test database be used again: `pristine.restore(connections)` gives its tables the rows and sequences of now,
 * and returns true. It returns false for a database that must be dropped. Its schema, settings or statistics have
 * changed, it has grown, a lock is held, or the server has another number of `connections` than the caller. An
 * uncounted connection could still write. Call it last, because it remembers the schema.
 */
export async function installRestore(url: string): Promise<void> {
  await withDedicatedClient({ connectionString: url }, async (client) => {
    await client.query(FUNCTIONS);
    await client.query(
      "create event trigger alterations on ddl_command_end execute function pristine.note()",
    );
  });
}

/** Rows are deleted as a replica would, so foreign keys and triggers ignore it. */
const FUNCTIONS = `
  create schema pristine;
  grant usage on schema pristine to public;
  create table pristine.alterations (at timestamptz not null default now());

  create function pristine.note() returns event_trigger language plpgsql security definer as $$
  begin
    insert into pristine.alterations default values;
  end $$;

  create table pristine.tables as
  select oid::regclass::text as name from pg_class
  where relnamespace in ('public'::regnamespace, 'decoys'::regnamespace) and relkind = 'r'
    and oid <> 'decoys.tenants'::regclass;

  create table pristine.sequences as
  select format('%I.%I', schemaname, sequencename) as name, start_value, last_value from pg_sequences;

  do $$
  declare
    source text;
    rows bigint;
    number integer := 0;
  begin
    alter table pristine.tables add copy text, add columns text;
    for source in select name from pristine.tables loop
      execute format('select count(*) from %s', source) into rows;
      if rows > 0 then
        number := number + 1;
        execute format('create table pristine.copy_%s as table %s', number, source);
        update pristine.tables set copy = format('pristine.copy_%s', number), columns = (
          select string_agg(quote_ident(attname), ', ') from pg_attribute
          where attrelid = source::regclass and attnum > 0 and not attisdropped and attgenerated = '')
        where name = source;
      end if;
    end loop;
  end $$;

  create function pristine.is_restorable(connections integer) returns boolean language sql security definer as $$
    select not exists (select from pristine.alterations)
      and not exists (
        select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database())
      and not exists (
        select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and reltuples > 0)
      and (select sum(pg_relation_size(name::regclass)) from pristine.tables) <= ${MAX_BYTES}
      and connections = (
        select count(*) from pg_stat_activity where datname = current_database() and backend_type = 'client backend')
      and not exists (
        select from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and locktype = 'advisory')
  $$;

  create function pristine.restore(connections integer) returns boolean language plpgsql
    security definer set session_replication_role = replica as $$
  declare
    each record;
  begin
    if not pristine.is_restorable(connections) then return false; end if;
    for each in select * from pristine.tables where pg_relation_size(name::regclass) > 0 loop
      execute format('delete from %s', each.name);
      if each.copy is not null then
        execute format('insert into %1$s (%2$s) overriding system value select %2$s from %3$s', each.name, each.columns, each.copy);
      end if;
    end loop;
    perform setval(s.name::regclass, coalesce(s.last_value, s.start_value), s.last_value is not null)
    from pristine.sequences s
    where s.last_value is distinct from pg_sequence_last_value(s.name::regclass);
    return true;
  end $$;`;
