import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, expect, it } from "vitest";
import { createOperationsApp } from "./operations.ts";

const app = createOperationsApp(
  createOfflineContext({ METRICS_HOST: "watcher", METRICS_ALLOWED_HOSTS: "Daric, metrics.internal" }),
);
app.get("/", async () => ({}));
afterAll(() => app.close());

const statusOf = async (host: string, url: string): Promise<number> =>
  (await app.inject({ url, headers: { host } })).statusCode;

it.each([
  "127.0.0.1:9464",
  "10.1.2.3",
  "[::1]:9464",
  "[fd00::7]",
  "localhost:9464",
  "LOCALHOST",
  "daric.localhost",
  "daric:9464",
  "DARIC",
  "metrics.internal",
  "watcher:9464",
])("%s answers on the operations port", async (host) => {
  for (const url of ["/", "/metrics"]) expect(await statusOf(host, url), url).toBe(200);
});

it.each([
  "evil.example:9464",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "evillocalhost",
  "x.daric",
  "daric.evil.example",
  "evil.example/@127.0.0.1",
  "no name",
  `${"a.".repeat(150)}localhost`,
])("a page that reaches this port by %s gets nothing but readiness", async (host) => {
  for (const url of ["/", "/metrics"]) {
    const answer = await app.inject({ url, headers: { host } });
    expect(answer.statusCode, url).toBe(421);
    expect(answer.body).toBe(
      "The host name of this request is not known here: name it in METRICS_ALLOWED_HOSTS.\n",
    );
  }
  for (const url of ["/healthz", "/readyz"]) expect(await statusOf(host, url), url).toBe(200);
});
