import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@daric/postgres/sql";
import type { Stack, StackMerchant } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { findLosses, type Losses } from "../fail-over/losses.ts";
import { openSales, type Sales } from "../fail-over/sales.ts";
import { type ClusterDatabase, query } from "./cluster.ts";

const CALM_MS = 20_000;
const HANG_MS = 120_000;
const NAMED_WITHIN_MS = 20_000;
const PAGE_EVERY_MS = 1_000;
const LIMIT_MS = 600_000;
const MAX_MERCHANTS = 20;
/** So many webhooks of each merchant are refused shortly before the hang. More in a row would suspend the endpoint. */
const REFUSED = 3;
/** The refusal is recorded within it. */
const RECORDED_MS = 2_000;
/** The second attempt comes when the server hangs and has been named. */
export const RETRY_SCHEDULE = "0s,20s,20s,60s,60s,60s,60s";

/** How a service serves the merchants of one server while the other server hangs. */
export type Hang = Pick<Losses, "lost" | "doubled" | "unannounced"> & {
  /** whether `/readyz` named the server, and was ready */
  readonly isNamed: boolean;
  /** orders a second of the other server's merchant, and their median, before and during the hang */
  readonly before: Pace;
  readonly during: Pace;
  /** the longest time without an order of it */
  readonly longestGapMs: number;
  /** the answers by status to a payer who opens the newest order of each merchant, from the time when the server is named */
  readonly pages: { readonly theirs: Statuses; readonly others: Statuses };
  /** the webhooks in that time: a few of each merchant had been refused just before the hang, and came due again */
  readonly announced: { readonly theirs: number; readonly others: number };
  /** the orders that were paid during the hang, and announced before its end */
  readonly confirmed: { readonly theirs: number; readonly others: number };
  /** the time from the freeze to the first of them */
  readonly firstConfirmedMs: number;
  /** the refusals by code of the merchant whose server hung, and how long it waited for an order afterwards */
  readonly refused: Readonly<Record<string, number>>;
  readonly backMs: number;
};

type Statuses = Readonly<Record<string, number>>;
type Pace = { readonly perSecond: number; readonly medianMs: number };
type Scene = { readonly cluster: ClusterDatabase; readonly stack: Stack; readonly db: Database };
type Shop = {
  readonly merchant: StackMerchant;
  readonly receiver: WebhookReceiver;
  readonly sales: Sales;
};

/** Stops all processes of a worker for a minute under load, with their connections open, and lets them go on. */
export async function playHang(scene: Scene, logLine: (line: string) => void): Promise<Hang> {
  const { cluster, stack } = scene;
  const [hanging, other] = cluster.workers;
  if (hanging === undefined || other === undefined) throw new Error("two workers are needed");
  const [theirs, others] = [await openShop(scene, hanging.name), await openShop(scene, other.name)];
  const startedMs = performance.now();
  await sleep(CALM_MS);
  await Promise.all([theirs, others].map(refuseSome));
  const frozenMs = performance.now();
  await hanging.freeze();
  const paidBefore = [theirs, others].map(({ sales }) => sales.paid.length);
  const firstConfirmed = until(
    "an order that is paid during the hang is announced",
    async () => countAnnounced(others, paidBefore[1]) > 0,
    HANG_MS,
  ).then(
    () => Math.round(performance.now() - frozenMs),
    () => HANG_MS,
  );
  const isNamed = await isNamedIn(stack, hanging.name);
  const received = () => [theirs, others].map(({ receiver }) => receiver.received.length);
  const receivedBefore = received();
  const untilMs = frozenMs + HANG_MS;
  const [theirPages, otherPages] = await Promise.all(
    [theirs, others].map((shop) => openPages(stack, shop, untilMs)),
  );
  const announced = received().map((count, place) => count - (receivedBefore[place] ?? 0));
  const confirmed = {
    theirs: countAnnounced(theirs, paidBefore[0]),
    others: countAnnounced(others, paidBefore[1]),
  };
  const thawedMs = performance.now();
  await hanging.thaw();
  const made = theirs.sales.made.length;
  await until("its merchant has orders again", () => theirs.sales.made.length > made, LIMIT_MS);
  const figures = {
    isNamed,
    before: paceOf(others.sales, startedMs, frozenMs),
    during: paceOf(others.sales, frozenMs, thawedMs),
    pages: { theirs: theirPages ?? {}, others: otherPages ?? {} },
    announced: { theirs: announced[0] ?? 0, others: announced[1] ?? 0 },
    confirmed,
    firstConfirmedMs: await firstConfirmed,
    longestGapMs: longestGapOf(others.sales, frozenMs, thawedMs),
    refused: theirs.sales.codes,
    backMs: Math.round(performance.now() - thawedMs),
  };
  logLine(`${hanging.name} hung: ${JSON.stringify(figures)}`);
  // Together, so that the sales of one do not delay the announcements of the other.
  const losses = await Promise.all([theirs, others].map((shop) => closeShop(scene, shop)));
  const sum = (key: "lost" | "doubled" | "unannounced") => losses.reduce((all, loss) => all + loss[key], 0);
  return { ...figures, lost: sum("lost"), doubled: sum("doubled"), unannounced: sum("unannounced") };
}

/** How many of the orders that were paid after so many others are announced. */
function countAnnounced({ sales, receiver }: Shop, paidBefore = 0): number {
  const announced = new Set(receiver.received.map(({ event }) => event.data.depositAddressId));
  return sales.paid.slice(paidBefore).filter((id) => announced.has(id)).length;
}

/** Resolves when a webhook was refused, so that its next attempt comes during the hang. */
async function refuseSome({ receiver: { received, answerNext } }: Shop): Promise<void> {
  answerNext(...Array<number>(REFUSED).fill(503));
  await until("a webhook is refused", () => received.some(({ status }) => status === 503), LIMIT_MS);
  await sleep(RECORDED_MS);
}

/** A merchant whose rows stand on this worker, with an endpoint and sales. */
async function openShop({ cluster, stack }: Scene, worker: string): Promise<Shop> {
  for (let tries = 0; tries < MAX_MERCHANTS; tries += 1) {
    const merchant = await stack.merchant("--active-address-cap", "1000000");
    const [place] = await query<{ server: string }>(
      cluster.adminUrl,
      `select nodename || ':' || nodeport as server from pg_dist_placement join pg_dist_node using (groupid)
       where shardid = get_shard_id_for_distribution_column('merchants', '${merchant.id}'::uuid)`,
    );
    if (place?.server !== worker) continue;
    const receiver = await startWebhookReceiver();
    const eventTypes = ["order.paid" as const];
    await merchant.daric.webhooks.endpoints.create({
      url: receiver.url,
      eventTypes,
    });
    return { merchant, receiver, sales: openSales(stack, { merchant, apis: [stack.baseUrl] }) };
  }
  throw new Error(`none of ${MAX_MERCHANTS} merchants stands on ${worker}`);
}

/** Opens the page of the newest order once a second, as a payer does, and its projection. */
async function openPages({ baseUrl }: Stack, { sales }: Shop, untilMs: number): Promise<Statuses> {
  const statuses: Record<string, number> = {};
  while (performance.now() < untilMs) {
    const token = String(sales.made.at(-1)?.order.checkout_token);
    for (const path of [`/c/${token}`, `/v1/checkout/${token}`]) {
      const { status } = await fetch(`${baseUrl}${path}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    await sleep(PAGE_EVERY_MS);
  }
  return statuses;
}

async function closeShop({ db }: Scene, { sales, receiver }: Shop): Promise<Losses> {
  await sales.close();
  const losses = await findLosses(db, { sales, receiver, limitMs: LIMIT_MS });
  await receiver.stop();
  return losses;
}

async function isNamedIn({ baseUrl }: Stack, worker: string): Promise<boolean> {
  const isNamed = async () => {
    const answer = await fetch(`${baseUrl}/readyz`);
    return (await answer.text()).includes(`${worker} does not answer`);
  };
  return until("the server is named", isNamed, NAMED_WITHIN_MS).then(
    () => true,
    () => false,
  );
}

function timesOf({ made }: Sales, fromMs: number, toMs: number) {
  return made.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
}

function paceOf(sales: Sales, fromMs: number, toMs: number): Pace {
  const took = timesOf(sales, fromMs, toMs).map(({ tookMs }) => tookMs);
  const median = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
  return { perSecond: Math.round(took.length / ((toMs - fromMs) / 1_000)), medianMs: Math.round(median) };
}

function longestGapOf(sales: Sales, fromMs: number, toMs: number): number {
  const times = [fromMs, ...timesOf(sales, fromMs, toMs).map(({ atMs }) => atMs), toMs];
  return Math.round(Math.max(...times.slice(1).map((atMs, place) => atMs - (times[place] ?? 0))));
}
