import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";
import { capConnections } from "./connections.ts";
import { createServer } from "./server.ts";
import { routeUpgrades } from "./upgrades.ts";

const context = createOfflineContext();
let app: ApiApp;

beforeAll(async () => {
  app = createServer(context);
  capConnections(app, { listener: "api", max: 10 }, context);
  routeUpgrades(app);
  app.post("/echo", { schema: { body: {} } }, async ({ body }) => body);
  app.setValidatorCompiler(() => () => true);
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

/** Sends requests on one connection and returns all answers until it ends. */
async function answered(...requests: string[]): Promise<string> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port }).setEncoding("utf8");
  let text = "";
  socket.on("data", (part) => {
    text += part;
  });
  for (const request of requests) {
    socket.write(request);
    await Promise.race([once(socket, "data"), once(socket, "close")]);
  }
  if (!socket.closed) await once(socket, "close");
  return text;
}

const post = (headers: string, body: string) =>
  `POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;

it("an offer of HTTP/2 is answered in HTTP/1.1, body included, and the connection is kept and counted once", async () => {
  const h2c = "connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n";
  const counted = async () =>
    (await context.metrics.httpConnections.get()).values.find(({ labels }) => labels.listener === "api")
      ?.value;
  const answer = await answered(post(h2c, '{"first":1}'), post("connection: close\r\n", '{"second":2}'));
  expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(answer).toContain('{"first":1}');
  expect(answer).toContain('{"second":2}');
  await expect.poll(counted).toBe(0);
});

it("a websocket without a route is refused like any request, and its connection ends", async () => {
  const answer = await answered(
    "GET /v1/nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n" +
      "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(answer).toContain('"code":"NOT_FOUND"');
});
