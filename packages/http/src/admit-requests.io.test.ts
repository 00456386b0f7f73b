import { once } from "node:events";
import { connect } from "node:net";
import { createOfflineContext } from "@daric/testing/offline-context";
import { expect, it } from "vitest";
import { createAdmission } from "./admission.ts";
import { admitRequests } from "./admit-requests.ts";
import { createServer } from "./server.ts";

/** A limit of one admits three rested connections. */
const MAX_CALLS = 3;

it("a request whose caller hangs up keeps its slot until its work ends, and no longer", async () => {
  const context = createOfflineContext();
  const app = createServer(context);
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begun = 0;
  admitRequests(app, createAdmission({ ...context, bounds: { min: 1, first: 1, max: 1 } }), () => ({
    group: "one",
    name: "one",
  }));
  app.get("/slow", async () => {
    begun += 1;
    await finished;
    return {};
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const statusOf = async () => (await fetch(`${url}/slow`)).status;

  for (let calls = 1; calls <= MAX_CALLS; calls += 1) {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    socket.write("GET /slow HTTP/1.1\r\nhost: a\r\n\r\n");
    await expect.poll(() => begun).toBe(calls);
    socket.destroy();
    await once(socket, "close");
  }
  expect(await statusOf()).toBe(503);
  finish();
  await expect.poll(statusOf).toBe(200);
  expect(await statusOf()).toBe(200);
  await app.close();
});
