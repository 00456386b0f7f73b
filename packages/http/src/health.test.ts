import { createOfflineContext } from "@daric/testing/offline-context";
import { describe, expect, it } from "vitest";
import { cacheReadiness, createDrain, healthRoutes, notReadyIn } from "./health.ts";
import { createOperationsApp } from "./operations.ts";
import { createServer } from "./server.ts";

describe("the operations listener", () => {
  it("runs all checks once for any number of simultaneous requests", async () => {
    let calls = 0;
    const check = async () => {
      calls += 1;
      return { ok: true, detail: "" };
    };
    const app = createOperationsApp(createOfflineContext(), cacheReadiness([{ name: "counted", check }]));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.inject({ method: "GET", url: "/readyz" })),
    );
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(calls).toBe(1);
    await app.close();
  });

  it("is 503 from the start of the drain, and each answer ends its connection", async () => {
    const context = createOfflineContext();
    const drain = createDrain({ ...context, ms: 0 });
    const app = createServer(context, drain);
    healthRoutes(app, notReadyIn(drain, cacheReadiness([])));
    const ask = async () => {
      const { statusCode, headers } = await app.inject({ method: "GET", url: "/readyz" });
      return { statusCode, connection: headers.connection };
    };
    expect(await ask()).toEqual({ statusCode: 200, connection: "keep-alive" });
    await drain.run();
    expect(await ask()).toEqual({ statusCode: 503, connection: "close" });
    await app.close();
  });

  it("counts a check without an answer as failed, in bounded time", async () => {
    const check = () => new Promise<never>(() => {});
    const app = createServer(createOfflineContext());
    healthRoutes(app, cacheReadiness([{ name: "stuck", check }], { checkTimeoutMs: 20 }));
    const answer = await app.inject({ method: "GET", url: "/readyz" });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().checks).toEqual([{ name: "stuck", ok: false, detail: "no answer within 20 ms" }]);
    await app.close();
  });

  it("a check without an answer keeps its last result for a minute, and does not run twice at once", async () => {
    let [now, calls] = [0, 0];
    const check = async () => {
      calls += 1;
      return calls === 1 ? { ok: true, detail: "well" } : new Promise<never>(() => {});
    };
    const find = cacheReadiness([{ name: "slow", check }], { checkTimeoutMs: 20, nowMs: () => now });
    for (now of [0, 1_000, 9_000, 59_999])
      expect(await find()).toEqual({ status: "ready", checks: [{ name: "slow", ok: true, detail: "well" }] });
    now = 61_000;
    expect((await find()).checks).toEqual([{ name: "slow", ok: false, detail: "no answer within 20 ms" }]);
    expect(calls).toBe(3);
  });

  it("a check that others need keeps its last result for 15 s without an answer", async () => {
    let [now, asked] = [0, 0];
    const check = async () => {
      asked += 1;
      return asked === 1 ? { ok: true, detail: "answers" } : new Promise<never>(() => {});
    };
    const base = { name: "base", isBase: true, check } as const;
    const find = cacheReadiness([base], { checkTimeoutMs: 20, nowMs: () => now });
    for (now of [0, 1_000, 14_999])
      expect(await find()).toEqual({
        status: "ready",
        checks: [{ name: "base", ok: true, detail: "answers" }],
      });
    now = 16_000;
    expect((await find()).checks).toEqual([{ name: "base", ok: false, detail: "no answer within 20 ms" }]);
  });

  it("the last result of a check counts for nothing if a check that it needs fails", async () => {
    let [now, isAway] = [0, false];
    const base = async () => ({ ok: !isAway, detail: isAway ? "is away" : "answers" });
    const other = async () => {
      if (isAway) throw new Error("no connection");
      return { ok: true, detail: "well" };
    };
    const checks = [{ name: "base", isBase: true, check: base } as const, { name: "other", check: other }];
    const find = cacheReadiness(checks, { nowMs: () => now });
    expect((await find()).status).toBe("ready");
    [now, isAway] = [1_000, true];
    expect(await find()).toEqual({
      status: "not_ready",
      checks: [{ name: "base", ok: false, detail: "is away; not checked because of it: other" }],
    });
  });

  it("shows the metrics of requests by route, without ids", async () => {
    const app = createOperationsApp(createOfflineContext());
    await app.inject({ method: "GET", url: "/nothing/0190a5f0" });
    await app.inject({ method: "GET", url: "/healthz" });
    const { body, headers } = await app.inject({ method: "GET", url: "/metrics" });
    expect(headers["content-type"]).toContain("text/plain");
    expect(body).toMatch(/daric_http_request_seconds_count\{method="GET",route="\/healthz",status="200"\} 1/);
    expect(body).toMatch(/route="unknown",status="404"/);
    expect(body).not.toContain("0190a5f0");
    await app.close();
  });
});
