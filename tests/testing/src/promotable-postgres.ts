import { execFile } from "node:child_process";
import { appendFile, chown, copyFile, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { openDatabase } from "@daric/postgres/database";
import { type EmbeddedPostgres, startPostgres } from "@daric/postgres/embedded";
import { type Database, one, sql } from "@daric/postgres/sql";
import { scratchFolder } from "./scratch-folder.ts";
import { until } from "./until.ts";

/**
 * A primary and its synchronous streaming standby, behind one URL. In mode "demo" both keep acknowledged data
 * through a crash.
 */
export type PromotablePostgres = {
  /** the superuser's URL; it leads to the primary at first */
  readonly url: string;
  /** URL and process of the primary itself */
  readonly primary: { readonly url: string; readonly pid: number };
  /** Makes commits wait for the standby, or not. At first they wait. */
  setSynchronous(isSynchronous: boolean): Promise<void>;
  /** Kills the primary and all its sessions. */
  kill(): Promise<void>;
  /** Points the URL to the read-only standby. */
  leadToStandby(): void;
  /** Promotes the standby, on a new timeline. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

export async function startPromotablePostgres(mode: "demo" | "test" = "test"): Promise<PromotablePostgres> {
  const folder = await mkdtemp(join(scratchFolder(), "daric-promotable-"));
  const start = (name: string) => startPostgres({ home: join(folder, name), mode });
  const primary = await start("primary");
  await asSuperuser(primary.url, (db) => db.query(sql`alter role all set synchronous_commit = on`));
  await copyBase(primary, { from: join(folder, "primary"), to: join(folder, "standby") });
  const standby = await start("standby");
  await asSuperuser(primary.url, (db) => awaitStandby(db, true));
  const entrance = await openEntrance(primary.url);
  return {
    url: Object.assign(new URL(primary.url), { port: String(entrance.port) }).href,
    primary: { url: primary.url, pid: primary.pid },
    setSynchronous: (isSynchronous) => asSuperuser(primary.url, (db) => awaitStandby(db, isSynchronous)),
    kill: async () => {
      process.kill(primary.pid, "SIGKILL");
      entrance.leadTo(undefined);
      await primary.stop();
    },
    leadToStandby: () => entrance.leadTo(standby.url),
    promote: () => asSuperuser(standby.url, async (db) => void (await db.query(sql`select pg_promote()`))),
    stop: async () => {
      entrance.close();
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function asSuperuser<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, applicationName: "promotable", onError: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Copies a running server's files into a standby: PostgreSQL's "Making a Base Backup". */
async function copyBase(
  { url }: EmbeddedPostgres,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const [source, target] = [join(from, "data"), join(to, "data")];
  await mkdir(to, { mode: 0o700 });
  await copyFile(join(from, "daric-password"), join(to, "daric-password"));
  const label = await asSuperuser(url, (db) =>
    db.transaction(async (tx) => {
      await tx.query(sql`select pg_backup_start('base', true)`);
      await promisify(execFile)("cp", ["-a", source, target]);
      const stopped = await tx.query<{ label: string }>(
        sql`select labelfile as label from pg_backup_stop(false)`,
      );
      return one(stopped).label;
    }),
  );
  await rm(join(target, "postmaster.pid"));
  await writeFile(join(target, "backup_label"), label);
  const { uid, gid } = await stat(target);
  await chown(join(target, "backup_label"), uid, gid);
  await writeFile(join(target, "standby.signal"), "");
  await appendFile(join(target, "postgresql.auto.conf"), `primary_conninfo = '${url}'\n`);
}

async function awaitStandby(db: Database, isSynchronous: boolean): Promise<void> {
  await db.query(
    isSynchronous
      ? sql`alter system set synchronous_standby_names = '*'`
      : sql`alter system reset synchronous_standby_names`,
  );
  await db.query(sql`select pg_reload_conf()`);
  const state = isSynchronous ? "sync" : "async";
  await until("the standby streams", async () => {
    const streaming = await db.query(sql`select from pg_stat_replication where sync_state = ${state}`);
    return streaming.length === 1;
  });
}

/** A port that leads to the server of a URL, or nowhere. */
async function openEntrance(
  first: string,
): Promise<{ port: number; leadTo(url: string | undefined): void; close(): void }> {
  const sockets = new Set<Socket>();
  let goal: string | undefined = first;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const entrance = createServer((client) => {
    keep(client);
    if (goal === undefined) {
      client.destroy();
      return;
    }
    const server = connect(Number(new URL(goal).port), "127.0.0.1");
    keep(server);
    client.pipe(server).pipe(client);
    server.on("close", () => client.destroy());
    client.on("close", () => server.destroy());
  });
  await new Promise<void>((resolve) => entrance.listen(0, "127.0.0.1", resolve));
  return {
    port: (entrance.address() as AddressInfo).port,
    leadTo: (url) => {
      goal = url;
      cut();
    },
    close: () => {
      entrance.close();
      cut();
    },
  };
}
