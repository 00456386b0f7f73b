import { chargeBody, createOrders, createRequest, inTurn, UNCAPPED } from "../charge-requests.ts";
import { type Done, type Extent, openGenerator } from "../generator.ts";
import {
  assertSame,
  type Bench,
  type Contestant,
  compare,
  type Effort,
  type Outcome,
  print,
} from "../harness.ts";
import { control, pay, startEventReceiver } from "../payments.ts";
import { processorTimeOf, processorTimeOfTree } from "../processor-time.ts";
import { type Program, waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment, type StagedMerchant } from "../stage.ts";
import { quantileOf } from "../verdict.ts";

const CONNECTIONS = 32;
const MERCHANTS = 100;
const MAX_PROCESSES = 3;
/** Payments of one block, which are announced together. */
const PAYMENTS = 200;
const FINAL_AFTER_BLOCKS = 20;
const bars = { must: 0.7 };

/** The throughput of more processes of each role on one database. */
export const rolesXN: Bench = {
  name: "roles-x-n",
  measures:
    `orders a second of ${MERCHANTS} merchants at ${CONNECTIONS} connections with ${MAX_PROCESSES} api processes over the same with one; ` +
    "printed: with two, and payments a second from their block to their webhooks with one, two and three watchers and webhooks processes",
  bar: `at least ${bars.must}: more processes than cores cost little throughput`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("roles_x_n");
      const merchants: StagedMerchant[] = [];
      for (let made = 0; made < MERCHANTS; made += 1) merchants.push(await deployment.merchant(...UNCAPPED));
      const apis: Program[] = [];
      for (let made = 0; made < MAX_PROCESSES; made += 1) apis.push(await deployment.serve("api"));
      let created = 0;
      const on = (some: readonly Program[]): Contestant => {
        const next = inTurn(merchants);
        const connections = Math.floor(CONNECTIONS / some.length);
        const each = some.map((api) =>
          chargeBody("api", api, { connections, next: () => createRequest(next()) }),
        );
        return {
          name: `${some.length} of api`,
          pid: some.map(({ pid }) => pid),
          run: async (extent) => {
            const done = await runAll(each, extent);
            created += done.done;
            return done;
          },
        };
      };
      const [one, two, three] = [on(apis.slice(0, 1)), on(apis.slice(0, 2)), on(apis)];
      const beside = (ours: Contestant, its: Effort): Promise<Outcome> =>
        compare({ ceiling: one, ours, measure: "rate", postgresPid: stage.postgresPid }, its);
      await beside(two, { ...effort, rounds: Math.min(effort.rounds, 2) });
      const outcome = await beside(three, effort);
      const { rows } = await deployment.db.query("select count(*)::int as count from deposit_addresses");
      assertSame("orders", { answered: created, rows: rows[0].count });
      await printPayments(
        { stage, deployment, api: apis[0] as Program, merchant: merchants[0] as StagedMerchant },
        effort,
      );
      return { ...outcome, unit: "orders a second", bars };
    }),
};

/** Runs the contestants at once, each with its share of the operations. */
async function runAll(contestants: readonly Contestant[], extent: Extent): Promise<Done> {
  const share = "count" in extent ? { count: Math.ceil(extent.count / contestants.length) } : extent;
  const all = await Promise.all(contestants.map(({ run }) => run(share)));
  return {
    done: all.reduce((sum, { done }) => sum + done, 0),
    elapsedMs: Math.max(...all.map(({ elapsedMs }) => elapsedMs)),
  };
}

type Shop = {
  readonly stage: Stage;
  readonly deployment: StagedDeployment;
  readonly api: Program;
  readonly merchant: StagedMerchant;
};

/** Prints how many payments a second are read, confirmed and announced, with more and more processes. */
async function printPayments(shop: Shop, { rounds }: Effort): Promise<void> {
  const receiver = await startEventReceiver();
  const body = JSON.stringify({ url: receiver.url, eventTypes: ["deposit.confirmed"] });
  const headers = { "x-api-key": shop.merchant.apiKey, "content-type": "application/json" };
  const made = await fetch(`http://127.0.0.1:${shop.api.port}/v1/webhooks/endpoints`, {
    method: "POST",
    headers,
    body,
  });
  if (!made.ok) throw new Error(`no endpoint: ${await made.text()}`);
  const workers: Program[] = [];
  let announced = 0;
  try {
    for (let processes = 1; processes <= MAX_PROCESSES; processes += 1) {
      workers.push(await shop.deployment.serve("watcher", { TRON_POLL_MS: "100" }));
      workers.push(await shop.deployment.serve("webhooks"));
      const usedUs = () =>
        workers.reduce(
          (sum, { pid }) => sum + processorTimeOf(pid),
          processorTimeOfTree(shop.stage.postgresPid),
        );
      const rates: number[] = [];
      let beforeUs = 0;
      for (let round = 0; round <= rounds; round += 1) {
        if (round === 1) beforeUs = usedUs();
        rates.push(await announceBlock(shop, announced));
        announced += PAYMENTS;
      }
      // The first block of a fresh process is not measured.
      const rate = quantileOf(rates.slice(1), 0.5);
      const ms = (usedUs() - beforeUs) / 1_000 / rounds / PAYMENTS;
      print(
        `  ${processes} of watcher and of webhooks: ${rate.toFixed(1)} payments a second, ${ms.toFixed(1)} ms of CPU each with PostgreSQL and the order`,
      );
    }
  } finally {
    await receiver.stop();
  }
}

/** Pays many orders in one block, and returns how many payments a second were announced. */
async function announceBlock({ stage, deployment, api, merchant }: Shop, already: number): Promise<number> {
  const generator = await openGenerator(api.port, 1);
  const orders = await createOrders(generator, merchant, PAYMENTS);
  generator.close();
  await pay(
    stage,
    orders.map(({ address }) => address),
  );
  const startedMs = performance.now();
  await control(stage, "mine", { blocks: 1 + FINAL_AFTER_BLOCKS });
  const isAnnounced = async (): Promise<boolean> => {
    const { rows } = await deployment.db.query(
      "select count(*)::int as count from webhook_deliveries where status = 'DELIVERED'",
    );
    return rows[0].count === already + PAYMENTS;
  };
  await waitUntil("every payment is announced", isAnnounced);
  return (PAYMENTS / (performance.now() - startedMs)) * 1_000;
}
