import { expect, it } from "vitest";
import { sessionFaults } from "./session-faults.ts";

it.each([
  "set statement_timeout = 0",
  "set session characteristics as transaction read only",
  "reset all",
  "select set_config('search_path', 'kept', false)",
  "with kept as (select set_config('search_path', $1, $2)) select from kept",
  "select pg_advisory_lock(1)",
  "select id from charges where pg_try_advisory_lock_shared(1, 2)",
  "select pg_advisory_unlock_all()",
  "create temp table rows (id int)",
  "create temp table rows as select 1",
  "listen events",
  "prepare mine as select 1",
  "declare rows cursor with hold for select 1",
  "select currval('charges_id_seq')",
])("a pooler in transaction mode breaks: %s", async (text) => {
  expect(await sessionFaults(text)).toHaveLength(1);
});

it.each([
  "begin; set local statement_timeout = 0; select 1",
  "set local search_path to default",
  "set transaction isolation level repeatable read",
  "show statement_timeout",
  "select set_config('search_path', 'kept', true)",
  "select pg_advisory_xact_lock(1), pg_try_advisory_xact_lock(2)",
  "insert into charges (id) values (nextval('charges_id_seq')) returning id",
])("a pooler in transaction mode takes: %s", async (text) => {
  expect(await sessionFaults(text)).toEqual([]);
});
