import { setTimeout as sleep } from "node:timers/promises";
import { createOrders, UNCAPPED } from "../charge-requests.ts";
import { renameOrder } from "../fill.ts";
import { openGenerator } from "../generator.ts";
import { type Bench, print, round3 } from "../harness.ts";
import { onStage, type StagedDeployment } from "../stage.ts";

const PAGES = 300;
const POLL_EVERY_MS = 3_000;
/** PostgreSQL's statistics arrive a second later. */
const COUNTED_AFTER_MS = 1_500;
const STRETCHES = 4;
const CHANGES = 10;
const CHANGE_POLL_MS = 50;
const MAX_AGE_MS = 1_000;
const bars = { must: 0.5, ageMs: MAX_AGE_MS };

/** The cost of pages that poll because they have no socket. */
export const checkoutPoll: Bench = {
  name: "checkout-poll",
  measures:
    `share of polls without a transaction of any process, while ${PAGES} pages poll an unchanged order each every ` +
    `${POLL_EVERY_MS / 1_000} s; and the longest time from a commit until a poll shows it`,
  bar: `at least ${bars.must}; at most ${bars.ageMs} ms`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("checkout_poll");
      const seller = await deployment.merchant(...UNCAPPED);
      const api = await deployment.serve("api");
      const generator = await openGenerator(api.port, 8);
      const tokens = (await createOrders(generator, seller, PAGES)).map(({ token }) => token);
      generator.close();
      const urlOf = (token: string) => `http://127.0.0.1:${api.port}/v1/checkout/${token}`;

      const seconds = effort.seconds * STRETCHES;
      const before = await transactions(deployment);
      const endMs = performance.now() + seconds * 1_000;
      const polled = await Promise.all(tokens.map((token, n) => pollOn(urlOf(token), { n, endMs })));
      const polls = polled.reduce((sum, count) => sum + count, 0);
      const cost = (await transactions(deployment)) - before;
      const share = 1 - cost / polls;
      print(`  ${polls} polls in ${seconds} s, ${cost} transactions`);

      const ages: number[] = [];
      for (const [n, token] of tokens.slice(0, CHANGES).entries()) {
        await poll(urlOf(token));
        await renameOrder(deployment.db, token, `changed-${n}`);
        const committedMs = performance.now();
        while ((await poll(urlOf(token))).data.order.ref !== `changed-${n}`) await sleep(CHANGE_POLL_MS);
        ages.push(performance.now() - committedMs);
      }
      const oldest = Math.max(...ages);
      print(`  a poll shows a change after ${Math.round(oldest)} ms at most, of ${CHANGES}`);
      return {
        ratio: round3(share),
        ours: round3(share),
        ceiling: 1,
        unit: "share of polls",
        rounds: 1,
        bars,
        holds: oldest <= MAX_AGE_MS,
        cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
        isInconclusive: false,
      };
    }),
};

/** One page; pages start staggered. Returns its number of polls. */
async function pollOn(url: string, { n, endMs }: { n: number; endMs: number }): Promise<number> {
  await sleep((n * POLL_EVERY_MS) / PAGES);
  let polls = 0;
  for (; performance.now() < endMs; polls += 1) {
    await poll(url);
    await sleep(POLL_EVERY_MS);
  }
  return polls;
}

async function poll(url: string): Promise<{ data: { order: { ref: string } } }> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data: { order: { ref: string } } };
}

async function transactions({ db }: StagedDeployment): Promise<number> {
  await sleep(COUNTED_AFTER_MS);
  const { rows } = await db.query(
    "select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()",
  );
  return rows[0].count;
}
