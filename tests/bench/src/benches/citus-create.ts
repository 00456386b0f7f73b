import { processVariables } from "@daric/server/process/config";
import { chargeBody, createRequest, inTurn, UNCAPPED } from "../charge-requests.ts";
import type { PacedRequest } from "../children/paced-client.ts";
import type { Done, Extent } from "../generator.ts";
import { assertSame, type Bench, compare, timedBeside } from "../harness.ts";
import type { Runner } from "../programs.ts";
import { type ClusterStage, onCluster, type StagedDeployment, type StagedMerchant } from "../stage.ts";
import { quantileOf } from "../verdict.ts";

/** Slow enough that creates do not wait for each other. */
const EVERY_MS = 200;
const WARM_UP = 50;
const ORDER = { amount: "25.5", orderRef: "A-1042" };
const MERCHANTS = 10;
const CONNECTIONS = 32;
const bars = { max: 2 };

/** The cost of an order on a distributed database. */
export const citusCreate: Bench = {
  name: "citus-create",
  measures:
    "the median time of one merchant's orders, one after the other, on a database whose tables `daric distribute` placed " +
    "on the servers of CITUS_URL, over the same on one server: the coordinator's server alone; printed: orders a second of " +
    `${MERCHANTS} merchants at ${CONNECTIONS} connections`,
  bar: `at most ${bars.max}`,
  run: (effort) => {
    const { rounds, seconds } = effort;
    const { CITUS_URL } = processVariables();
    if (CITUS_URL === undefined) throw new Error("CITUS_URL names no coordinator");
    return onCluster(CITUS_URL, async (stage) => {
      const [plain, distributed] = [
        await openCreator(stage, stage.plain),
        await openCreator(stage, stage.distributed),
      ];
      const quiet = [await plain.medianOf(seconds)];
      const ours: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        ours.push(await distributed.medianOf(seconds));
        quiet.push(await plain.medianOf(seconds));
      }
      const many = { ...effort, rounds: Math.min(rounds, 2), warmUp: WARM_UP * CONNECTIONS };
      await compare(
        { ceiling: plain.many, ours: distributed.many, measure: "rate", postgresPid: undefined },
        many,
      );
      await plain.assertCount();
      await distributed.assertCount();
      const around = ours.map((_, index) => ((quiet[index] ?? 0) + (quiet[index + 1] ?? 0)) / 2);
      const ratios = ours.map((median, index) => median / (around[index] ?? 0));
      const labels = ["on three servers", "on one"] as const;
      return timedBeside({ ratios, attacked: ours, quiet, labels }, { unit: "ms of the median", bars });
    });
  },
};

/** A merchant's program and its own process of the service, warmed up. */
async function openCreator(stage: ClusterStage, deployment: StagedDeployment) {
  const merchants: StagedMerchant[] = [];
  for (let made = 0; made < MERCHANTS; made += 1) merchants.push(await deployment.merchant(...UNCAPPED));
  const api = await deployment.serve("api");
  const create: PacedRequest = { method: "POST", path: "/v1/deposit-addresses", body: ORDER };
  const client: Runner<Done> = await stage.child("paced-client", {
    BENCH_BASE_URL: `http://127.0.0.1:${api.port}`,
    BENCH_API_KEY: merchants[0]?.apiKey,
    BENCH_EVERY_MS: String(EVERY_MS),
    BENCH_REQUESTS: JSON.stringify([create]),
  });
  let created = (await client.run({ count: WARM_UP })).created ?? 0;
  const next = inTurn(merchants);
  const many = chargeBody("orders", api, { connections: CONNECTIONS, next: () => createRequest(next()) });
  return {
    many: {
      ...many,
      run: async (extent: Extent): Promise<Done> => {
        const done = await many.run(extent);
        created += done.done;
        return done;
      },
    },
    medianOf: async (seconds: number): Promise<number> => {
      const done = await client.run({ seconds });
      created += done.created ?? 0;
      return quantileOf(done.timesMs ?? [], 0.5);
    },
    assertCount: async () => {
      const { rows } = await deployment.db.query("select count(*)::int as count from deposit_addresses");
      assertSame("orders", { answered: created, rows: rows[0].count });
    },
  };
}
