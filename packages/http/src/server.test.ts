import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { createLogger } from "@daric/runtime/logger";
import { OTHER_ID, openSampleApp, ROW_ID } from "@daric/testing/sample-app";
import type { InjectOptions } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiApp } from "./api-app.ts";
import { BODY_LIMIT_BYTES } from "./server.ts";

const key = { "x-api-key": "good" };
const json = { "content-type": "application/json" };
const apps: ApiApp[] = [];

function openApp(...input: Parameters<typeof openSampleApp>): ApiApp {
  const { app } = openSampleApp(...input);
  apps.push(app);
  return app;
}

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function send(app: ApiApp, request: InjectOptions) {
  const response = await app.inject(request);
  const body = response.json();
  return { status: response.statusCode, body, code: body.error?.code, headers: response.headers };
}

/** Sends these bytes to the body parser. */
function post(payload: string | Buffer, headers: Record<string, string> = json) {
  return send(openApp(), { method: "POST", url: "/v1/public/echo", headers, payload });
}

describe("the envelope", () => {
  it("a read returns Success with data, a list with meta, a create with Created and 201", async () => {
    const app = openApp();
    const list = await send(app, { method: "GET", url: "/v1/things?limit=5", headers: key });
    expect(list.body).toEqual({
      success: true,
      message: "Success",
      data: [{ id: ROW_ID, amount: null }],
      meta: { page: 1, limit: 5, total: 1 },
    });
    const made = await send(app, {
      method: "POST",
      url: "/v1/things",
      headers: key,
      payload: { amount: "1.5" },
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ success: true, message: "Created", data: { amount: "1500000" } });
  });

  it("an answer has only the fields of its schema", async () => {
    const { body } = await send(openApp(), { method: "GET", url: `/v1/things/${ROW_ID}`, headers: key });
    expect(body.data).toEqual({ id: ROW_ID, amount: null });
  });

  it.each(["broken", "mismatch", "caller"])(
    "an unexpected error (%s) is a bare INTERNAL_ERROR",
    async (path) => {
      const headers = { "x-correlation-id": "c" };
      const { status, body } = await send(openApp(), { method: "GET", url: `/v1/public/${path}`, headers });
      expect(status).toBe(500);
      expect(body).toEqual({
        success: false,
        message: "Something went wrong on our side.",
        error: { code: "INTERNAL_ERROR", docUrl: "http://127.0.0.1:3000/docs/errors#internal-error" },
        correlationId: "c",
      });
    },
  );

  it("an unreachable database is SERVICE_UNAVAILABLE with Retry-After", async () => {
    const { status, code, headers } = await send(openApp(), { method: "GET", url: "/v1/public/database" });
    expect([status, code, headers["retry-after"]]).toEqual([503, "SERVICE_UNAVAILABLE", "5"]);
  });

  it("an unconfirmed write may have happened: the answer states it, and how to find out", async () => {
    const { status, body, headers } = await send(openApp(), {
      method: "GET",
      url: "/v1/public/unconfirmed",
    });
    expect([status, body.error.code, headers["retry-after"]]).toEqual([503, "SERVICE_UNAVAILABLE", "5"]);
    expect(body.message).toMatch(/may have been done.*Before sending it again, look .*orderRef=/);
  });

  it("a refusal keeps its code, status and Retry-After", async () => {
    const { status, code, headers } = await send(openApp(), { method: "GET", url: "/v1/public/refused" });
    expect([status, code, headers["retry-after"]]).toEqual([503, "RATE_UNAVAILABLE", "7"]);
  });
});

describe("routes", () => {
  it("an unknown path is NOT_FOUND with or without a key, whatever its body", async () => {
    const app = openApp();
    expect(await send(app, { method: "GET", url: "/v1/nothing" })).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
    });
    const posted = await send(app, { method: "POST", url: "/v1/nothing", headers: json, payload: "{broken" });
    expect(posted).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("a path with a trailing slash is unknown unless a route matches it", async () => {
    const { app } = openSampleApp();
    apps.push(app);
    app.get("/v1/files", async () => "list");
    app.get("/v1/files/*", async () => "file");
    for (const url of ["/v1/files", "/v1/files/", "/v1/files/a/"])
      expect((await app.inject({ url })).statusCode).toBe(200);
    const unknown = await send(app, { method: "GET", url: "/v1/things/", headers: key });
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      "No route GET /v1/things/. Did you mean GET /v1/things, without the slash at its end? " +
        "All paths of the API begin with /v1: see /docs.",
    ]);
  });

  it("a path that cannot be decoded is NOT_FOUND in the same envelope", async () => {
    const { status, code, body, headers } = await send(openApp(), { method: "GET", url: "/v1/things/%zz" });
    expect([status, code]).toEqual([404, "NOT_FOUND"]);
    expect(headers["x-correlation-id"]).toBe(body.correlationId);
  });

  it("a known path under another method is METHOD_NOT_ALLOWED with Allow", async () => {
    const url = `/v1/things/${ROW_ID}?a=1`;
    const { status, code, headers } = await send(openApp(), { method: "DELETE", url });
    expect([status, code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(String(headers.allow).split(", ").sort()).toEqual(["GET", "HEAD", "PATCH"]);
  });

  it.each(["1", "x".repeat(3000), `${ROW_ID}'`, "..%2f", "%00", "null"])(
    "the malformed id %s gets the same answer as an unknown id",
    async (id) => {
      const headers = { ...key, "x-correlation-id": "c" };
      const app = openApp();
      const missing = await app.inject({ method: "PATCH", url: `/v1/things/${OTHER_ID}`, headers });
      const malformed = await app.inject({ method: "PATCH", url: `/v1/things/${id}`, headers });
      expect(malformed.statusCode).toBe(404);
      expect(malformed.body).toBe(missing.body);
    },
  );

  it.each(["GET", "PATCH", "POST"] as const)(
    "%s reports a missing row before an invalid query or body",
    async (method) => {
      const app = openApp();
      const suffix = method === "POST" ? "/test?a=1&a=2" : "?a=1&a=2";
      const query = (id: string) => send(app, { method, url: `/v1/things/${id}${suffix}`, headers: key });
      expect(await query(OTHER_ID)).toMatchObject({ status: 404, code: "NOT_FOUND" });
      expect(await query(ROW_ID)).toMatchObject({ status: 422, code: "VALIDATION_ERROR" });
    },
  );

  it("a route with an id but no check of it cannot be registered behind a key", async () => {
    const { app } = openSampleApp();
    const { requireApiKey } = await import("./authenticate.ts");
    app.register(async (scope) => {
      requireApiKey(scope, {} as never);
      scope.get("/v1/forgotten/:id", { config: { scope: "charges:read" } }, async () => "");
    });
    await expect(app.ready()).rejects.toThrow("has an id without a check whether it exists");
  });

  it("a route without a scope cannot be registered behind a key", async () => {
    const { app } = openSampleApp();
    const { requireApiKey } = await import("./authenticate.ts");
    app.register(async (scope) => {
      requireApiKey(scope, {} as never);
      scope.get("/v1/forgotten", async () => "");
    });
    await expect(app.ready()).rejects.toThrow("has no scope");
  });
});

describe("headers", () => {
  it("every answer forbids sniffing, caching and framing, and names no product", async () => {
    const app = openApp({}, { PUBLIC_BASE_URL: "https://pay.example" });
    for (const url of ["/v1/things", "/v1/nothing"]) {
      const { headers } = await send(app, { method: "GET", url, headers: key });
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        "strict-transport-security": "max-age=31536000",
      });
      for (const name of ["x-powered-by", "server", "access-control-allow-origin"]) {
        expect(headers).not.toHaveProperty(name);
      }
    }
  });

  it.each(["/v1/%74hings", "http://pay.example/v1/things", "//v1/things", "/v1/things/%zz", "/healthz", "/"])(
    "the answer to %s forbids storing, and has all security headers",
    async (target) => {
      const { app } = openSampleApp();
      apps.push(app);
      const answer = await rawRequest(
        await listen(app),
        `GET ${target} HTTP/1.1\r\nhost: a\r\nx-api-key: good\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/\r\ncache-control: no-store\r\n/i);
      expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
    },
  );

  it("a forwarded address counts only from a trusted proxy", async () => {
    const request = {
      method: "GET",
      url: "/v1/public/ip",
      headers: { "x-forwarded-for": "192.0.2.7" },
    } as const;
    expect((await send(openApp(), request)).body.data).toBe("127.0.0.1");
    const behindProxy = openApp({}, { TRUSTED_PROXIES: "127.0.0.0/8" });
    expect((await send(behindProxy, request)).body.data).toBe("192.0.2.7");
  });
});

describe("the request body", () => {
  it.each([
    ["not JSON", "{amount"],
    ["half of an object", '{"a":1'],
    ["nothing but blanks", "  "],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["nested 9 deep", "[".repeat(9) + "]".repeat(9)],
    ["nested 30,000 deep", "[".repeat(30_000) + "]".repeat(30_000)],
    ["a __proto__ key", '{"a":{"__proto__":{"isAdmin":true}}}'],
    ["an escaped __proto__ key", '{"__pro\\u0074o__":1}'],
    ["a constructor with a prototype", '[{"constructor":{"prototype":{}}}]'],
  ])("%s is INVALID_JSON", async (_name, payload) => {
    expect(await post(payload)).toMatchObject({ status: 400, code: "INVALID_JSON" });
  });

  it.each([
    ["8 deep", "[".repeat(8) + "]".repeat(8)],
    ["a byte order mark", "\ufeff{}"],
    ["a constructor that is text", '{"constructor":"Bob"}'],
    ["a bare value", '"x"'],
  ])("%s is JSON", async (_name, payload) => {
    expect((await post(payload)).status).toBe(200);
  });

  it("the refusal of invalid JSON names the fault", async () => {
    expect((await post('{"__proto__":1}')).body.message).toBe(
      "The key __proto__ is not allowed in the request body.",
    );
    expect((await post("[".repeat(9) + "]".repeat(9))).body.message).toBe(
      "The request body is nested deeper than 8.",
    );
  });

  it("64 kB are read, one byte more is PAYLOAD_TOO_LARGE whatever its type", async () => {
    const payload = `"${"x".repeat(BODY_LIMIT_BYTES - 2)}"`;
    expect((await post(payload)).status).toBe(200);
    expect(await post(`${payload} `)).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
    expect(await post(`${payload} `, { "content-type": "text/plain" })).toMatchObject({ status: 413 });
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "application/json; charset=utf-16",
  ])("%s is UNSUPPORTED_MEDIA_TYPE", async (type) => {
    expect(await post("{}", { "content-type": type })).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });

  it.each(["application/json", "Application/JSON;charset=UTF-8", 'application/json; charset="utf-8"'])(
    "%s is JSON",
    async (type) => {
      expect((await post("{}", { "content-type": type })).status).toBe(200);
    },
  );

  it("a compressed body is UNSUPPORTED_MEDIA_TYPE", async () => {
    const headers = { ...json, "content-encoding": "gzip" };
    expect(await post(gzipSync("{}"), headers)).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });

  it.each(["gzip, chunked", "identity, chunked", "chunked, chunked", "gzip\r\ntransfer-encoding: chunked"])(
    "in Transfer-Encoding %j is refused, and the connection closed",
    async (coding) => {
      // The answer ends only because the service closes the connection.
      expect(await postInChunks(coding, "keep-alive")).toMatch(/^HTTP\/1.1 400 /);
    },
  );

  it("behind two Host lines is refused, because two parsers may take different ones", async () => {
    expect(await postInChunks("chunked\r\nhost: b", "keep-alive")).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each(["chunked", "Chunked"])("in Transfer-Encoding %s is read", async (coding) => {
    expect(await postInChunks(coding, "close")).toMatch(/^HTTP\/1.1 200 /);
  });

  it("a body without a type is UNSUPPORTED_MEDIA_TYPE", async () => {
    const { app } = openSampleApp();
    apps.push(app);
    const address = await listen(app);
    const answer = await rawRequest(
      address,
      "POST /v1/public/echo HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
    );
    expect(answer).toContain("415");
    expect(answer).toContain("UNSUPPORTED_MEDIA_TYPE");
  });

  it("a route without a body accepts none, with or without a type", async () => {
    const app = openApp();
    const url = `/v1/things/${ROW_ID}/test`;
    expect((await send(app, { method: "POST", url, headers: key })).status).toBe(200);
    expect((await send(app, { method: "POST", url, headers: { ...key, ...json } })).status).toBe(200);
  });

  it.each(["[1]", "[]", '"x"', "5", "true"])(
    "a route without a body refuses %s, which is no object, with the reason",
    async (payload) => {
      const headers = { ...key, ...json };
      const request = { method: "POST", url: `/v1/things/${ROW_ID}/test`, headers, payload } as const;
      const { status, body } = await send(openApp(), request);
      expect(status).toBe(422);
      expect(body.error).toMatchObject({
        code: "VALIDATION_ERROR",
        details: [{ path: "(body)", message: "must be an object" }],
      });
      const missing = await send(openApp(), { ...request, url: `/v1/things/${OTHER_ID}/test` });
      expect([missing.status, missing.code]).toEqual([404, "NOT_FOUND"]);
    },
  );

  it("a route without a body accepts an empty object and ignores the names of any other", async () => {
    const request = {
      method: "POST",
      url: `/v1/things/${ROW_ID}/test`,
      headers: { ...key, ...json },
    } as const;
    for (const payload of ["{}", "null", '{"reason":"x"}'])
      expect((await send(openApp(), { ...request, payload })).status).toBe(200);
  });

  it("no body is an empty object if all fields are optional; empty JSON is invalid", async () => {
    const app = openApp();
    expect((await send(app, { method: "POST", url: "/v1/things", headers: key })).status).toBe(201);
    const empty = await send(app, { method: "POST", url: "/v1/things", headers: { ...key, ...json } });
    expect(empty).toMatchObject({ status: 400, code: "INVALID_JSON" });
  });
});

it("a caller who hangs up inside a body is refused, and no fault is logged", async () => {
  const faults: string[] = [];
  const destination = { write: (line: string) => void faults.push(line) };
  const app = openApp({ log: createLogger({ level: "error", role: "test", destination }) });
  const status = new Promise<number>((resolve) => {
    app.addHook("onSend", async (_request, reply) => resolve(reply.statusCode));
  });
  const socket = connect({ host: "127.0.0.1", port: (await listen(app)).port });
  await once(socket, "connect");
  const head = "POST /v1/public/echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";
  socket.write(`${head}content-length: 10\r\n\r\n{`, () => socket.destroy());
  expect(await status).toBe(400);
  expect(faults).toEqual([]);
});

describe("bytes that are not HTTP", () => {
  it.each([
    ["bytes that are not HTTP", "\x16\x03\x01\r\n\r\n", "400 Bad Request"],
    ["headers of more than 16 kB", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(17_000)}\r\n\r\n`, "431"],
  ])("%s get an HTTP error without an envelope", async (_name, bytes, expected) => {
    const { app } = openSampleApp();
    apps.push(app);
    const answer = await rawRequest(await listen(app), bytes);
    expect(answer.split("\r\n")[0]).toContain(expected);
    expect(answer).toContain("Content-Length: 0");
  });
});

async function postInChunks(transferEncoding: string, connection: "keep-alive" | "close"): Promise<string> {
  const { app } = openSampleApp();
  apps.push(app);
  const head = `POST /v1/public/echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: ${connection}\r\n`;
  const body = "2\r\n{}\r\n0\r\n\r\n";
  return rawRequest(await listen(app), `${head}transfer-encoding: ${transferEncoding}\r\n\r\n${body}`);
}

async function listen(app: ApiApp): Promise<AddressInfo> {
  await app.listen({ host: "127.0.0.1", port: 0 });
  return app.server.address() as AddressInfo;
}

async function rawRequest({ port }: AddressInfo, bytes: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  socket.write(bytes, "latin1");
  return text(socket);
}
