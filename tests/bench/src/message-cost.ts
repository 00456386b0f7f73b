import type { AwaitedMails, Mailed } from "./children/mail-server.ts";
import type { SentMessages } from "./children/send-messages.ts";
import { countMailed, fillPayers, mailVariables } from "./fill-messages.ts";
import type { Done } from "./generator.ts";
import { assertSame, type Contestant, compare, type Effort, type Outcome, print } from "./harness.ts";
import { makeOrders } from "./paid-addresses.ts";
import { payAtOnce } from "./paying-blocks.ts";
import type { Stage, StagedDeployment } from "./stage.ts";
import { BODY, startCountingReceiver } from "./webhook-scene.ts";

/** The messages for each second of a stretch, and the part of the effort's warm-up that is one of messages. */
const A_SECOND = 20;
const WARM_UP_SHARE = 1 / 25;
/** The posts for each message: they are cheap, and the kernel counts CPU in ticks of 10 ms. */
const POSTS_A_MESSAGE = 20;
/** Fewer than the mails to payers that a merchant may send in an hour. */
const ORDERS_OF_A_MERCHANT = 400;

/** The CPU of a mail to a payer, from its row to its record, beside that of a signed post. The servers that take both are left out. */
export async function messageCost(
  stage: Stage,
  deployment: StagedDeployment,
  effort: Effort,
): Promise<Outcome> {
  print("a message beside a signed post");
  const { rounds, seconds } = effort;
  const each = Math.ceil(A_SECOND * seconds);
  const warmUp = Math.ceil(effort.warmUp * WARM_UP_SHARE);
  const merchantIds = await makePaid(stage, deployment, warmUp + rounds * each);
  const mails = await stage.child<Mailed, AwaitedMails>("mail-server", {});
  const env = { ...deployment.env, ...mailVariables(mails) };
  const sender = await stage.child<Done, SentMessages>("send-messages", env);
  const receiver = await startCountingReceiver(stage);
  const posts = await stage.child("signed-posts", {
    RECEIVER_URL: `http://127.0.0.1:${receiver.port}/`,
    WEBHOOK_BODY: BODY,
  });
  const contestant = (name: string, pid: number, run: (count: number) => Promise<Done>): Contestant => ({
    name,
    pid,
    run: (extent) => run("count" in extent ? warmUp : each),
  });
  const ours = contestant("message", sender.pid, (count) => sender.run({ count }));
  const ceiling = contestant("signed post", posts.pid, (count) =>
    posts.run({ count: count * POSTS_A_MESSAGE }),
  );
  const { postgresPid } = stage;
  const outcome = await compare({ ceiling, ours, measure: "cpu", postgresPid }, effort);
  for (const program of [sender, posts]) await program.stop();
  const { sent, paidOrders } = await countMailed(deployment.db, merchantIds);
  const { done, different } = await mails.run({ mails: 0, withinMs: 0 });
  assertSame("mails", { expected: warmUp + rounds * each, sent, received: done, different, paidOrders });
  const { ratio, ours_us: message, ceiling_us: post, pg_us: postgres } = outcome.cpu;
  print(
    `  a message costs ${ratio} signed posts: ${message} µs, of them PostgreSQL ${postgres} µs, and ${post} µs`,
  );
  return outcome;
}

/** Makes orders with addresses of their payers, and has them paid by a service that mails nothing. */
async function makePaid(stage: Stage, deployment: StagedDeployment, count: number): Promise<string[]> {
  const merchants = Math.ceil(count / ORDERS_OF_A_MERCHANT);
  const made = await makeOrders(deployment, { merchants, ordersEach: Math.ceil(count / merchants) });
  const merchantIds = made.map(({ id }) => id);
  await fillPayers(deployment.db, merchantIds);
  const watcher = await deployment.serve("watcher", { TRON_POLL_MS: "100" });
  await payAtOnce(stage, deployment, made.flatMap(({ addresses }) => addresses).slice(0, count));
  await watcher.stop();
  return merchantIds;
}
