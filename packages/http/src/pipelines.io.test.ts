import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import { createLogger } from "@daric/runtime/logger";
import { createApp } from "@daric/server/app";
import { createOfflineContext } from "@daric/testing/offline-context";
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import type { ApiApp } from "./api-app.ts";

/** Connections to try. FUZZ_ROUNDS sets more; FUZZ_SEED repeats a run. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 250);
const SEED = Number(process.env.FUZZ_SEED ?? inject("seed"));
const LIMIT_MS = 60_000 + ROUNDS * 60;
const AT_ONCE = 20;
/** A complete request is answered or ended long before the idle timeout. */
const ENDED_WITHIN_MS = 20_000;

const faults: string[] = [];
const log = createLogger({
  level: "error",
  role: "test",
  destination: { write: (line) => void faults.push(line) },
});
const context = createOfflineContext({ HTTP_MAX_CONNECTIONS_PER_ADDRESS: "1000000" }, { log });
const token = newCheckoutToken(context.checkoutKey);
const onUncaught = (error: Error): void => void faults.push(String(error.stack));
let app: ApiApp;

beforeAll(async () => {
  process.on("uncaughtExceptionMonitor", onUncaught);
  app = createApp(context);
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  process.off("uncaughtExceptionMonitor", onUncaught);
  await app.close();
});

const WEBSOCKET =
  "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
const H2C = "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n";

function aRequest(line: string, headers = "", body = ""): string {
  return `${line} HTTP/1.1\r\nhost: a\r\n${headers}\r\n${body}`;
}

const LAST = aRequest("GET /healthz", "connection: close\r\n");

/** Requests with an answer at once, later and never, and all kinds of upgrades. */
const pieces = fc.constantFrom(
  aRequest("GET /healthz"),
  aRequest("HEAD /healthz"),
  aRequest("GET /readyz"),
  aRequest("GET /nowhere"),
  aRequest(`GET /c/${token}`),
  aRequest(`GET /v1/checkout/${token}`),
  aRequest("POST /v1/deposit-addresses", "content-length: 2\r\nexpect: 100-continue\r\n", "{}"),
  aRequest("POST /healthz", "transfer-encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"),
  aRequest("GET /", WEBSOCKET),
  aRequest(`GET /v1/checkout/${token}/live`, WEBSOCKET),
  aRequest(`GET /v1/checkout/${token}/live`, `${WEBSOCKET}content-length: 2\r\n`, "{}"),
  aRequest(`GET /c/${token}`, H2C),
  aRequest("GET /healthz", H2C),
  aRequest("POST /v1/deposit-addresses", `${H2C}content-length: 2\r\n`, "{}"),
  aRequest("GET /healthz", "connection: upgrade\r\nupgrade: tls/1.0, irc/6.9\r\n"),
  aRequest("OPTIONS *", H2C),
  aRequest("CONNECT a:443"),
  "GET /healthz HTTP/1.0\r\nconnection: keep-alive, upgrade\r\nupgrade: websocket\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\x89\x80aaaa",
  "\r\n",
);

/** One connection: the bytes, their parts and the end. */
const plays = fc.record({
  requests: fc.array(pieces, { minLength: 1, maxLength: 6 }),
  /** the cut and the unsent rest, in thousandths */
  cut: fc.nat(1_000),
  missing: fc.oneof(fc.constant(0), fc.nat(1_000)),
  pauseMs: fc.constantFrom(0, 0, 1, 3),
  end: fc.constantFrom("wait", "wait", "half", "reset", "destroy"),
});
type Play = typeof plays extends fc.Arbitrary<infer One> ? One : never;

/** Returns whether a connection ended after all its bytes; an incomplete one need not. */
async function play({ requests, cut, missing, pauseMs, end }: Play): Promise<boolean> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true }).resume();
  socket.on("error", () => {}).on("end", () => socket.end());
  const closed = new Promise<boolean>((resolve) => socket.once("close", () => resolve(true)));
  const all = Buffer.from([...requests, LAST].join(""), "latin1");
  const sent = all.subarray(0, all.length - Math.floor((all.length * missing) / 1_000));
  const half = Math.floor((sent.length * cut) / 1_000);
  socket.write(sent.subarray(0, half));
  await sleep(pauseMs);
  socket.write(sent.subarray(half));
  if (end === "wait" && sent.length === all.length)
    return Promise.race([closed, sleep(ENDED_WITHIN_MS, false)]);
  await sleep(pauseMs);
  if (end === "half") socket.end();
  if (end === "reset") socket.resetAndDestroy();
  else socket.destroy();
  return closed;
}

it(`random pipelines, upgrades, halves and resets: each complete connection ends, and the process continues`, {
  timeout: LIMIT_MS,
}, async () => {
  const rounds = fc.sample(plays, { numRuns: ROUNDS, seed: SEED });
  const unended: Play[] = [];
  const playOn = async (): Promise<void> => {
    for (let next = rounds.pop(); next !== undefined; next = rounds.pop())
      if (!(await play(next))) unended.push(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playOn));
  expect(unended, `FUZZ_SEED=${SEED}`).toEqual([]);
  expect(faults, `FUZZ_SEED=${SEED}`).toEqual([]);
  const { port } = app.server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  const open = async () => (await context.metrics.httpConnections.get()).values[0]?.value;
  await expect.poll(open).toBeLessThanOrEqual(1);
});

it("a connection ends if an upgrade follows a request that is not answered yet", async () => {
  const { port } = app.server.address() as AddressInfo;
  for (const upgrade of [WEBSOCKET, H2C]) {
    const socket = connect({ host: "127.0.0.1", port })
      .on("error", () => {})
      .resume();
    socket.write(aRequest("GET /readyz") + aRequest("GET /healthz", upgrade) + aRequest("GET /healthz"));
    await once(socket, "close");
  }
  expect(faults).toEqual([]);
});

it("the body of a request whose headers Node cut is never parsed as a request", async () => {
  const { port } = app.server.address() as AddressInfo;
  const body = aRequest("GET /healthz");
  const headers = `${H2C}${"a:b\r\n".repeat(1_100)}content-length: ${body.length}\r\n`;
  const socket = connect({ host: "127.0.0.1", port }).on("error", () => {});
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  socket.end(aRequest("POST /v1/deposit-addresses", headers, body));
  await once(socket, "close");
  expect(answer).not.toContain("200 OK");
});
