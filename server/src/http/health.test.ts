import { createOfflineContext } from "@daric/testing/offline-context";
import { describe, expect, it } from "vitest";
import { healthRoutes } from "./health.ts";
import { createOperationsApp } from "./operations.ts";
import { rememberReadiness } from "./readiness.ts";
import { createServer } from "./server.ts";

describe("the operations listener", () => {
  it("asks all checks once however many ask for readiness at the same time", async () => {
    let asked = 0;
    const check = async () => {
      asked += 1;
      return { ok: true, detail: "" };
    };
    const app = createOperationsApp(createOfflineContext(), rememberReadiness([{ name: "counted", check }]));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.inject({ method: "GET", url: "/readyz" })),
    );
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(asked).toBe(1);
    await app.close();
  });

  it("counts a check that does not answer as failed, in bounded time", async () => {
    const check = () => new Promise<never>(() => {});
    const app = createServer(createOfflineContext());
    healthRoutes(app, rememberReadiness([{ name: "stuck", check }], { checkTimeoutMs: 20 }));
    const answer = await app.inject({ method: "GET", url: "/readyz" });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().checks).toEqual([{ name: "stuck", ok: false, detail: "no answer within 20 ms" }]);
    await app.close();
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
