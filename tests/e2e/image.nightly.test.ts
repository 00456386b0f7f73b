import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Daric } from "@daric/sdk";
import { runDaricForOutput } from "@daric/server/cli/daric";
import { TEST_XPUB } from "@daric/testing/context";
import { createTestDatabase } from "@daric/testing/database";
import { aDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FollowedStage, followDockerfile } from "./follow-dockerfile.ts";

/**
 * Builds the Dockerfile's stages as folders, without a container engine, and tests their content, their size and a
 * payment.
 */
const ROOT = join(import.meta.dirname, "../..");
const MAX_MB = 150;
/** The size of the last base image, by its Debian packages. */
const BASE_MB = 19;
const DRAIN_MS = 5_000;
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
/** The uid of an ordinary user, for tests that run as root. */
const ORDINARY_USER = 65_534;

let place: string;
let image: FollowedStage;
const children: ChildProcess[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "daric-image-"));
  const [context, stages] = [join(place, "context"), join(place, "stages")];
  for (const folder of [context, stages]) await mkdir(folder);
  // The build context: the files of git, without those that .dockerignore names.
  const ignored = (await readFile(join(ROOT, ".dockerignore"), "utf8"))
    .split("\n")
    .filter((line) => /^[^#]/.test(line));
  const excluded = ignored.flatMap((path) => [`:(exclude,glob)${path}`, `:(exclude,glob)${path}/**`]);
  const list = ["ls-files", "-co", "--exclude-standard", "-z", "--", ".", ...excluded];
  const { stdout: names } = await run("git", list, { cwd: ROOT, maxBuffer: 2 ** 26 });
  await writeFile(join(place, "files"), names);
  await run("sh", ["-c", `tar -c --null -T ${join(place, "files")} | tar -x -C ${context}`], { cwd: ROOT });
  if (isRoot) await run("chown", ["-R", `${ORDINARY_USER}:${ORDINARY_USER}`, place]);
  image = await followDockerfile({
    dockerfile: await readFile(join(ROOT, "Dockerfile"), "utf8"),
    context,
    place: stages,
    programs: { "/usr/local/bin/node": process.execPath },
    as: {
      ...(isRoot && { uid: ORDINARY_USER, gid: ORDINARY_USER }),
      env: { PATH: pathOfPrograms(), HOME: place },
    },
  });
}, 600_000);

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await rm(place, { recursive: true, force: true });
});

/** The PATH without the folders that a test runner adds. */
function pathOfPrograms(): string {
  return (process.env.PATH ?? "")
    .split(":")
    .filter((path) => !path.includes("node_modules"))
    .join(":");
}

/** Starts the image's entry point with these arguments, in an environment of its own. */
function start(args: string[], variables: Record<string, string>): ChildProcess {
  const [program = "", ...entry] = image.entrypoint.map((path) => join(image.root, path));
  const child = spawn(program, [...entry, ...args], {
    cwd: join(image.root, image.workdir),
    ...(isRoot && { uid: ORDINARY_USER, gid: ORDINARY_USER }),
    env: { ...image.env, HOST: "127.0.0.1", ...variables },
    stdio: ["ignore", "inherit", "inherit"],
  });
  children.push(child);
  return child;
}

it(`holds at most ${MAX_MB} MB with its base, and nothing that only a build needs`, async () => {
  const { stdout } = await run("du", ["-sb", image.root]);
  const megabytes = Number.parseInt(stdout, 10) / 1e6 + BASE_MB;
  process.stdout.write(`the image has ${megabytes.toFixed(1)} MB, ${BASE_MB} of them its base\n`);
  expect(megabytes).toBeLessThanOrEqual(MAX_MB);
  const names = await readdir(join(image.root, "app/node_modules"));
  for (const name of ["typescript", "esbuild", "vitest", "playwright-core"])
    expect(names).not.toContain(name);
});

it("an order is paid in the image, and SIGTERM ends the service within its drain and 2 s", async () => {
  const [database, devchain, port, metricsPort] = await Promise.all([
    createTestDatabase(),
    aDevchain(),
    freePort(),
    freePort(),
  ]);
  try {
    await devchain.mine(25);
    const variables = {
      ...{ DATABASE_URL: database.url, TRON_NETWORK: "devnet", TRON_NODE_URLS: devchain.url },
      ...{
        ACCOUNT_XPUB: TEST_XPUB,
        DARIC_KEY_PEPPER: "pepper-".repeat(6),
        DARIC_MASTER_KEY: "22".repeat(32),
      },
      ...{ DARIC_INTEGRITY_KEY: "55".repeat(32), PORT: String(port), METRICS_PORT: String(metricsPort) },
      ...{ TRON_POLL_MS: "100", LOG_LEVEL: "warn", SHUTDOWN_DRAIN_MS: String(DRAIN_MS) },
    };
    const service = start(["serve", "--role", "all"], variables);
    const baseUrl = `http://127.0.0.1:${port}`;
    await until("the service is ready", async () => (await fetch(`${baseUrl}/readyz`)).ok);
    const owner = { ...variables, DATABASE_DIRECT_URL: database.ownerUrl };
    const daric = (...args: string[]) => runDaricForOutput<Row>(args, owner);
    const { id } = await daric("merchant", "create", "--name", "Blue Bottle Books");
    await daric("settlement-account", "add", "--merchant", id, "--address", devchain.payer.address);
    const { key } = await daric("key", "create", "--merchant", id);
    const { depositAddresses } = new Daric({ baseUrl, apiKey: key });
    const order = await depositAddresses.create({ amount: "25.5", orderRef: "A-1042" });
    await devchain.control("faucet", { address: order.address, usdt: "25.5" });
    await devchain.mine(20);
    await until("the order is paid", async () => {
      return (await depositAddresses.retrieve(order.id)).payment_status === "paid";
    });
    const ended = once(service, "exit");
    const asked = performance.now();
    service.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - asked).toBeLessThan(DRAIN_MS + 2_000);
  } finally {
    await devchain.stop();
    await database.drop();
  }
});
