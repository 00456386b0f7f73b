import { setTimeout as sleep } from "node:timers/promises";
import { MAX_PAID_A_DAY } from "@daric/domain/message";
import { chargeBody, createRequest, UNCAPPED } from "../charge-requests.ts";
import type { AwaitedMails, Mailed } from "../children/mail-server.ts";
import { addOwner, countMailed, fillPayers, mailVariables } from "../fill-messages.ts";
import type { Done } from "../generator.ts";
import {
  assertSame,
  type Bench,
  type Contestant,
  compare,
  type Effort,
  type Outcome,
  print,
} from "../harness.ts";
import { messageCost } from "../message-cost.ts";
import { makeOrders } from "../paid-addresses.ts";
import { ordersOf, payInBlocks, whileBlocksEnd } from "../paying-blocks.ts";
import { type Program, type Runner, waitUntil } from "../programs.ts";
import { onStage, type Stage, type StagedDeployment } from "../stage.ts";
import { spreadOf } from "../verdict.ts";
import {
  type Batch,
  countRecorded,
  deliveringBatches,
  fillBatch,
  makeEndpoints,
  startCountingReceiver,
} from "../webhook-scene.ts";

const CONNECTIONS = 32;
/** Fewer than the mails to payers that a merchant may send in an hour. */
const ORDERS_OF_A_MERCHANT = 400;
/** Before each stretch, so that mails are on their way from its start. */
const LEAD_MS = 600;
const ENDPOINTS = { merchants: 2, each: 16 };
const DELIVERIES_A_SECOND = 2_000;
const HOUR_MS = 3_600_000;
const bars = { must: 0.95, mailsAnHour: 10_000 };

/** The cost of messages for what else a service does. */
export const messages: Bench = {
  name: "messages",
  measures:
    "orders a second of one merchant, and then deliveries a second, of a process of all roles while 12,000 orders an hour are paid and " +
    "mailed to their payers, with messages to the owner, over the same while as many are paid without a mail; the lower of both ratios. " +
    "Printed: the CPU of a mail to a payer, with its row, beside that of a signed post",
  bar: `at least ${bars.must} during ${bars.mailsAnHour} mails an hour; no message is lost or sent twice`,
  run: (effort) =>
    onStage(async (stage) => {
      const deployment = await stage.open("messages");
      const cost = await messageCost(stage, deployment, effort);
      const scene = await openScene(stage, deployment, effort);
      // Two comparisons share the time of one.
      const half = { ...effort, seconds: effort.seconds / 2, warmUp: effort.warmUp / 4 };
      const creates = await compareCreates(scene, half);
      const deliveries = await compareDeliveries(scene, half);
      await assertMailedOnce(scene);
      const pace = spreadOf(scene.paces).median;
      print(`  beside a median of ${Math.round(pace)} mails an hour`);
      const worse = creates.ratio <= deliveries.ratio ? creates : deliveries;
      return {
        ...worse,
        cpu: cost.cpu,
        isInconclusive: creates.isInconclusive || deliveries.isInconclusive,
        unit: worse === creates ? "orders/s" : "deliveries/s",
        bars,
        holds: pace >= bars.mailsAnHour,
      };
    }),
};

type Scene = {
  readonly stage: Stage;
  readonly deployment: StagedDeployment;
  readonly service: Program;
  readonly mails: Runner<Mailed, AwaitedMails>;
  /** the merchants whose orders are mailed */
  readonly mailed: readonly string[];
  /** addresses of orders that are not paid yet */
  readonly unpaid: { readonly mailed: Iterator<string>; readonly quiet: Iterator<string> };
  /** mails an hour, of each stretch with mails */
  readonly paces: number[];
};

/** A service of all roles, and enough orders for both comparisons: those of some merchants are mailed. */
async function openScene(stage: Stage, deployment: StagedDeployment, effort: Effort): Promise<Scene> {
  const { db } = deployment;
  const each = ordersOf(effort.seconds / 2);
  // Each of two comparisons has as many stretches with mails as rounds, one more without, and a warm-up of both.
  const wanted = 2 * (effort.rounds + 1) * each;
  const merchants = Math.ceil(wanted / ORDERS_OF_A_MERCHANT);
  const told = await makeOrders(deployment, { merchants, ordersEach: Math.ceil(wanted / merchants) });
  const quiet = await makeOrders(deployment, { merchants: 1, ordersEach: wanted + 2 * each });
  const mailed = told.map(({ id }) => id);
  await fillPayers(db, mailed);
  await addOwner(db, mailed);
  const mails = await stage.child<Mailed, AwaitedMails>("mail-server", {});
  const service = await deployment.serve("all", { TRON_POLL_MS: "100", ...mailVariables(mails) });
  const unpaid = {
    mailed: told.flatMap(({ addresses }) => addresses).values(),
    quiet: quiet.flatMap(({ addresses }) => addresses).values(),
  };
  return { stage, deployment, service, mails, mailed, unpaid, paces: [] };
}

/** The same contestant twice: while paid orders are mailed, and while none is. */
async function beside(scene: Scene, contestant: Contestant, effort: Effort): Promise<Outcome> {
  const { stage, deployment, unpaid, paces } = scene;
  const variant = (kind: "mailed" | "quiet"): Contestant => {
    const prepare = async () => {
      const addresses = Array.from({ length: ordersOf(effort.seconds) }, () => unpaid[kind].next().value);
      await payInBlocks(stage, deployment, addresses as string[]);
    };
    const run: Contestant["run"] = async (extent) => {
      const isWarmUp = "count" in extent;
      if (isWarmUp) await prepare();
      const { done, pace } = await whileBlocksEnd(stage, deployment, () =>
        withPace(scene, () => contestant.run(extent)),
      );
      await waitUntil("each message is sent", async () => (await counted(scene)).waiting === 0);
      if (kind === "quiet" || isWarmUp) return done;
      print(`    beside ${Math.round(pace)} mails an hour`);
      paces.push(pace);
      return done;
    };
    return { ...contestant, name: kind, prepare, run };
  };
  const [ceiling, ours] = [variant("quiet"), variant("mailed")];
  return compare({ ceiling, ours, measure: "rate", postgresPid: stage.postgresPid }, effort);
}

/** The work, and the mails that came meanwhile, for an hour of it. */
async function withPace({ mails }: Scene, work: () => Promise<Done>): Promise<{ done: Done; pace: number }> {
  await sleep(LEAD_MS);
  const before = await mails.run({ mails: 0, withinMs: 0 });
  const done = await work();
  const after = await mails.run({ mails: 0, withinMs: 0 });
  return { done, pace: ((after.done - before.done) / done.elapsedMs) * HOUR_MS };
}

function counted({ deployment, mailed }: Scene) {
  return countMailed(deployment.db, mailed);
}

async function compareCreates(scene: Scene, effort: Effort): Promise<Outcome> {
  print("orders");
  const merchant = await scene.deployment.merchant(...UNCAPPED);
  const next = () => createRequest(merchant);
  const creates = chargeBody("create", scene.service, { connections: CONNECTIONS, next });
  return beside(scene, creates, effort);
}

async function compareDeliveries(scene: Scene, effort: Effort): Promise<Outcome> {
  print("deliveries");
  const { stage, deployment, service } = scene;
  const receiver = await startCountingReceiver(stage);
  const url = `http://127.0.0.1:${receiver.port}/`;
  const batches: Batch[] = [];
  for (const count of deliveriesOf(effort)) {
    const endpoints = await makeEndpoints(deployment, service, { ...ENDPOINTS, url });
    batches.push(await fillBatch(deployment, endpoints, count));
  }
  await deployment.db.query("vacuum analyze");
  const delivering = deliveringBatches(deployment, { name: "deliver", worker: service, receiver, batches });
  const outcome = await beside(scene, delivering, effort);
  assertSame("deliveries", await countRecorded(deployment, batches));
  return outcome;
}

/** The deliveries of each stretch: two warm-ups, and one stretch more without mails than with them. */
function deliveriesOf({ rounds, seconds, warmUp }: Effort): number[] {
  const stretches = Array<number>(2 * rounds + 1).fill(DELIVERIES_A_SECOND * seconds);
  return [warmUp, warmUp, ...stretches];
}

async function assertMailedOnce(scene: Scene): Promise<void> {
  const { sent, paidOrders, summaries } = await counted(scene);
  const { done, different } = await scene.mails.run({ mails: 0, withinMs: 0 });
  const toOwner = scene.mailed.length * MAX_PAID_A_DAY + summaries;
  const expected = paidOrders + toOwner;
  assertSame("mails", { expected, sent, received: done, different });
}
