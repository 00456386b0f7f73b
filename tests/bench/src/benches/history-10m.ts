import { runDaricForOutput } from "@daric/server/cli";
import { type Created, chargeBody, createRequest, getRequest } from "../charge-requests.ts";
import { fillOrders } from "../fill.ts";
import { fillBacklog, finishBacklog } from "../fill-webhooks.ts";
import type { Request } from "../generator.ts";
import {
  assertSame,
  type Bench,
  type Contestant,
  compare,
  type Effort,
  type Outcome,
  print,
} from "../harness.ts";
import type { Program } from "../programs.ts";
import { onStage, type Stage } from "../stage.ts";
import { openShop, type Shop, worstOf } from "./four-requests.ts";

const SHORT = 10_000;
const OWN_ORDERS = 100;
const CONNECTIONS = 8;
const LIMIT = 20;
/** One in this many orders has a webhook that was delivered more than a year ago. */
const ORDERS_PER_DELIVERY = 20;
const OLDER_THAN = "400d";
const bars = { max: 1.5 };

type Measured = {
  readonly deployment: Shop["deployment"];
  readonly api: Program;
  readonly seller: Shop["seller"];
  readonly orders: readonly Created[];
  /** the order in the middle of the seller's list */
  readonly middle: string;
};

/** The cost of a long history for a request, and for `daric retain`. */
export const history10m: Bench = {
  name: "history-10m",
  measures:
    `CPU of the first page, a page in the middle by \`after=\`, a retrieve and a create, the worst of them, with \`--orders\` ` +
    `finished orders over ${SHORT}, half of them one merchant's; printed: the page in the middle over the first one, ` +
    "bytes an order, and `daric retain`",
  bar: `at most ${bars.max}`,
  run: (effort) =>
    onStage(async (stage) => {
      const short = await openHistory(stage, "short", SHORT);
      const long = await openHistory(stage, "long", effort.orders);
      const outcomes: Outcome[] = [];
      for (const name of requestNames) {
        print(name);
        const [ceiling, ours] = [contestant(name, short), contestant(name, long)];
        outcomes.push(await beside(stage, { ceiling, ours }, effort));
      }
      print("the page in the middle, over the first page of the same list");
      const pages = { ceiling: contestant("first page", long), ours: contestant("page by after", long) };
      await beside(stage, pages, { ...effort, rounds: Math.min(effort.rounds, 2) });
      await clearHistory(long, effort.orders);
      return { ...worstOf(outcomes), unit: "µs of CPU a request", bars };
    }),
};

const requestNames = ["first page", "page by after", "retrieve", "create"] as const;
type RequestName = (typeof requestNames)[number];

function contestant(name: RequestName, { api, seller, orders, middle }: Measured): Contestant {
  let count = 0;
  const nextId = () => orders[count++ % orders.length]?.id;
  const requests: Readonly<Record<RequestName, () => Request>> = {
    "first page": () => getRequest(`/v1/deposit-addresses?limit=${LIMIT}`, seller),
    "page by after": () => getRequest(`/v1/deposit-addresses?limit=${LIMIT}&after=${middle}`, seller),
    retrieve: () => getRequest(`/v1/deposit-addresses/${nextId()}`, seller),
    create: () => createRequest(seller),
  };
  return chargeBody(name, api, { connections: CONNECTIONS, next: requests[name] });
}

function beside(
  { postgresPid }: Stage,
  sides: { ceiling: Contestant; ours: Contestant },
  effort: Effort,
): Promise<Outcome> {
  return compare({ ...sides, measure: "cpu", postgresPid }, effort);
}

async function openHistory(stage: Stage, name: string, count: number): Promise<Measured> {
  const shop = await openShop(stage, name, OWN_ORDERS);
  const { deployment, seller, orders } = shop;
  const { db } = deployment;
  const startedMs = performance.now();
  await fillOrders(db, shop.merchants, count - OWN_ORDERS);
  await db.query("vacuum analyze");
  const { rows } = await db.query(
    `select (select count(*)::int from deposit_addresses) as orders, pg_database_size(current_database())::float8 as bytes,
       (select id from deposit_addresses where merchant_id = $1 order by created_at desc, id desc
        offset (select count(*) / 2 from deposit_addresses where merchant_id = $1) limit 1) as middle`,
    [seller.id],
  );
  const [{ bytes, middle, orders: filled }] = rows;
  assertSame("orders", { wanted: count, rows: filled });
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  print(`  ${name}: ${count} orders in ${seconds} s, ${Math.round(bytes / count)} bytes an order`);
  return { deployment, api: await deployment.serve("api"), seller, orders, middle };
}

/** Adds old webhooks, and runs `daric retain` beside the service. */
async function clearHistory({ deployment, api, seller }: Measured, count: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${api.port}/v1/webhooks/endpoints`, {
    method: "POST",
    headers: { "x-api-key": seller.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ url: "http://127.0.0.1:1/" }),
  });
  const { id } = ((await answer.json()) as { data: { id: string } }).data;
  const deliveries = Math.ceil(count / ORDERS_PER_DELIVERY);
  await fillBacklog(deployment.db, { merchantId: seller.id, id }, deliveries);
  await finishBacklog(deployment.db, seller.id);
  const startedMs = performance.now();
  const retained = await runDaricForOutput<{ deliveries: number; bodies: number }>(
    ["retain", "--older-than", OLDER_THAN],
    deployment.env,
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  print(`  retain: ${JSON.stringify(retained)}`);
  assertSame("deliveries", { old: deliveries, deleted: retained.deliveries });
  print(`  retain: ${seconds.toFixed(1)} s, ${Math.round(deliveries / seconds)} deliveries a second`);
}
