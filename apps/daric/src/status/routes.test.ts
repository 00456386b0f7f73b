import type { Status } from "@daric/console/status/status";
import { createOperationsApp } from "@daric/http/operations";
import { createOfflineContext } from "@daric/testing/offline-context";
import { sampleStatus } from "@daric/testing/sample-status";
import { afterAll, describe, expect, it } from "vitest";
import { statusRoutes } from "./routes.ts";

const context = createOfflineContext();
let status: Status = sampleStatus;
const app = createOperationsApp(context);
statusRoutes(app, async () => status);
afterAll(async () => {
  await app.close();
  await context.db.close();
});

describe("/ on the metrics port", () => {
  it("has the state of the process, with the names and amounts of the wire", async () => {
    const answer = await app.inject("/");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      now: "2026-11-22T03:00:00.000Z",
      process: { roles: ["api", "watcher", "webhooks"], uptime_seconds: 186_400 },
      reading: {
        leader: { is_this_process: true },
        scanned: { number: 71_234_011, solid_number: 71_233_993 },
      },
      nodes: [
        { label: "api.trongrid.io", head: { number: 71_234_567, ago_seconds: 1 }, failures: 3 },
        { label: "10.0.0.7:8090", head: null, solid: null, last_failure: null },
      ],
      waiting: { webhooks: { oldest_due_seconds: 912 }, deposits: { DETECTED: 2, STUCK: 14 } },
      settlement: { accounts: { gas: "41.2", stake: { free: "5100", loans: 0 } } },
      rates: [
        { price: "0.9994" },
        { currency: "USDT", fiat_currency: "EUR" },
        { price: null, refusal: "the sources do not agree" },
      ],
      checks: sampleStatus.checks,
      errors: sampleStatus.errors,
    });
  });

  it("has null for what this process does not know, and a signer is silent since the start at least", async () => {
    const accounts = {
      gas: 1n,
      isGasLow: true,
      stake: undefined,
      signerSilentSeconds: Number.POSITIVE_INFINITY,
    };
    const settlement = { faults: [], accounts, sweeps: undefined };
    status = { ...sampleStatus, reading: undefined, nodes: undefined, rates: undefined, settlement };
    expect((await app.inject("/")).json()).toMatchObject({
      reading: null,
      nodes: null,
      rates: null,
      settlement: {
        accounts: { gas: "0.000001", stake: null, signer_silent_seconds: expect.any(Number) },
        sweeps: null,
      },
    });
  });

  it("is JSON that no cache keeps, no browser renders and no page of another name reads", async () => {
    const { headers } = await app.inject("/");
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    const answer = await app.inject({ url: "/", headers: { host: "evil.example" } });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([421, "text/plain; charset=utf-8"]);
  });
});
