import { spawn } from "node:child_process";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { createApp } from "@daric/server/app";
import { createOfflineContext } from "@daric/testing/offline-context";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";

const FLOOD = 640;
const NEW = 40;
/** Answers to other clients per new connection: with the bound some dozens, without it a thousand. */
const MAX_MEANWHILE = 256;

let app: ApiApp;
let port: number;
let begun = 0;

beforeAll(async () => {
  app = createApp(createOfflineContext());
  app.server.on("request", () => {
    begun += 1;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const asking = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`;
const LAST = asking("/healthz", "connection: close\r\n");

/** Repeats on each connection as soon as it is answered. A process of its own is as fast as the server. */
const flood = () => `
  const { connect } = require("node:net");
  const asks = [];
  for (let opened = 0; opened < ${FLOOD}; opened += 1) {
    const socket = connect({ host: "127.0.0.1", port: ${port}, localAddress: "127.0.0.2" });
    const ask = () => socket.write(${JSON.stringify(asking("/nowhere"))});
    socket.on("error", () => {}).on("data", ask).on("connect", () => {
      if (asks.push(ask) === ${FLOOD}) for (const ask of asks) ask();
    });
  }`;

it("a new connection is answered while 640 others repeat without a pause", async () => {
  const flooding = spawn(process.execPath, ["-e", flood()], { stdio: "inherit" });
  try {
    await until("all of them ask", () => begun > 2 * FLOOD);
    const before = begun;
    const answers = Array.from({ length: NEW }, async () => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.write(LAST);
      return (await text(socket)).slice(0, "HTTP/1.1 200".length);
    });
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["HTTP/1.1 200"]));
    expect(begun - before).toBeLessThan(NEW * MAX_MEANWHILE);
  } finally {
    flooding.kill();
  }
});

it("a connection ends when more than 32 of its requests wait for earlier ones", async () => {
  const answered = async (requests: number): Promise<number> => {
    const socket = connect({ host: "127.0.0.1", port }).on("error", () => {});
    let got = "";
    socket.setEncoding("latin1").on("data", (part) => {
      got += part;
    });
    socket.write(asking("/nowhere").repeat(requests - 1) + LAST);
    // The server may close while requests arrive, which resets the connection.
    await new Promise((resolve) => socket.once("close", resolve));
    return got.split("HTTP/1.1 ").length - 1;
  };
  expect(await answered(33)).toBe(33);
  expect(await answered(2_000)).toBeLessThan(32);
});

it("a request begins once the client has read the answers before it", async () => {
  const before = begun;
  const socket = connect({ host: "127.0.0.1", port }).pause();
  socket.write(asking("/openapi.json").repeat(30) + LAST);
  await until("more bytes than the system buffers", () => begun > before);
  await sleep(200);
  expect(begun - before).toBeLessThan(30);
  const got = await text(socket);
  expect([begun - before, got.split("HTTP/1.1 200 ").length - 1]).toEqual([31, 31]);
});
