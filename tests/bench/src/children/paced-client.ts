import { setTimeout as sleep } from "node:timers/promises";
import { processVariables } from "@daric/server/process/config";
import { runOnCommand } from "./serve-commands.ts";

/** A merchant's program: these requests in turn, at a fixed pace. */
export type PacedRequest = { readonly method: string; readonly path: string; readonly body?: object };

const {
  BENCH_BASE_URL = "",
  BENCH_API_KEY = "",
  BENCH_EVERY_MS = "",
  BENCH_REQUESTS = "",
} = processVariables();
const headers = { "x-api-key": BENCH_API_KEY, "content-type": "application/json" };
const requests: readonly PacedRequest[] = JSON.parse(BENCH_REQUESTS);
const everyMs = Number(BENCH_EVERY_MS);

/** An answer and its duration. A refusal names the time after which to retry. */
type TimedAnswer = { readonly ms: number; readonly isRefused: boolean; readonly isCreated: boolean };

async function sendNext({ method, path, body }: PacedRequest): Promise<TimedAnswer> {
  const startedMs = performance.now();
  const text = body && JSON.stringify(body);
  const answer = await fetch(BENCH_BASE_URL + path, { method, headers, ...(text && { body: text }) });
  const answerText = await answer.text();
  const isRefused = answer.status === 503 && answer.headers.has("retry-after");
  if (!answer.ok && !isRefused) throw new Error(`${method} ${path}: ${answer.status} ${answerText}`);
  return { ms: performance.now() - startedMs, isRefused, isCreated: answer.status === 201 };
}

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const count = "count" in extent ? extent.count : Math.round((extent.seconds * 1_000) / everyMs);
  const sent: Promise<TimedAnswer>[] = [];
  for (let n = 0; n < count; n += 1) {
    const next = requests[n % requests.length];
    if (next !== undefined) sent.push(sendNext(next));
    await sleep(Math.max(0, startedMs + (n + 1) * everyMs - performance.now()));
  }
  const answers = await Promise.all(sent);
  return {
    done: count,
    elapsedMs: performance.now() - startedMs,
    timesMs: answers.map(({ ms }) => ms),
    refused: answers.filter(({ isRefused }) => isRefused).length,
    created: answers.filter(({ isCreated }) => isCreated).length,
  };
});
