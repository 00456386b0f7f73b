import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@daric/postgres/database";
import { type Database, sql } from "@daric/postgres/sql";
import { startStack } from "@daric/testing/stack";
import { startWebhookReceiver } from "@daric/testing/webhook-receiver";
import { type Cluster, startCluster } from "./cluster.ts";
import { findLosses, type Losses } from "./losses.ts";
import { openSales, type Sales } from "./sales.ts";
import { prepareDatabase, restartBehindProxy, startEachRole } from "./service.ts";

const KILLS = 5;
/** The interval of TRON's blocks. */
const BLOCK_MS = 3_000;
const STEADY_MS = 3_000;
/** After this time Patroni has removed a lost standby, and commits no longer wait for it. */
const ALONE_MS = 10_000;
/** The reboot time of the primary's machine, if no standby takes its place. */
const REBOOT_MS = 8_000;
const ANSWER_MS = 1_000;
const LIMIT_MS = 300_000;

/** Times are in ms, one for each fail-over; the last one lost the standby before the primary. */
export type FailOvers = Losses & {
  /** the number of refusals by code */
  readonly codes: Readonly<Record<string, number>>;
  /** from the kill until the database accepts a write again */
  readonly dbGapMs: readonly number[];
  /** from that write until an order is created */
  readonly createGapMs: readonly number[];
  /** failed requests while the apis restarted in turn behind HAProxy */
  readonly rollingFailed: number;
};

type CleanUps = (() => unknown)[];
type Gap = { readonly dbMs: number; readonly createMs: number };
type Scene = { readonly cluster: Cluster; readonly probe: Database; readonly sales: Sales };

/**
 * Kills the primary five times while orders are created and paid, and once more after its standby. Then
 * restarts the apis in turn behind HAProxy. `logLine` gets a line for each.
 */
export async function runFailOvers(logLine: (line: string) => void): Promise<FailOvers> {
  const cleanUps: CleanUps = [];
  try {
    return await runRounds(logLine, cleanUps);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function runRounds(logLine: (line: string) => void, cleanUps: CleanUps): Promise<FailOvers> {
  const cluster = await startCluster();
  cleanUps.push(cluster.stop);
  await cluster.whenSynchronous();
  const stack = await startStack(await prepareDatabase(cluster.url));
  cleanUps.push(stack.stop);
  const blocks = setInterval(() => stack.mine(1), BLOCK_MS);
  cleanUps.push(() => clearInterval(blocks));
  const merchant = await stack.merchant("--active-address-cap", "1000000");
  const receiver = await startWebhookReceiver();
  cleanUps.push(receiver.stop);
  await merchant.daric.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["order.paid"] });
  const apis = await startEachRole(stack);
  const probe = openDatabase({ url: cluster.url, applicationName: "probe", onError: () => {} });
  cleanUps.push(() => probe.close());
  await probe.query(sql`create table probe (at timestamptz)`);

  const sales = openSales(stack, { merchant, apis: apis.map(({ url }) => url) });
  const gaps = await killAgainAndAgain({ cluster, probe, sales }, logLine);
  await sales.close();
  const losses = await findLosses(probe, { sales, receiver, limitMs: LIMIT_MS });
  const rollingFailed = await restartBehindProxy(stack, { apis, apiKey: merchant.apiKey });
  return {
    ...losses,
    codes: sales.codes,
    dbGapMs: gaps.map(({ dbMs }) => dbMs),
    createGapMs: gaps.map(({ createMs }) => createMs),
    rollingFailed,
  };
}

async function killAgainAndAgain(scene: Scene, logLine: (line: string) => void): Promise<Gap[]> {
  const { cluster } = scene;
  const gaps: Gap[] = [];
  for (let round = 1; round <= KILLS; round += 1) {
    await sleep(STEADY_MS);
    const primary = await cluster.primary();
    await primary.kill();
    const gap = await measureGap(scene);
    logLine(`fail-over ${round}: ${JSON.stringify(gap)}`);
    gaps.push(gap);
    await primary.start();
    await cluster.whenSynchronous();
  }
  const [primary, standby] = [await cluster.primary(), await cluster.standby()];
  await standby.kill();
  await sleep(ALONE_MS);
  await primary.kill();
  const restart = setTimeout(() => void primary.start(), REBOOT_MS);
  const gap = await measureGap(scene);
  clearTimeout(restart);
  logLine(`the standby lost first: ${JSON.stringify(gap)}`);
  await standby.start();
  await cluster.whenSynchronous();
  return [...gaps, gap];
}

/** The time from now until a write and then an order succeed. */
async function measureGap({ probe, sales }: Scene): Promise<Gap> {
  const killedMs = performance.now();
  const isLate = () => performance.now() - killedMs > LIMIT_MS;
  const write = () => probe.answeringWithin(ANSWER_MS).query(sql`insert into probe values (now())`);
  while (!isLate()) {
    const isWritten = await write().then(
      () => true,
      () => false,
    );
    if (isWritten) break;
    await sleep(50);
  }
  const backMs = performance.now();
  const made = sales.made.length;
  while (sales.made.length === made && !isLate()) await sleep(10);
  const createdMs = sales.made[made]?.atMs ?? Number.POSITIVE_INFINITY;
  return { dbMs: Math.round(backMs - killedMs), createMs: Math.max(0, Math.round(createdMs - backMs)) };
}
