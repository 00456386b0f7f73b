import { once } from "node:events";
import { request as get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDownloads } from "./downloads.ts";
import { sendExport } from "./send-export.ts";

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify();
});
afterEach(() => app.close());

/** A workbook whose only part is made or refused by hand. */
function handMade() {
  let made = () => {};
  let refused = (_: Error) => {};
  const part = new Promise<void>((resolve, reject) => {
    made = resolve;
    refused = reject;
  });
  async function* lines(): AsyncGenerator<string> {
    await part;
    yield "workbook";
  }
  return { lines, made: () => made(), refused: (error: Error) => refused(error) };
}

const downloads = createDownloads(async () => true);
const startAnother = () => downloads.start({ caller: "key 2", merchantId: undefined, isHeavy: true });

/** Serves a workbook and asks for it. */
async function ask(lines: AsyncIterable<string>) {
  app.get("/book", (request, reply) =>
    sendExport(
      { request, reply, db: {} as never, downloads, caller: "key 1" },
      { list: "payments", format: "xlsx", lines },
    ),
  );
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const asked = get({ host: "127.0.0.1", port, path: "/book" }).end();
  asked.on("error", () => {});
  const [request] = (await once(app.server, "request")) as [IncomingMessage];
  return { asked, request };
}

it("a workbook counts until it is made, also when its reader hangs up before", async () => {
  const workbook = handMade();
  const { asked, request } = await ask(workbook.lines());
  asked.destroy();
  await once(request.socket, "close");
  expect(startAnother).toThrow("Other XLSX downloads run already");
  workbook.made();
  await vi.waitFor(() => startAnother()());
});

it("a refused workbook is answered, and counts no longer", async () => {
  const workbook = handMade();
  const { asked } = await ask(workbook.lines());
  expect(startAnother).toThrow("Other XLSX downloads run already");
  workbook.refused(new Error("too many rows"));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(500);
  answer.resume();
  startAnother()();
});
