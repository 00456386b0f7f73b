import { setTimeout as sleep } from "node:timers/promises";
import { fillBacklog } from "../fill-webhooks.ts";
import { type Bench, print } from "../harness.ts";
import { startEventReceiver } from "../payments.ts";
import {
  type Attack,
  type AttackedService,
  attackBars,
  awaitNone,
  compareUnderAttack,
} from "../under-attack.ts";

const PARKED = 100_000;

/** The cost for others when a merchant enables and deletes an endpoint with many parked deliveries. */
export const parked: Bench = {
  name: "parked",
  measures:
    "the time of an honest merchant's payment, from the order to the webhook, while another merchant enables and deletes " +
    "an endpoint for which 100,000 deliveries are parked, over the same without the attack",
  bar: `at most ${attackBars.max}`,
  run: (effort) => compareUnderAttack("parked", { open: openAttack }, effort),
};

async function openAttack(scene: AttackedService): Promise<Attack> {
  const { call, deployment, attacker } = scene;
  const receiver = await startEventReceiver();
  let path = "";
  return {
    prepare: async () => {
      const { id } = await call<{ id: string }>("POST", "/v1/webhooks/endpoints", { url: receiver.url });
      path = `/v1/webhooks/endpoints/${id}`;
      await call("PATCH", path, { isActive: false });
      await fillBacklog(deployment.db, { merchantId: attacker.id, id }, PARKED);
    },
    run: async (seconds) => {
      await timed("enabled", () => call("PATCH", path, { isActive: true }));
      await sleep((seconds * 1_000) / 2);
      await timed("deleted", () => call("DELETE", path));
    },
    settle: () => awaitNone(scene, ["PENDING", "SENDING", "FAILED"]),
    stop: receiver.stop,
  };
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  print(`  ${what} with ${PARKED} parked in ${Math.round(performance.now() - startedMs)} ms`);
}
