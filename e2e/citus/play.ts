import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openDatabase } from "@daric/postgres/database";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver } from "@daric/testing/webhook-receiver";
import { findLosses, type Losses } from "../fail-over/losses.ts";
import { openSales, type Sales } from "../fail-over/sales.ts";
import type { ClusterDatabase, ClusterWorker } from "./cluster.ts";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
const PAYMENTS = 100;
/** As TRON makes them. */
const BLOCK_MS = 3_000;
const LIMIT_MS = 600_000;
const DOWN_MS = 2_000;
/** Longer than a change stands prepared when both workers answer. */
const FROZEN_MS = 1_000;
const MOST_TRIES = 100;

export type MainJob = Losses & {
  /** how often each refusal was seen */
  readonly codes: Readonly<Record<string, number>>;
  /** changes that stood prepared on the killed worker when it was back */
  readonly preparedAtKill: number;
  /** from the restart of the worker until none of them stood prepared */
  readonly recoveredMs: number;
  /** the exit code of `daric doctor` at the end: how many invariants are broken */
  readonly doctor: number;
};

type Urls = { readonly ownerUrl: string; readonly serviceUrl: string };

/** Runs a command of the service with the URLs of a database. @throws Error with what it said when it fails */
export async function runOn({ ownerUrl, serviceUrl }: Urls, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: serviceUrl, DATABASE_DIRECT_URL: ownerUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [DARIC, ...args], { env });
  return stdout;
}

/**
 * The main job on a distributed database: 100 orders are paid, confirmed and announced. Meanwhile a worker is killed in the
 * middle of a commit.
 */
export async function playMainJob(cluster: ClusterDatabase, tell: (line: string) => void): Promise<MainJob> {
  const urls = { DATABASE_URL: cluster.serviceUrl, DATABASE_DIRECT_URL: cluster.ownerUrl };
  const stack = await startStack(urls);
  const blocks = setInterval(() => void stack.mine(1), BLOCK_MS);
  const receiver = await startWebhookReceiver();
  const db = openDatabase({ url: cluster.ownerUrl, applicationName: "citus-test", onError: () => {} });
  try {
    const merchant = await stack.merchant("--active-address-cap", "1000000");
    await merchant.daric.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["order.paid"] });
    const sales = openSales(stack, { merchant, apis: [stack.baseUrl] });
    await until("a third is paid", () => sales.paid.length >= PAYMENTS / 3, LIMIT_MS);
    tell(`${sales.made.length} orders, ${sales.paid.length} paid`);
    const killed = await killInCommit(cluster, sales, tell);
    await until("all is paid", () => sales.paid.length >= PAYMENTS, LIMIT_MS);
    await sales.close();
    const losses = await findLosses(db, { sales, receiver, limitMs: LIMIT_MS });
    return { ...losses, codes: sales.codes, ...killed, doctor: await examine(stack, cluster) };
  } finally {
    clearInterval(blocks);
    await db.close();
    await receiver.stop();
    await stack.stop();
  }
}

type Killed = Pick<MainJob, "preparedAtKill" | "recoveredMs">;

/** Freezes one worker while a change is prepared on both. Answers when it stands prepared on the other, and is not committed. */
async function freezeInCommit(frozen: ClusterWorker, other: ClusterWorker): Promise<void> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    await frozen.freeze();
    await sleep(FROZEN_MS);
    if ((await countPrepared(other)) > 0) return;
    await frozen.thaw();
    await sleep(FROZEN_MS * Math.random());
  }
  throw new Error(`no change stood prepared in ${MOST_TRIES} tries`);
}

/** Kills a worker on which a change stands prepared that the other worker has not answered: in the middle of its commit. */
async function killInCommit(
  { workers }: ClusterDatabase,
  sales: Sales,
  tell: (line: string) => void,
): Promise<Killed> {
  const [frozen, killed] = workers as [ClusterWorker, ClusterWorker];
  await freezeInCommit(frozen, killed);
  await killed.kill();
  await frozen.thaw();
  await sleep(DOWN_MS);
  await killed.start();
  const startedMs = performance.now();
  const preparedAtKill = await countPrepared(killed);
  tell(`${killed.name} was killed: ${preparedAtKill} changes stood prepared when it was back`);
  const made = sales.made.length;
  await until("no change stands prepared", async () => (await countPrepared(killed)) === 0, LIMIT_MS);
  const recoveredMs = Math.round(performance.now() - startedMs);
  await until("orders are made again", () => sales.made.length > made, LIMIT_MS);
  return { preparedAtKill, recoveredMs };
}

/** Changes that have stood prepared in our database for half a second: others are being committed. */
async function countPrepared(worker: ClusterWorker): Promise<number> {
  const [row] = await worker.query<{ count: number }>(
    `select count(*)::integer as count from pg_prepared_xacts
     where database = current_database() and prepared < clock_timestamp() - interval '500 ms'`,
  );
  return row?.count ?? 0;
}

async function examine(stack: Stack, { ownerUrl, serviceUrl }: ClusterDatabase): Promise<number> {
  const env = { ...stack.variables, DATABASE_URL: serviceUrl, DATABASE_DIRECT_URL: ownerUrl };
  return promisify(execFile)(process.execPath, [DARIC, "doctor"], { env }).then(
    () => 0,
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
      process.stderr.write(`${stdout}\n${stderr}\n`);
      return code;
    },
  );
}
