import type { ServerResponse } from "node:http";
import { type Receiver, startReceiver } from "@daric/testing/receiver";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Daric } from "./daric.ts";
import type { DaricError } from "./daric-error.ts";
import type { FollowOptions } from "./events.ts";

const API_KEY = "daric_test_sk_0123456789abcdef_secret";
const IDS = ["e-1", "e-2", "e-3", "e-4", "e-5"];

/** A service with these events, two on a page; `broken` answers go out first. */
let service: Receiver;
let broken: ((response: ServerResponse) => void)[];

beforeEach(async () => {
  service = await startReceiver();
  broken = [];
  service.answer = (response, { path }) => {
    const fault = broken.shift();
    if (fault !== undefined) return fault(response);
    const after = new URL(path, service.url).searchParams.get("after");
    const from = after === null ? 0 : IDS.indexOf(after) + 1;
    const data = IDS.slice(from, from + 2).map((id) => ({ id, event: "order.paid", data: {} }));
    const next = data.at(-1)?.id ?? after;
    const meta = { limit: 2, next, has_more: from + data.length < IDS.length };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, message: "Success", data, meta }));
  };
});
afterEach(() => service.close());

const daric = () =>
  new Daric({ baseUrl: new URL(service.url).origin, apiKey: API_KEY, maxRetries: 0, warn: () => {} });

async function follow(count: number, options: FollowOptions = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of daric().events.follow({ pollMs: 10, ...options })) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

describe("following events", () => {
  it("has each event once, in order, and continues after the last handled one", async () => {
    expect(await follow(5)).toEqual(IDS);
    expect(await follow(2, { after: "e-3" })).toEqual(["e-4", "e-5"]);
    expect(service.received.map(({ path }) => path)).toContain("/v1/events?limit=100&after=e-3");
  });

  it("has later events too, and sends the filter of types with each call", async () => {
    const later = "e-6";
    setTimeout(() => IDS.push(later), 50);
    expect(await follow(1, { after: "e-5", types: ["order.paid", "order.expired"] })).toEqual([later]);
    IDS.pop();
    expect(service.received.length).toBeGreaterThan(1);
    expect(service.received[0]?.path).toContain("types=order.paid%2Corder.expired");
  });

  it("waits for an unreachable or overloaded service, reports the fault, and skips no event", async () => {
    const faults: string[] = [];
    const overloaded = (response: ServerResponse) => {
      const error = { code: "SERVICE_UNAVAILABLE" };
      const body = { success: false, message: "Later.", error, correlationId: "c-1" };
      response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    broken = [overloaded, (response) => response.destroy()];
    const onFault = ({ code }: DaricError) => faults.push(code);
    expect(await follow(5, { onFault })).toEqual(IDS);
    expect(faults).toEqual(["SERVICE_UNAVAILABLE", "CONNECTION"]);
  }, 30_000);

  it("ends with a lasting refusal, and with the reason of an aborted signal", async () => {
    const refuse = (response: ServerResponse) => {
      const error = { code: "VALIDATION_ERROR", details: [{ path: "after", message: "must be …" }] };
      const body = { success: false, message: "Some fields are not valid.", error, correlationId: "c-1" };
      response.writeHead(422, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    broken = [refuse];
    await expect(follow(1, { after: "no event" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const reason = new Error("the shop closes");
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    const followed = follow(1, { after: "e-5", signal: controller.signal, pollMs: 60_000 });
    await expect(followed).rejects.toBe(reason);
  });
});
