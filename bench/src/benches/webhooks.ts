import { assertSame, type Bench, type Contestant, compare } from "../harness.ts";
import { onStage } from "../stage.ts";
import {
  type Batch,
  BODY,
  countRecorded,
  countsOf,
  deliveringBatches,
  makeBatch,
  startCountingReceiver,
} from "../webhook-scene.ts";

/** `least` is deliveries a second. */
const bars = { must: 0.3, goal: 0.45, least: 2_500 };

/** Deliveries from the queue to the recorded result, beside signed posts to the same receiver. */
export const webhooks: Bench = {
  name: "webhooks",
  measures:
    "due deliveries of 10 merchants with 4 endpoints each, until each is recorded, beside a loop of signed posts to the " +
    "same receiver over 32 kept connections",
  bar: `at least ${bars.must}, goal ${bars.goal}, and ${bars.least} a second`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("webhooks");
      const receiver = await startCountingReceiver(stage);
      const url = `http://127.0.0.1:${receiver.port}/`;
      const api = await deployment.serve("api");
      const batches: Batch[] = [];
      for (const count of countsOf(effort)) batches.push(await makeBatch(deployment, { api, url, count }));
      await api.stop();
      await deployment.db.query("vacuum analyze");
      const worker = await deployment.serve("webhooks");
      const posts = await stage.child("signed-posts", { RECEIVER_URL: url, WEBHOOK_BODY: BODY });
      const ceiling: Contestant = {
        name: "signed posts",
        pid: posts.pid,
        run: async (extent) => {
          const done = await posts.run(extent);
          // The receiver forgets these hits.
          await receiver.run({ hits: 0, withinMs: 0 });
          return done;
        },
      };
      const ours = deliveringBatches(deployment, { name: "daric", worker, receiver, batches });
      const comparison = { ceiling, ours, measure: "rate", postgresPid: stage.postgresPid } as const;
      const outcome = await compare(comparison, effort);
      assertSame("deliveries", await countRecorded(deployment, batches));
      return { ...outcome, unit: "deliveries/s", bars, holds: outcome.ours >= bars.least };
    }),
};
