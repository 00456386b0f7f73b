import { processVariables } from "@daric/server/process/config";
import { createOrders, ORDER_AMOUNT, UNCAPPED } from "../charge-requests.ts";
import { type Generator, openGenerator } from "../generator.ts";
import { type Bench, print, timedBeside } from "../harness.ts";
import { control, type EventReceiver, pay, startEventReceiver } from "../payments.ts";
import { onCluster, type StagedDeployment, type StagedMerchant } from "../stage.ts";

const MERCHANTS = 60;
const MADE_AT_ONCE = 4;
/** Orders of each merchant that are paid in one block. */
const ORDERS_EACH = 3;
const PAYMENTS = MERCHANTS * ORDERS_EACH;
const FINAL_AFTER_BLOCKS = 20;
const bars = { max: 2.5 };

/** How many payments of many merchants a distributed database carries. */
export const citusPayments: Bench = {
  name: "citus-payments",
  measures:
    `the time of ${PAYMENTS} payments of ${MERCHANTS} merchants from their block to their webhooks, on a database whose tables ` +
    "`daric distribute` placed on the servers of CITUS_URL, over the same on one server",
  bar: `at most ${bars.max}`,
  run: ({ rounds }) => {
    const { CITUS_URL } = processVariables();
    if (CITUS_URL === undefined) throw new Error("CITUS_URL names no coordinator");
    return onCluster(CITUS_URL, async (stage) => {
      const receivers = [await startEventReceiver(), await startEventReceiver()] as const;
      try {
        const plain = await openShops(stage.plain, receivers[0]);
        const distributed = await openShops(stage.distributed, receivers[1]);
        // The first block of a fresh process is not measured.
        await distributed.announceBlock();
        await plain.announceBlock();
        const quiet = [await plain.announceBlock()];
        const ours: number[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          ours.push(await distributed.announceBlock());
          quiet.push(await plain.announceBlock());
        }
        const around = ours.map((_, index) => ((quiet[index] ?? 0) + (quiet[index + 1] ?? 0)) / 2);
        const ratios = ours.map((ms, index) => ms / (around[index] ?? 0));
        const labels = ["on three servers", "on one"] as const;
        return timedBeside({ ratios, attacked: ours, quiet, labels }, { unit: "ms of the block", bars });
      } finally {
        for (const receiver of receivers) await receiver.stop();
      }
    });
  },
};

/** Merchants, each with an endpoint, and the processes that read, confirm and announce. */
async function openShops(deployment: StagedDeployment, receiver: EventReceiver) {
  const api = await deployment.serve("api");
  const merchants: StagedMerchant[] = [];
  while (merchants.length < MERCHANTS) {
    const some = await Promise.all(
      Array.from({ length: MADE_AT_ONCE }, () => deployment.merchant(...UNCAPPED)),
    );
    await Promise.all(some.map((merchant) => addEndpoint(api.port, merchant, receiver.url)));
    merchants.push(...some);
  }
  await deployment.serve("watcher", { TRON_POLL_MS: "100" });
  await deployment.serve("webhooks");
  return { announceBlock: () => announceBlock(deployment, { port: api.port, merchants, receiver }) };
}

async function addEndpoint(port: number, { apiKey }: StagedMerchant, url: string): Promise<void> {
  const made = await fetch(`http://127.0.0.1:${port}/v1/webhooks/endpoints`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ url, eventTypes: ["deposit.confirmed"] }),
  });
  if (!made.ok) throw new Error(`no endpoint: ${await made.text()}`);
}

type Shops = {
  readonly port: number;
  readonly merchants: readonly StagedMerchant[];
  readonly receiver: EventReceiver;
};

/** Pays some orders of each merchant whole in one block, and answers how long it took until the last of them was announced. */
async function announceBlock(
  deployment: StagedDeployment,
  { port, merchants, receiver }: Shops,
): Promise<number> {
  const generator: Generator = await openGenerator(port, 1);
  const addresses: string[] = [];
  for (const merchant of merchants) {
    const orders = await createOrders(generator, merchant, ORDERS_EACH);
    addresses.push(...orders.map(({ address }) => address));
  }
  generator.close();
  await pay(deployment, addresses, ORDER_AMOUNT);
  const startedMs = performance.now();
  await control(deployment, "mine", { blocks: 1 + FINAL_AFTER_BLOCKS });
  const arrivals = await Promise.all(addresses.map((address) => receiver.awaitText(address)));
  const ms = Math.max(...arrivals) - startedMs;
  print(`    ${Math.round(ms)} ms: ${((PAYMENTS / ms) * 1_000).toFixed(1)} payments a second`);
  return ms;
}
