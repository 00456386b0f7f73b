import { createOfflineContext } from "@daric/testing/offline-context";
import { expect, it } from "vitest";
import { apiConnections } from "./connections.ts";
import { createServer } from "./server.ts";

it("the API takes 12,000 connections, or what is asked for, as far as ulimit -n leaves room beside everything else", () => {
  const most = (wanted: number | undefined, openFiles: number) => apiConnections(wanted, openFiles).most;
  expect(most(undefined, 20_000)).toBe(12_000);
  expect(most(undefined, Number.POSITIVE_INFINITY)).toBe(12_000);
  expect(most(undefined, 1_024)).toBe(768);
  expect(most(undefined, 400)).toBe(144);
  expect(most(undefined, 256)).toBe(64);
  expect(most(100, 20_000)).toBe(100);
  expect(most(100_000, 20_000)).toBe(19_744);
  expect(apiConnections(undefined, 20_000).perAddress).toBe(1_500);
  expect(apiConnections(200, 20_000).perAddress).toBe(25);
});

it("the limit of open files is read from the process itself", () => {
  expect(apiConnections().openFiles).toBeGreaterThan(100);
});

it("headers have 12 s at most and a request 32 s, and an idle connection is kept for more than a minute", async () => {
  const app = createServer(createOfflineContext());
  const { headersTimeout, requestTimeout, keepAliveTimeout } = app.server;
  const { connectionsCheckingInterval } = app.server as unknown as { connectionsCheckingInterval: number };
  expect(headersTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(12_000);
  expect(requestTimeout + connectionsCheckingInterval).toBeLessThanOrEqual(32_000);
  expect(keepAliveTimeout).toBeGreaterThan(60_000);
  await app.close();
});
