import { assertSame, type Bench, type Contestant, compare } from "../harness.ts";
import { onStage } from "../stage.ts";
import {
  BODY,
  countTruth,
  deliveringBatches,
  ENDPOINTS_EACH,
  fillBatch,
  MERCHANTS,
  makeEndpoints,
  startWebhookReceiver,
} from "../webhook-scene.ts";

/** Deliveries of a measured stretch, for each of its seconds. */
const EACH_SECOND = 2_000;
const bars = { must: 0.3, goal: 0.45 };

/** Deliveries from the queue to the recorded result, beside signed posts to the same receiver. */
export const webhooks: Bench = {
  name: "webhooks",
  measures:
    "due deliveries of 10 merchants with 4 endpoints each, until each is recorded, beside a loop of signed posts to the " +
    "same receiver over 32 kept connections",
  bar: `at least ${bars.must}, goal ${bars.goal}`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("webhooks");
      const receiver = await startWebhookReceiver(stage);
      const url = `http://127.0.0.1:${receiver.port}/`;
      const api = await deployment.serve("api");
      const counts = [effort.warmUp, ...Array<number>(effort.rounds).fill(EACH_SECOND * effort.seconds)];
      const batches = [];
      for (const count of counts) {
        const endpoints = await makeEndpoints(deployment, api, {
          merchants: MERCHANTS,
          each: ENDPOINTS_EACH,
          url,
        });
        const batch = { endpoints, count: Math.ceil(count / endpoints.length) * endpoints.length };
        await fillBatch(deployment, batch);
        batches.push(batch);
      }
      await api.stop();
      await deployment.db.query("vacuum analyze");
      const worker = await deployment.serve("webhooks");
      const posts = await stage.child("signed-posts", { RECEIVER_URL: url, WEBHOOK_BODY: BODY });
      const ceiling: Contestant = {
        name: "signed posts",
        pid: posts.pid,
        run: async (extent) => {
          const done = await posts.run(extent);
          // Forgets these hits.
          await receiver.run({ hits: 0, withinMs: 0 });
          return done;
        },
      };
      const ours = deliveringBatches(deployment, { worker, receiver, batches });
      const outcome = await compare(
        { ceiling, ours, measure: "rate", postgresPid: stage.postgresPid },
        effort,
      );
      const hits = batches.reduce((sum, { count }) => sum + count, 0);
      assertSame("deliveries", await countTruth(deployment, hits));
      return { ...outcome, unit: "deliveries/s", bars };
    }),
};
