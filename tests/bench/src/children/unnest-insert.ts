import { randomBytes, randomUUID } from "node:crypto";
import { processVariables } from "@daric/server/process/config";
import pg from "pg";
import { runOnCommand } from "./serve-commands.ts";

/**
 * Inserts the existing deposits again, by one statement into a table with the same columns, checks, indexes and
 * foreign keys.
 */
const ROWS = 1_000;
const client = new pg.Client({ connectionString: processVariables().DATABASE_URL });
await client.connect();
await client.query("create table ceiling (like deposits including all)");
const { rows: foreignKeys } = await client.query<{ definition: string }>(`
  select pg_get_constraintdef(oid) as definition from pg_constraint
  where conrelid = 'deposits'::regclass and contype = 'f'`);
for (const { definition } of foreignKeys) await client.query(`alter table ceiling add ${definition}`);
const { rows: columns } = await client.query<{ name: string; type: string }>(`
  select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
  where attrelid = 'deposits'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`);
const names = columns.map(({ name }) => name);
const texts = columns.map(({ name }) => `array_agg(${name}::text order by id)`);
const { rows } = await client.query({
  text: `select ${texts.join(", ")} from (select * from deposits limit ${ROWS}) d`,
  rowMode: "array",
});
const values = rows[0] as (string | null)[][];
const insert = {
  name: "insert",
  text: `insert into ceiling (${names.join(", ")})
    select * from unnest(${columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ")})`,
};

/** The columns that must differ in each row. */
const fresh: Readonly<Record<string, () => string>> = {
  id: () => randomUUID(),
  tx_id: () => randomBytes(32).toString("hex"),
};

runOnCommand(async ({ ...extent }) => {
  const count = "count" in extent ? extent.count : 1;
  const startedMs = performance.now();
  for (let done = 0; done < count; done += 1) {
    const parameters = names.map((name, index) => {
      const make = fresh[name];
      return make ? Array.from({ length: ROWS }, make) : values[index];
    });
    await client.query({ ...insert, values: parameters });
  }
  return { done: count, elapsedMs: performance.now() - startedMs };
});
