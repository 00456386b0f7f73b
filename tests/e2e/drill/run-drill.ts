import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@daric/postgres/database";
import { sql } from "@daric/postgres/sql";
import { runDaricForOutput } from "@daric/server/cli/daric";
import { freePort } from "@daric/testing/free-port";
import { type Row, type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { prepareDatabase } from "../fail-over/service.ts";
import { type DebianPostgres, startDebianPostgres } from "./debian-postgres.ts";
import { openStackShop, type StackShop } from "./shop.ts";

/** The interval of TRON's blocks. */
const BLOCK_MS = 3_000;
const BEFORE_MS = 6_000;
const AFTER_MS = 6_000;
/** After these blocks a payment is final. */
const FINAL_BLOCKS = 30;
const LIMIT_MS = 300_000;

/** Times are in ms. The counts from `soldTwice` on must be 0, and `firstOrderMs` at most 5,000. */
export type DrillFigures = {
  readonly orders: number;
  readonly ordersLost: number;
  readonly paymentsLost: number;
  readonly dumpMs: number;
  readonly dumpBytes: number;
  readonly restoreMs: number;
  readonly checkMs: number;
  readonly migrateMs: number;
  /** from the start of the service on the restored database to its first order */
  readonly firstOrderMs: number;
  /** the time until all money of lost orders was listed */
  readonly listedMs: number;
  readonly adoptedMs: number;
  readonly soldTwice: number;
  readonly notListed: number;
  readonly notAlarmed: number;
  /** events that came a second time under another id */
  readonly eventsRenamed: number;
  readonly eventsMissing: number;
  readonly broken: number;
  /** load average of the last minute; far above the number of cores, the times mean little */
  readonly loadAverage: number;
};

type Scene = {
  readonly stack: Stack;
  readonly merchantId: string;
  readonly shop: StackShop;
  readonly receiver: WebhookReceiver;
  /** the environment of the owner's commands */
  readonly owner: Record<string, string>;
};

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedMs = performance.now();
  const result = await work();
  return [result, Math.round(performance.now() - startedMs)];
}

/**
 * Loses the database of a busy service, restores an older dump while the chain goes on, and recovers the lost
 * orders.
 */
export async function runDrill(logLine: (line: string) => void): Promise<DrillFigures> {
  const cleanUps: (() => unknown)[] = [];
  try {
    return await drill(logLine, cleanUps);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

async function drill(logLine: (line: string) => void, cleanUps: (() => unknown)[]): Promise<DrillFigures> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "daric-dump-"));
  await chmod(folder, 0o777);
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  const dumpFile = join(folder, "daric.dump");
  const first = await startDebianPostgres(port);
  cleanUps.push(first.lose);
  const scene = await openScene(first, cleanUps);
  const { shop, stack } = scene;

  await shop.sellFor(BEFORE_MS);
  logLine(`${shop.orders.length} orders; the dump begins, and the service goes on`);
  const [[, dumpMs]] = await Promise.all([timed(() => first.dump(dumpFile)), shop.sellFor(AFTER_MS)]);
  await stack.mine(FINAL_BLOCKS);
  await until(
    "the paid orders are announced",
    () => idsOf(scene, "order.paid").size === shop.paid.size,
    LIMIT_MS,
  );
  const before = announced(scene);
  await stack.stopService("SIGKILL");
  await first.lose();
  logLine(`${shop.orders.length} orders, ${shop.paid.size} paid; the database is lost`);

  // Payers still pay orders that the restored database has lost.
  for (const order of shop.orders.slice(-3)) await shop.pay(order);
  await stack.mine(FINAL_BLOCKS);
  const second = await startDebianPostgres(port);
  cleanUps.push(second.lose);
  const [, restoreMs] = await timed(() => second.restore(dumpFile));
  const [check, checkMs] = await timed(() =>
    runDaricForOutput<Row>(["restore", "check", "--database-url", second.url], {}),
  );
  logLine(`restored: ${JSON.stringify(check)}`);
  const lost = await findLost(second, shop);
  const [, migrateMs] = await timed(() => runDaricForOutput(["migrate"], scene.owner));
  return {
    orders: shop.orders.length,
    ordersLost: lost.orders.length,
    paymentsLost: lost.paid.length,
    dumpMs,
    dumpBytes: (await stat(dumpFile)).size,
    restoreMs,
    checkMs,
    migrateMs,
    ...(await serveAgain(scene, { lost: lost.paid, before }, logLine)),
  };
}

async function openScene({ url }: DebianPostgres, cleanUps: (() => unknown)[]): Promise<Scene> {
  const urls = await prepareDatabase(url);
  const stack = await startStack(urls);
  cleanUps.push(stack.stop);
  const blocks = setInterval(() => void stack.mine(1).catch(() => {}), BLOCK_MS);
  cleanUps.push(() => clearInterval(blocks));
  const merchant = await stack.merchant("--active-address-cap", "1000000");
  const receiver = await startWebhookReceiver();
  cleanUps.push(receiver.stop);
  const eventTypes = ["deposit.confirmed", "order.paid"] as const;
  await merchant.daric.webhooks.endpoints.create({ url: receiver.url, eventTypes: [...eventTypes] });
  const owner = { ...stack.variables, ...urls } as Record<string, string>;
  return { stack, merchantId: merchant.id, shop: openStackShop(stack, merchant), receiver, owner };
}

/** The orders that the restored database does not have. */
async function findLost({ url }: DebianPostgres, shop: StackShop): Promise<{ orders: Row[]; paid: Row[] }> {
  const db = openDatabase({ url, applicationName: "drill", onError: () => {} });
  const rows = await db.query<{ id: string }>(sql`select id from deposit_addresses`);
  await db.close();
  const known = new Set(rows.map(({ id }) => id));
  const orders = shop.orders.filter(({ id }) => !known.has(id));
  return { orders, paid: orders.filter(({ id }) => shop.paid.has(id)) };
}

type Lost = { readonly lost: readonly Row[]; readonly before: ReadonlyMap<string, string> };

async function serveAgain(scene: Scene, { lost, before }: Lost, logLine: (line: string) => void) {
  const { stack, shop, merchantId, owner } = scene;
  const sold = new Set(shop.orders.map(({ address }) => address));
  const startedMs = performance.now();
  const since = () => Math.round(performance.now() - startedMs);
  // The service is ready once the skipped addresses are watched; orders do not wait for that.
  const isStarted = stack.startService().catch(() => {});
  const firstOrderMs = await firstOrder(shop, since);
  logLine(`the first order after ${firstOrderMs} ms`);
  await shop.sellFor(AFTER_MS);
  const added = shop.orders.slice(sold.size).map(({ address }) => address);
  const soldTwice = added.filter((address) => sold.has(address)).length + added.length - new Set(added).size;

  const daric = (...args: string[]) => runDaricForOutput<Row>(args, owner);
  const listed = async (): Promise<string[]> =>
    (await daric("doctor")).foundMoney.map(({ address }: Row) => address);
  await until(
    "the money of lost orders is listed",
    async () => (await listed()).length >= lost.length,
    LIMIT_MS,
  );
  const listedMs = since();
  await isStarted;
  const shown = new Set(await listed());
  const alarmed = await countAlarms(owner);
  logLine(`${shown.size} addresses with money of lost orders are listed after ${listedMs} ms`);

  for (const { address, orderRef, order_ref, id } of lost)
    await daric("adopt", address, "--merchant", merchantId, "--order-ref", orderRef ?? order_ref, "--id", id);
  await stack.mine(1);
  const isAnnounced = () =>
    shop.orders.every(({ id }) => !shop.paid.has(id) || announced(scene).has(`order.paid ${id}`));
  await until("the lost orders are announced", isAnnounced, LIMIT_MS);
  const adoptedMs = since();
  const after = announced(scene);
  const deep = await daric("doctor", "--deep");
  await sleep(BLOCK_MS);
  return {
    firstOrderMs,
    listedMs,
    adoptedMs,
    soldTwice,
    notListed: lost.filter(({ address }) => !shown.has(address)).length,
    notAlarmed: Math.max(0, lost.length - alarmed),
    eventsRenamed: countRenamed(scene),
    eventsMissing: [...before.keys()].filter((what) => !after.has(what)).length,
    broken: deep.broken + deep.foundMoney.length,
    loadAverage: Math.round(loadavg()[0] ?? 0),
  };
}

async function firstOrder(shop: StackShop, since: () => number): Promise<number> {
  await until("an order is created", () => shop.sell().then(() => true), LIMIT_MS);
  return since();
}

async function countAlarms({ METRICS_PORT }: Record<string, string>): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  const [, count = "0"] =
    /^daric_alarms_total\{[^}]*alarm="unattributed_transfer"[^}]*\} (\d+)/m.exec(text) ?? [];
  return Number(count);
}

function idsOf({ receiver }: Scene, type: string): Set<string> {
  return new Set(receiver.received.filter(({ event }) => event.event === type).map(({ event }) => event.id));
}

/** The ids of the announced events by type and subject. */
function announced({ receiver }: Scene): Map<string, string> {
  return new Map(receiver.received.map(({ event }) => [subjectOf(event), event.id]));
}

function countRenamed({ receiver }: Scene): number {
  const ids = new Map<string, Set<string>>();
  for (const { event } of receiver.received) {
    const what = subjectOf(event);
    ids.set(what, (ids.get(what) ?? new Set()).add(event.id));
  }
  return [...ids.values()].filter(({ size }) => size > 1).length;
}

function subjectOf({ event, data }: WebhookReceiver["received"][number]["event"]): string {
  return `${event} ${event.startsWith("order.") ? data.depositAddressId : data.depositId}`;
}
