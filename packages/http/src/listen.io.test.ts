import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createLogger } from "@daric/runtime/logger";
import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";
import { createServer } from "./server.ts";

const lines: string[] = [];
const log = createLogger({
  level: "warn",
  role: "test",
  destination: { write: (line) => void lines.push(line) },
});
let app: ApiApp;

function fail(): never {
  throw new Error("the listener is wrong");
}

beforeAll(async () => {
  app = createServer(createOfflineContext({}, { log }));
  app.server.on("request", (request, response) => {
    if (request.url === "/server") fail();
    if (request.url === "/request") request.once("end", fail);
    if (request.url === "/answer") response.once("finish", fail);
    if (request.url === "/connection") request.socket.once("custom", fail).emit("custom");
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

async function send(path: string): Promise<void> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port }).resume();
  socket.on("error", () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}`);
  await once(socket, "close");
}

it.each(["server", "request", "answer", "connection"])(
  "a connection ends if a listener of the %s throws, and the process continues",
  async (place) => {
    await send(`/${place}`);
    const { port } = app.server.address() as AddressInfo;
    expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
    // All of them within a minute are one line.
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "error", faults: 1, err: { message: "the listener is wrong" } },
    ]);
  },
);

it("an error outside of connections is thrown as before", () => {
  app.server.on("other", fail);
  expect(() => app.server.emit("other")).toThrow("the listener is wrong");
});
