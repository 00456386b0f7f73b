import { createManualClock } from "@daric/testing/offline-context";
import { KEY_BURST, openSampleApp } from "@daric/testing/sample-app";
import { afterEach, expect, it } from "vitest";
import { createLogger } from "../runtime/logger.ts";
import type { ApiApp } from "./api-app.ts";

const apps: ApiApp[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

/** An app, and the lines of its requests. */
function openApp() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ level: "info", role: "test", destination });
  const { app } = openSampleApp({ clock: createManualClock(), log });
  apps.push(app);
  const send = async (url: string, apiKey?: string) => {
    await app.inject({ url, headers: apiKey === undefined ? {} : { "x-api-key": apiKey } });
    return lines.at(-1);
  };
  return { send, lines };
}

const known = { merchant_id: expect.any(String), api_key_id: expect.any(String) };

it("the line of an answer names no merchant, no key and no code", async () => {
  const line = await openApp().send("/v1/things", "good");
  expect(Object.keys(line ?? {}).sort()).toEqual(
    ["correlation_id", "duration_ms", "level", "method", "msg", "role", "route", "status", "time"].sort(),
  );
});

it("the line of a refusal names its code, and the merchant and the id of a key that was right", async () => {
  const { send } = openApp();
  expect(await send("/v1/things/no-id", "good")).toMatchObject({
    level: "info",
    status: 404,
    error_code: "NOT_FOUND",
    ...known,
  });
  expect(await send("/v1/things", "narrow")).toMatchObject({
    status: 403,
    error_code: "INSUFFICIENT_SCOPE",
    ...known,
  });
  for (let request = 0; request < KEY_BURST; request += 1) await send("/v1/things", "good");
  expect(await send("/v1/things", "good")).toMatchObject({
    status: 429,
    error_code: "RATE_LIMITED",
    ...known,
  });
});

it("of a key that was not let in the line has the prefix alone, and no merchant", async () => {
  const { send } = openApp();
  const line = await send("/v1/things", "unknown");
  expect(line).toMatchObject({ status: 401, error_code: "UNAUTHORIZED", key_prefix: "unkn" });
  expect(line).not.toHaveProperty("merchant_id");
  expect(JSON.stringify(line)).not.toContain("unknown");
});

it("of a text that is no key the line repeats nothing", async () => {
  const { send } = openApp();
  const line = await send("/v1/things", "junk");
  expect(line).toMatchObject({ status: 401, error_code: "UNAUTHORIZED" });
  expect(JSON.stringify(line)).not.toContain("junk");
});

it("what is refused before any key is asked for has its code too", async () => {
  const { send } = openApp();
  expect(await send("/v1/nowhere")).toMatchObject({ status: 404, route: "unknown", error_code: "NOT_FOUND" });
  expect(await send("/v1/public/refused")).toMatchObject({ status: 503, error_code: "RATE_UNAVAILABLE" });
});
