import { connect, type Socket } from "node:net";
import { freePort } from "@daric/testing/free-port";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { afterAll, beforeAll, expect, it } from "vitest";

const OPEN_FILES = 400;
const SILENT_SOCKETS = 900;
const RECONNECT_AFTER_MS = 100;

let stack: Stack;
let receiver: WebhookReceiver;
let operations: string;
let stopFlood = () => {};

beforeAll(async () => {
  const port = await freePort();
  operations = `http://127.0.0.1:${port}`;
  receiver = await startWebhookReceiver();
  stack = await startStack({ METRICS_PORT: String(port) }, undefined, OPEN_FILES);
});
afterAll(async () => {
  stopFlood();
  await stack.stop();
  await receiver.stop();
});

/** Silent sockets that reopen when they are closed; returns a function that ends them. */
function openSilentSockets(url: string): () => void {
  const sockets = new Set<Socket>();
  let isOver = false;
  const open = (): void => {
    if (isOver) return;
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      setTimeout(open, RECONNECT_AFTER_MS).unref();
    });
  };
  for (let opened = 0; opened < SILENT_SOCKETS; opened += 1) open();
  return () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
}

it("900 silent sockets at 400 open files stop neither the scanner nor webhooks, metrics or readiness", async () => {
  const { daric } = await stack.merchant();
  await daric.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["deposit.confirmed"] });
  const { address, id } = await daric.depositAddresses.create({ amount: "25" });
  const metrics = async () => (await fetch(`${operations}/metrics`)).text();

  stopFlood = openSilentSockets(stack.baseUrl);
  await until("the API has its most connections", async () =>
    /^daric_http_connections_dropped_total\{listener="api"\} \d{3}/m.test(await metrics()),
  );
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  await token.transfer(address, "25000000").send({ feeLimit: 100_000_000 });
  await stack.mine(20);
  await until("the merchant gets the event", () => receiver.received.length === 1);
  expect(receiver.received[0]?.event.data).toMatchObject({ depositAddressId: id, amount: "25" });

  expect((await fetch(`${operations}/readyz`)).status).toBe(200);
  const text = await metrics();
  expect(text).toMatch(/^daric_http_connections_max\{listener="api"\} 144$/m);
  const files = Number(/^process_open_fds (\d+)/m.exec(text)?.[1]);
  expect(files).toBeLessThan(OPEN_FILES - 50);
});
