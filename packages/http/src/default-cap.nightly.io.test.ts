import { spawn } from "node:child_process";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp } from "@daric/server/app";
import { createOfflineContext } from "@daric/testing/offline-context";
import { expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";

const CAP = 12_000;
const FLOOD = 12_600;
const HONEST_REQUESTS = 40;
const MIN_ANSWERED = 0.95;
const LIMIT_MS = 120_000;

/**
 * Sends one request on each connection from 40 addresses and stays; reopens closed connections. A process of
 * its own has its own limit of files.
 */
const flood = (port: number) => `
  const { connect } = require("node:net");
  const open = (place) => {
    const socket = connect({ host: "127.0.0.1", port: ${port}, localAddress: "127.0.1." + (place % 40 + 1) });
    socket.on("error", () => {}).resume();
    socket.once("connect", () => socket.write("GET /healthz HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n"));
    socket.once("close", () => setTimeout(() => open(place), 1_000));
  };
  let opened = 0;
  setInterval(() => {
    for (let more = 0; more < 100 && opened < ${FLOOD}; more += 1) open(opened++);
  }, 50);`;

async function isAnswered(app: ApiApp): Promise<boolean> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, localAddress: "127.0.0.2" });
  let text = "";
  socket.on("error", () => {}).setEncoding("latin1");
  socket.on("data", (part) => {
    text += part;
  });
  socket.write("GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
  await new Promise((resolve) => socket.once("close", resolve));
  return text.startsWith("HTTP/1.1 200 ");
}

it(
  "a flood of single requests on lasting connections leaves room for others at the default cap",
  async () => {
    const context = createOfflineContext();
    const app = createApp(context);
    await app.listen({ host: "127.0.0.1", port: 0 });
    const numberOf = async (metric: { get(): Promise<{ values: { value: number }[] }> }) =>
      (await metric.get()).values[0]?.value ?? 0;
    const { httpConnections, httpConnectionsMax, httpConnectionsDropped } = context.metrics;
    expect(await numberOf(httpConnectionsMax), "ulimit -n leaves too little room for this test").toBe(CAP);
    const { port } = app.server.address() as AddressInfo;
    const flooding = spawn(process.execPath, ["-e", flood(port)], { stdio: "inherit" });
    let answered = 0;
    try {
      await expect
        .poll(() => numberOf(httpConnectionsDropped), { timeout: LIMIT_MS })
        .toBeGreaterThan(FLOOD - CAP);
      expect(await numberOf(httpConnections)).toBe(CAP);
      for (let calls = 0; calls < HONEST_REQUESTS; calls += 1) {
        if (await isAnswered(app)) answered += 1;
        await sleep(25);
      }
    } finally {
      flooding.kill();
      await app.close();
    }
    expect(answered).toBeGreaterThanOrEqual(MIN_ANSWERED * HONEST_REQUESTS);
  },
  2 * LIMIT_MS,
);
