import { type ChildProcess, execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { until } from "@daric/testing/until";
import { end, openFolder, ordinaryUser, postgresqlPrograms, startProgram } from "../fail-over/programs.ts";

const START_LIMIT_MS = 60_000;
const PASSWORD = "drill";

/** A server of the machine's own PostgreSQL, which includes pg_dump. It runs as an ordinary user. */
export type DebianPostgres = {
  /** URL of the superuser, for the database `daric` once it exists */
  readonly url: string;
  /** Dumps `daric` into a file of pg_restore's format. */
  dump(file: string): Promise<void>;
  /** Creates `daric` and restores a dump into it. */
  restore(file: string): Promise<void>;
  /** Kills the server and removes its data. */
  lose(): Promise<void>;
};

export async function startDebianPostgres(port: number): Promise<DebianPostgres> {
  const bin = postgresqlPrograms();
  if (bin === undefined) throw new Error("this machine has no PostgreSQL");
  const folder = await mkdtemp(join(tmpdir(), "daric-drill-"));
  await openFolder(folder);
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
  const run = (program: string, args: readonly string[]) =>
    promisify(execFile)(join(bin, program), args, { ...ordinaryUser, cwd: folder, env: { LC_ALL: "C" } });
  const data = join(folder, "data");
  await run("initdb", [
    "-D",
    data,
    "-U",
    "postgres",
    "-A",
    "scram-sha-256",
    `--pwfile=${passwordFile}`,
    "-E",
    "UTF8",
  ]);
  const server: ChildProcess = startProgram(
    join(bin, "postgres"),
    ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-c", "max_connections=200"],
    folder,
  );
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/daric`;
  const admin = urlOfDatabase(url, "postgres");
  await until("PostgreSQL answers", () => executeAsAdmin(admin, "select 1").then(() => true), START_LIMIT_MS);
  return {
    url,
    dump: async (file) => void (await run("pg_dump", ["--format=custom", "--file", file, "--dbname", url])),
    restore: async (file) => {
      await executeAsAdmin(admin, "create database daric");
      await run("pg_restore", [
        "--no-owner",
        "--no-privileges",
        "--exit-on-error",
        "--jobs=2",
        "--dbname",
        url,
        file,
      ]);
    },
    lose: async () => {
      await end(server, "SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
