import { processVariables } from "@daric/server/process/config";
import { control, pay, startEventReceiver } from "../payments.ts";
import { runOnCommand } from "./serve-commands.ts";

/** A merchant with one sale after the other: the order, its payment, 20 blocks and the webhook. */
const { BENCH_BASE_URL, BENCH_API_KEY = "", TRON_NODE_URLS: nodeUrl = "" } = processVariables();
const FINAL_AFTER_BLOCKS = 20;
const chain = { devchain: { url: nodeUrl } };
const receiver = await startEventReceiver();
await call("POST", "/v1/webhooks/endpoints", { url: receiver.url, eventTypes: ["deposit.confirmed"] });

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const count = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  for (; done < count && performance.now() < endMs; done += 1) await sellOnce();
  return { done, elapsedMs: performance.now() - startedMs };
});

async function sellOnce(): Promise<void> {
  const { id, address } = await call("POST", "/v1/deposit-addresses", { amount: "0.01" });
  await pay(chain, [address]);
  await control(chain, "mine", { blocks: 1 });
  await call("GET", `/v1/deposit-addresses/${id}`);
  await control(chain, "mine", { blocks: FINAL_AFTER_BLOCKS });
  await receiver.awaitText(id);
}

/** Retries on 503 like a good client; the wait counts. */
async function call(method: string, path: string, body?: object): Promise<{ id: string; address: string }> {
  for (;;) {
    const answer = await fetch(BENCH_BASE_URL + path, {
      method,
      headers: { "x-api-key": BENCH_API_KEY, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.ok) return ((await answer.json()) as { data: { id: string; address: string } }).data;
    if (answer.status !== 503) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const seconds = Number(answer.headers.get("retry-after") ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}
