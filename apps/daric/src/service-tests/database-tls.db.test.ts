import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "@daric/postgres/database";
import { type EmbeddedPostgres, startPostgres } from "@daric/postgres/embedded";
import { sql } from "@daric/postgres/sql";
import { testEnvironment } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { OF_PRIVATE_CA } from "@daric/testing/tls-certificate";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConfigReport } from "../cli/check-config.ts";
import { serve } from "../main.ts";

let folder: string;
let server: EmbeddedPostgres;
let authority: string;
const warnings: Error[] = [];
const onWarning = (warning: Error) => warnings.push(warning);

/** The URL by this name of the host, with these parameters. */
function at(host: string, parameters: string): string {
  const url = new URL(server.url);
  url.hostname = host;
  return `${url.href}?${parameters}`;
}

const environment = (url: string) =>
  testEnvironment({ DATABASE_URL: url, DATABASE_DIRECT_URL: url, PORT: "0", METRICS_PORT: "0" });

async function trialOf(url: string): Promise<string> {
  const { out } = await captureDaric(["config", "check", "--json"], environment(url));
  const found = (JSON.parse(out) as ConfigReport).trials.find(({ trial }) => trial === "database");
  return `${found?.verdict} ${found?.words}`;
}

const startOf = (url: string): Promise<string> =>
  serve({ role: "webhooks", env: environment(url) }).then(
    (service) => service.stop().then(() => "started"),
    (error: unknown) => String(error),
  );

/** Gives the server the certificate, and waits until new connections get it. */
async function switchTlsOn(): Promise<void> {
  const data = join(folder, "data");
  const { uid, gid } = await stat(data);
  for (const [name, text] of [
    ["server.key", OF_PRIVATE_CA.key],
    ["server.crt", OF_PRIVATE_CA.cert],
  ] as const) {
    await writeFile(join(data, name), `${text}\n`, { mode: 0o600 });
    await chown(join(data, name), uid, gid);
  }
  const db = openDatabase({ url: server.url, onError: () => undefined });
  await db.query(sql`alter system set ssl = on`);
  await db.query(sql`select pg_reload_conf()`);
  await db.close();
  await until("the server speaks TLS", async () =>
    (await trialOf(at("localhost", `sslmode=verify-full&sslrootcert=${authority}`))).startsWith("OK"),
  );
}

beforeAll(async () => {
  process.on("warning", onWarning);
  folder = await mkdtemp(join(scratchFolder(), "daric-tls-"));
  authority = join(folder, "ca.pem");
  await writeFile(authority, OF_PRIVATE_CA.ca);
  server = await startPostgres({ home: folder, mode: "test" });
  expect(await captureDaric(["migrate"], environment(server.url))).toMatchObject({ code: 0 });
});
afterAll(async () => {
  process.off("warning", onWarning);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

it("a server without TLS is named, with both ways on", async () => {
  const url = at("localhost", "sslmode=require");
  const advice = /does not support SSL connections.*: switch its TLS on; .*`sslmode=disable`/;
  expect(await startOf(url)).toMatch(advice);
  expect(await trialOf(url)).toMatch(/^fault .*does not support SSL connections \(switch its TLS on; /);
});

describe("a server with a certificate by a CA of its own", () => {
  beforeAll(switchTlsOn);

  it.each(["prefer", "require", "verify-ca", "verify-full"])(
    "sslmode=%s without the CA: no start, at once and with the parameter to add",
    async (mode) => {
      const url = at("localhost", `sslmode=${mode}`);
      const startedMs = performance.now();
      expect(await startOf(url)).toMatch(
        /^StartError: .*unable to verify the first certificate: .* add `sslrootcert=<file of your provider's CA>` to the URL$/,
      );
      expect(performance.now() - startedMs).toBeLessThan(5_000);
      expect(await trialOf(url)).toMatch(
        /^fault .*add `sslrootcert=<file of your provider's CA>` to the URL\)/,
      );
      expect(await captureDaric(["migrate"], environment(url))).toMatchObject({
        code: 1,
        err: expect.stringContaining("sslrootcert=<file of your provider's CA>"),
      });
    },
  );

  it.each(["prefer", "require", "verify-ca", "verify-full"])(
    "sslmode=%s with the CA: starts, migrates, and nothing but Daric writes to the terminal",
    async (mode) => {
      const url = at("localhost", `sslmode=${mode}&sslrootcert=${authority}`);
      expect(await trialOf(url)).toMatch(/^OK PostgreSQL/);
      expect(await captureDaric(["migrate"], environment(url))).toMatchObject({ code: 0, err: "" });
      expect(await startOf(url)).toBe("started");
      expect(warnings).toEqual([]);
    },
  );

  it("another name than that of the certificate is refused, also by require", async () => {
    const url = at("127.0.0.1", `sslmode=require&sslrootcert=${authority}`);
    expect(await startOf(url)).toMatch(/: its certificate is for another name: use that name in its URL$/);
  });

  it("a file of the CA that is not there is named", async () => {
    const url = at("localhost", `sslmode=require&sslrootcert=${authority}.gone`);
    expect(await startOf(url)).toMatch(
      /ca\.pem\.gone.*: a file that the URL names, such as `sslrootcert`, cannot be read$/,
    );
    expect(await trialOf(url)).toMatch(/^fault .*cannot be read\)/);
  });
});
