import { processVariables } from "@daric/server/process/config";
import pg from "pg";
import { runOnCommand } from "./serve-commands.ts";

/** The maximum of a Node process on this database: one named one-row insert, repeated on 32 connections. */
const CONNECTIONS = 32;
const INSERT = { name: "insert", text: "insert into ceiling (note) values ($1)" };

const clients = Array.from(
  { length: CONNECTIONS },
  () => new pg.Client({ connectionString: processVariables().DATABASE_URL }),
);
await Promise.all(clients.map((client) => client.connect()));
await clients[0]?.query(
  "create table if not exists ceiling (id bigint generated always as identity primary key, note text not null)",
);

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  let left = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  async function insertInTurn(client: pg.Client): Promise<void> {
    while (left > 0 && performance.now() < endMs) {
      left -= 1;
      await client.query({ ...INSERT, values: [`note ${left}`] });
      done += 1;
    }
  }
  await Promise.all(clients.map(insertInTurn));
  return { done, elapsedMs: performance.now() - startedMs };
});
