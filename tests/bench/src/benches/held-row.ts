import { UNCAPPED } from "../charge-requests.ts";
import type { PacedRequest } from "../children/paced-client.ts";
import type { Done, Extent } from "../generator.ts";
import { assertSame, type Bench, print, timedBeside } from "../harness.ts";
import type { Program, Runner } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment, type StagedMerchant } from "../stage.ts";
import { quantileOf } from "../verdict.ts";

/** Each request waits two seconds for its held row, so fifty are in progress at once. */
const HELD_EVERY_MS = 40;
const OTHER_EVERY_MS = 25;
const WARM_UP = 400;
const SHARE = 0.99;
const bars = { max: 1.5 };

const ORDERS = "/v1/deposit-addresses";
const create: PacedRequest = { method: "POST", path: ORDERS, body: { amount: "25.5", orderRef: "A-1042" } };

/** The response time for other merchants while a session holds one merchant's rows. */
export const heldRow: Bench = {
  name: "held-row",
  measures:
    "the 99th percentile of the time of one merchant's orders and first pages, 40 a second, while a session holds rows that " +
    "25 requests a second of another merchant need, over the same without that session; each merchant has its own client process",
  bar: `at most ${bars.max}`,
  run: ({ rounds, seconds }) =>
    onStage(async (stage) => {
      const deployment = await stage.open("held_row");
      const [held, other] = [await deployment.merchant(...UNCAPPED), await deployment.merchant(...UNCAPPED)];
      const service = await deployment.serve("all");
      const [first, second] = [
        await clientOf(stage, service, {
          merchant: held,
          everyMs: HELD_EVERY_MS,
          requests: await requestsOf(service, held),
        }),
        await clientOf(stage, service, {
          merchant: other,
          everyMs: OTHER_EVERY_MS,
          requests: [create, { method: "GET", path: ORDERS }],
        }),
      ];
      let created = 1;
      const both = async (extent: Extent = { seconds }): Promise<[Done, Done]> => {
        const done = await Promise.all([first.run(extent), second.run(extent)]);
        created += done[0].created ?? 0;
        return done;
      };
      await both({ count: WARM_UP });
      const medians: number[] = [];
      const quiet = [await p99Of(both, "quiet", medians)];
      const loud: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        loud.push(await p99Of(() => whileHeld(deployment, held, both), "held"));
        quiet.push(await p99Of(both, "quiet", medians));
      }
      const { rows } = await deployment.db.query("select from deposit_addresses where merchant_id = $1", [
        held.id,
      ]);
      assertSame("orders of the held", { answered: created, rows: rows.length });
      const around = loud.map((_, index) => ((quiet[index] ?? 0) + (quiet[index + 1] ?? 0)) / 2);
      const ratios = loud.map((p99, index) => p99 / (around[index] ?? 0));
      // The slowest requests vary on any machine, so the medians decide whether the machine was steady.
      const times = { ratios, attacked: loud, quiet, steady: medians };
      return timedBeside(times, { unit: "ms of the 99th percentile", bars });
    }),
};

function clientOf(
  stage: Stage,
  { port }: Program,
  client: { merchant: StagedMerchant; everyMs: number; requests: readonly PacedRequest[] },
): Promise<Runner> {
  return stage.child("paced-client", {
    BENCH_BASE_URL: `http://127.0.0.1:${port}`,
    BENCH_API_KEY: client.merchant.apiKey,
    BENCH_EVERY_MS: String(client.everyMs),
    BENCH_REQUESTS: JSON.stringify(client.requests),
  });
}

/**
 * The 99th percentile of the other merchant's times; their median is added to `medians`. @throws Error for an
 * unexpected refusal or success
 */
async function p99Of(
  both: () => Promise<[Done, Done]>,
  state: "held" | "quiet",
  medians: number[] = [],
): Promise<number> {
  const [first, second] = await both();
  assertSame("refused of the held", {
    expected: state === "held" ? first.done : 0,
    were: first.refused ?? 0,
  });
  assertSame("refused of the other", { expected: 0, were: second.refused ?? 0 });
  const [p50, p99] = [quantileOf(second.timesMs ?? [], 0.5), quantileOf(second.timesMs ?? [], SHARE)];
  print(`  ${state}: median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  medians.push(p50);
  return p99;
}

/** A create, an extension and a change of an endpoint: each needs a held row. */
async function requestsOf({ port }: Program, { apiKey }: StagedMerchant): Promise<readonly PacedRequest[]> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: string } }).data.id;
  };
  const order = await make(ORDERS, { amount: "25.5" });
  const endpoint = await make("/v1/webhooks/endpoints", { url: "http://127.0.0.1:1/" });
  return [
    create,
    { method: "POST", path: `${ORDERS}/${order}/extend`, body: { seconds: 60 } },
    { method: "PATCH", path: `/v1/webhooks/endpoints/${endpoint}`, body: { description: "held" } },
  ];
}

/** Does the work while a session of the owner holds every row of the merchant that these requests need. */
async function whileHeld<T>(
  { db }: StagedDeployment,
  { id }: StagedMerchant,
  work: () => Promise<T>,
): Promise<T> {
  await db.query("begin");
  await db.query("select from merchants where id = $1 for update", [id]);
  await db.query("select from deposit_addresses where merchant_id = $1 for update", [id]);
  await db.query("select from webhook_endpoints where merchant_id = $1 for update", [id]);
  try {
    return await work();
  } finally {
    await db.query("rollback");
  }
}
