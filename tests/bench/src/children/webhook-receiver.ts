import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Done } from "../generator.ts";

/** A receiver that reads each body, counts it and answers 200; under /dead it never answers. */
type AwaitedHits = { readonly hits: number; readonly withinMs: number };

let hits = 0;
let [firstMs, lastMs] = [0, 0];
const server = createServer((request, response) => {
  request.resume();
  if (request.url === "/dead") return;
  request.on("end", () => {
    hits += 1;
    lastMs = performance.now();
    if (hits === 1) firstMs = lastMs;
    response.end("ok");
  });
});
server.keepAliveTimeout = 30_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

process.on("message", ({ hits: wanted, withinMs }: AwaitedHits) => void answer(wanted, withinMs));
process.send?.((server.address() as AddressInfo).port);

/** Reports the time from the first to the last request, once `wanted` requests have come or the time is over. */
async function answer(wanted: number, withinMs: number): Promise<void> {
  const startMs = performance.now();
  while (hits < wanted && performance.now() - startMs < withinMs) await sleep(5);
  const done: Done = { done: hits, elapsedMs: Math.max(lastMs - firstMs, 1) };
  hits = 0;
  process.send?.(done);
}
