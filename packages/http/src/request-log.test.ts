import { Writable } from "node:stream";
import { createLogger } from "@daric/runtime/logger";
import { createManualClock } from "@daric/testing/offline-context";
import { KEY_BURST, openSampleApp } from "@daric/testing/sample-app";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";

const apps: ApiApp[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

/** An app, and its request log. */
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

it("the log line of a success names no merchant, no key and no code", async () => {
  const line = await openApp().send("/v1/things", "good");
  expect(Object.keys(line ?? {}).sort()).toEqual(
    ["correlation_id", "duration_ms", "level", "method", "msg", "role", "route", "status", "time"].sort(),
  );
});

it("the log line of a refusal names its code, and the merchant and id of a proven key", async () => {
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

it("the log line of an unproven key has its prefix alone, and no merchant", async () => {
  const { send } = openApp();
  const line = await send("/v1/things", "unknown");
  expect(line).toMatchObject({ status: 401, error_code: "UNAUTHORIZED", key_prefix: "unkn" });
  expect(line).not.toHaveProperty("merchant_id");
  expect(JSON.stringify(line)).not.toContain("unknown");
});

it("the log line of a malformed key repeats no part of it", async () => {
  const { send } = openApp();
  const line = await send("/v1/things", "junk");
  expect(line).toMatchObject({ status: 401, error_code: "UNAUTHORIZED" });
  expect(JSON.stringify(line)).not.toContain("junk");
});

it("the log line of a refusal before authentication has its code too", async () => {
  const { send } = openApp();
  expect(await send("/v1/nowhere")).toMatchObject({ status: 404, route: "unknown", error_code: "NOT_FOUND" });
  expect(await send("/v1/public/refused")).toMatchObject({ status: 503, error_code: "RATE_UNAVAILABLE" });
});

async function send(id: string | undefined, url = "/v1/nothing") {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ level: "info", role: "test", destination });
  const { app } = openSampleApp({ log });
  const headers = { "x-api-key": "good", ...(id === undefined ? {} : { "x-correlation-id": id }) };
  const response = await app.inject({ method: "GET", url, headers });
  await app.close();
  const text = lines.join("");
  return {
    body: response.json(),
    header: response.headers["x-correlation-id"],
    text,
    lines: text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

describe("the correlation id", () => {
  it.each(["order-4711", "a", "x".repeat(128), "00-4bf92f3577b34da6-01", "two words"])(
    "%s is echoed unchanged in the error, the header and the log",
    async (id) => {
      const { body, header, lines } = await send(id);
      expect([body.correlationId, header]).toEqual([id, id]);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line.correlation_id).toBe(id);
    },
  );

  it("with quotes or tags is echoed exactly in the body, and cleaned in the header and the log", async () => {
    const { body, header, lines } = await send(`"><script>'\\n`);
    expect(body.correlationId).toBe(`"><script>'\\n`);
    expect(header).toBe("___script___n");
    expect(lines[0].correlation_id).toBe("___script___n");
  });

  it.each([undefined, "", "x".repeat(129), "tab\there", "caf\u00e9", "\u001b[31m"])(
    "%j is replaced by a new one",
    async (id) => {
      const { body, header } = await send(id);
      expect(body.correlationId).toMatch(/^[0-9a-f-]{36}$/);
      expect(header).toBe(body.correlationId);
    },
  );

  it("is on successes too", async () => {
    expect((await send("mine", "/v1/things")).header).toBe("mine");
  });
});

describe("a request", () => {
  it("leaves one line with route, status and time, without the path, the key or the body", async () => {
    const { lines, text } = await send("c", "/v1/things/0190a5f0-0000-7000-8000-000000000001");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: "info",
      msg: "request",
      method: "GET",
      route: "/v1/things/:id",
      status: 200,
    });
    expect(typeof lines[0].duration_ms).toBe("number");
    for (const secret of ["0190a5f0", "good"]) expect(text).not.toContain(secret);
    expect((await send("c", "/v1/public/ip?secret=1")).text).not.toContain("secret");
  });

  it("that failed leaves its error text in the log and not in the answer", async () => {
    const { body, lines } = await send("c", "/v1/public/broken");
    expect(lines[0]).toMatchObject({
      level: "error",
      correlation_id: "c",
      err: { message: "the inner text" },
    });
    expect(JSON.stringify(body)).not.toContain("inner text");
  });
});
