import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "@daric/postgres/database";
import { type EmbeddedPostgres, startPostgres } from "@daric/postgres/embedded";
import { type Sql, sql } from "@daric/postgres/sql";
import { freePort } from "./free-port.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** A PostgreSQL of the caller's own, under one URL, that dies and is followed by a standby with what it had on disk. */
export type PromotablePostgres = {
  /** of the superuser */
  readonly url: string;
  kill(): Promise<void>;
  /** Starts what was left on disk as a standby, which is read and not written. */
  startStandby(): Promise<void>;
  /** The standby goes on by itself, on a timeline of its own. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

/** Whatever it has answered survives {@link PromotablePostgres.kill}. */
export async function startPromotablePostgres(): Promise<PromotablePostgres> {
  const home = await mkdtemp(join(scratchFolder(), "daric-promotable-"));
  const start = (port: number) => startPostgres({ home, mode: "test", port });
  const port = await freePort();
  let server: EmbeddedPostgres = await start(port);
  const { url } = server;
  const asSuperuser = async (statement: Sql) => {
    const db = openDatabase({ url, applicationName: "promotable", onError: () => undefined });
    await db.query(statement);
    await db.close();
  };
  await asSuperuser(sql`alter role all set synchronous_commit = on`);
  return {
    url,
    kill: async () => {
      process.kill(server.pid, "SIGKILL");
      await server.stop();
    },
    startStandby: async () => {
      await writeFile(join(home, "data", "standby.signal"), "");
      server = await start(port);
    },
    promote: () => asSuperuser(sql`select pg_promote()`),
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}
