import { assertSame, type Bench, type Contestant, compare } from "../harness.ts";
import { onStage, type Stage } from "../stage.ts";
import { isAlikeUnanalyzed, MAX_UNANALYZED, stopAutovacuum } from "../unanalyzed.ts";
import {
  type Batch,
  BODY,
  type CountingReceiver,
  countRecorded,
  countsOf,
  deliveringBatches,
  makeBatch,
  startCountingReceiver,
} from "../webhook-scene.ts";

/** `least` is deliveries a second. */
const bars = { must: 0.3, goal: 0.45, min: 2_500, unanalyzed: MAX_UNANALYZED };

/** Deliveries from the queue to the recorded result, beside signed posts to the same receiver. */
export const webhooks: Bench = {
  name: "webhooks",
  measures:
    "due deliveries of 10 merchants with 4 endpoints each, until each is recorded, beside a loop of signed posts to the " +
    "same receiver over 32 kept connections; and once on tables that were never analyzed",
  bar: `at least ${bars.must}, goal ${bars.goal}, and ${bars.min} a second; at most ${bars.unanalyzed} times as slow unanalyzed`,
  run: (effort) =>
    onStage(async (stage) => {
      const receiver = await startCountingReceiver(stage);
      const url = `http://127.0.0.1:${receiver.port}/`;
      const once = { ...effort, rounds: 1 };
      const analyzed = await fillWorker(stage, {
        name: "analyzed",
        receiver,
        url,
        counts: [...countsOf(effort), ...countsOf({ ...effort, rounds: 2 })],
      });
      await analyzed.deployment.db.query("vacuum analyze");
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
      const ours = await analyzed.start();
      const { postgresPid } = stage;
      const outcome = await compare({ ceiling, ours, measure: "rate", postgresPid }, effort);
      await stopAutovacuum(analyzed.deployment.db);
      const fresh = await fillWorker(stage, { name: "unanalyzed", receiver, url, counts: countsOf(once) });
      const unanalyzed = await fresh.start();
      const beside = { ceiling: ours, ours: unanalyzed, measure: "rate", postgresPid } as const;
      const { ours: rate, ceiling: usual } = await compare(beside, once);
      for (const { deployment, batches } of [analyzed, fresh])
        assertSame("deliveries", await countRecorded(deployment, batches));
      const isAlike = isAlikeUnanalyzed({ unanalyzed: rate, analyzed: usual }, "deliveries/s");
      return { ...outcome, unit: "deliveries/s", bars, holds: outcome.ours >= bars.min && isAlike };
    }),
};

type Worker = {
  /** the name of its contestant, and of its database */
  readonly name: string;
  readonly receiver: CountingReceiver;
  readonly url: string;
  /** the deliveries of each stretch */
  readonly counts: readonly number[];
};

/** A deployment with a batch of due deliveries for each stretch, and the start of its worker. */
async function fillWorker(stage: Stage, { name, receiver, url, counts }: Worker) {
  const deployment = await stage.open(name);
  const api = await deployment.serve("api");
  const batches: Batch[] = [];
  for (const count of counts) batches.push(await makeBatch(deployment, { api, url, count }));
  await api.stop();
  const start = async () =>
    deliveringBatches(deployment, { name, worker: await deployment.serve("webhooks"), receiver, batches });
  return { deployment, batches, start };
}
