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
import { type Hang, playHang, RETRY_SCHEDULE } from "./hang.ts";
import { playRefund } from "./refund.ts";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
const PAYMENTS = 100;
/** Shorter than on TRON: a block is a commit over several servers, in which the worker is to be killed, and an order is none. */
const BLOCK_MS = 250;
const LIMIT_MS = 600_000;
const DOWN_MS = 2_000;
/** With both workers running, no transaction stays prepared this long. */
const FROZEN_MS = 1_000;
const MAX_TRIES = 100;

export type MainJob = Losses & {
  /** the number of refusals by code */
  readonly codes: Readonly<Record<string, number>>;
  /** transactions that were prepared on the killed worker after its restart */
  readonly preparedAtKill: number;
  /** the time from the worker's restart until none of them was prepared any more */
  readonly recoveredMs: number;
  /** the status of a refund at its end */
  readonly refund: string;
  readonly hang: Hang;
  /** the exit code of `daric doctor` at the end: how many invariants are broken */
  readonly doctor: number;
};

type Urls = { readonly ownerUrl: string; readonly serviceUrl: string };

/** Runs a command of the service with the URLs of a database. @throws Error with the command's output when it fails */
export async function runOn({ ownerUrl, serviceUrl }: Urls, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: serviceUrl, DATABASE_DIRECT_URL: ownerUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [DARIC, ...args], { env });
  return stdout;
}

/**
 * The main job on a distributed database: 100 orders are paid, confirmed and announced. Meanwhile a worker is killed in the
 * middle of a commit. Then a refund is asked for, claimed and paid, and a worker hangs.
 */
export async function runMainJob(
  cluster: ClusterDatabase,
  logLine: (line: string) => void,
): Promise<MainJob> {
  const urls = { DATABASE_URL: cluster.serviceUrl, DATABASE_DIRECT_URL: cluster.ownerUrl };
  const stack = await startStack({ ...urls, WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE });
  const blocks = setInterval(() => void stack.mine(1), BLOCK_MS);
  const receiver = await startWebhookReceiver();
  const db = openDatabase({ url: cluster.ownerUrl, applicationName: "citus-test", onError: () => {} });
  try {
    const merchant = await stack.merchant("--active-address-cap", "1000000");
    await merchant.daric.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["order.paid"] });
    const sales = openSales(stack, { merchant, apis: [stack.baseUrl] });
    await until("a third is paid", () => sales.paid.length >= PAYMENTS / 3, LIMIT_MS);
    logLine(`${sales.made.length} orders, ${sales.paid.length} paid`);
    const killed = await killInCommit(cluster, sales, logLine);
    await until("all is paid", () => sales.paid.length >= PAYMENTS, LIMIT_MS);
    await sales.close();
    const losses = await findLosses(db, { sales, receiver, limitMs: LIMIT_MS });
    const refund = await playRefund(stack, merchant);
    logLine(`the refund is ${refund}`);
    const hang = await playHang({ cluster, stack, db }, logLine);
    return { ...losses, codes: sales.codes, ...killed, refund, hang, doctor: await audit(stack, cluster) };
  } finally {
    clearInterval(blocks);
    await db.close();
    await receiver.stop();
    await stack.stop();
  }
}

type Killed = Pick<MainJob, "preparedAtKill" | "recoveredMs">;

/**
 * Freezes one worker during a two-phase commit. Resolves when the transaction is prepared on the other worker, and
 * not committed.
 */
async function freezeInCommit(frozen: ClusterWorker, other: ClusterWorker): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    await frozen.freeze();
    await sleep(FROZEN_MS);
    if ((await countPrepared(other)) > 0) return;
    await frozen.thaw();
    await sleep(FROZEN_MS * Math.random());
  }
  throw new Error(`no transaction was caught prepared in ${MAX_TRIES} tries`);
}

/**
 * Kills a worker in the middle of a two-phase commit: a transaction is prepared on it, and the other worker has
 * not answered.
 */
async function killInCommit(
  { workers }: ClusterDatabase,
  sales: Sales,
  logLine: (line: string) => void,
): Promise<Killed> {
  const [frozen, killed] = workers as [ClusterWorker, ClusterWorker];
  await freezeInCommit(frozen, killed);
  await killed.kill();
  await frozen.thaw();
  await sleep(DOWN_MS);
  await killed.start();
  const startedMs = performance.now();
  const preparedAtKill = await countPrepared(killed);
  logLine(`${killed.name} was killed: ${preparedAtKill} transactions were prepared after its restart`);
  const made = sales.made.length;
  await until("no transaction is prepared", async () => (await countPrepared(killed)) === 0, LIMIT_MS);
  const recoveredMs = Math.round(performance.now() - startedMs);
  await until("orders are made again", () => sales.made.length > made, LIMIT_MS);
  return { preparedAtKill, recoveredMs };
}

/** Counts transactions that have been prepared for half a second; younger ones are being committed. */
async function countPrepared(worker: ClusterWorker): Promise<number> {
  const [row] = await worker.query<{ count: number }>(
    `select count(*)::integer as count from pg_prepared_xacts
     where database = current_database() and prepared < clock_timestamp() - interval '500 ms'`,
  );
  return row?.count ?? 0;
}

async function audit(stack: Stack, { ownerUrl, serviceUrl }: ClusterDatabase): Promise<number> {
  const env = { ...stack.variables, DATABASE_URL: serviceUrl, DATABASE_DIRECT_URL: ownerUrl };
  return promisify(execFile)(process.execPath, [DARIC, "doctor"], { env }).then(
    () => 0,
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
      process.stderr.write(`${stdout}\n${stderr}\n`);
      return code;
    },
  );
}
