import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, print } from "../harness.ts";
import { pay } from "../payments.ts";
import {
  type Attack,
  type AttackedService,
  attackBars,
  awaitNone,
  compareUnderAttack,
  countDeliveries,
} from "../under-attack.ts";

const ENDPOINTS = 40;
/** Each payment makes a delivery to each endpoint, whose attempt lasts 15 s. */
const PAY_EVERY_MS = 2_000;

/** The cost for other merchants of one merchant's endpoints that accept connections and never answer. */
export const blackHoles: Bench = {
  name: "black-holes",
  measures:
    "the time of an honest merchant's payment, from the order to the webhook, while another merchant with 40 endpoints that " +
    "never answer is paid every two seconds, over the same without the attack",
  bar: `at most ${attackBars.max}`,
  run: (effort) =>
    compareUnderAttack(
      "black_holes",
      { env: { WEBHOOK_ENDPOINTS_PER_MERCHANT: String(ENDPOINTS) }, open: openAttack },
      effort,
    ),
};

async function openAttack(scene: AttackedService): Promise<Attack> {
  const { call, stage } = scene;
  const hole = await startHole();
  const paths: string[] = [];
  for (let made = 0; made < ENDPOINTS; made += 1) {
    const { id } = await call<{ id: string }>("POST", "/v1/webhooks/endpoints", { url: hole.url });
    paths.push(`/v1/webhooks/endpoints/${id}`);
  }
  const setActive = async (isActive: boolean): Promise<void> => {
    for (const path of paths) await call("PATCH", path, { isActive });
  };
  await setActive(false);
  return {
    prepare: () => setActive(true),
    run: async (seconds) => {
      for (const endMs = performance.now() + seconds * 1_000; performance.now() < endMs; ) {
        const { address } = await call<{ address: string }>("POST", "/v1/deposit-addresses", {
          amount: "0.01",
        });
        await pay(stage, [address]);
        await sleep(PAY_EVERY_MS);
      }
      const underWay = await countDeliveries(scene, ["SENDING"]);
      print(
        `  ${underWay} attempts of the attacker under way, ${await countDeliveries(scene, ["PENDING"])} wait`,
      );
      if (underWay === 0) throw new Error("nothing was sent to the black holes");
    },
    settle: async () => {
      await setActive(false);
      await awaitNone(scene, ["SENDING"]);
    },
    stop: hole.stop,
  };
}

/** Accepts every connection and never answers. */
async function startHole(): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
