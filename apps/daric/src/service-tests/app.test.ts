import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ApiApp } from "@daric/http/api-app";
import { cacheReadiness } from "@daric/http/health";
import { anUnknownKey } from "@daric/testing/api-keys";
import { createOfflineContext } from "@daric/testing/offline-context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

type DocumentedOperation = {
  summary?: string;
  tags?: string[];
  security?: unknown[];
  requestBody?: object;
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
};

let app: ApiApp;
let document: Document;
let operations: [name: string, operation: DocumentedOperation][];

beforeAll(async () => {
  app = createApp(createOfflineContext());
  document = (await app.inject({ method: "GET", url: "/v1/openapi.json" })).json();
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, DocumentedOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => app.close());

describe("the OpenAPI document", () => {
  it("names every operation of the contract, and not itself or the probes", () => {
    expect(document.openapi).toBe("3.1.0");
    const names = operations.map(([name]) => name);
    for (const name of [
      "POST /v1/deposit-addresses",
      "GET /v1/deposit-addresses",
      "GET /v1/deposit-addresses/{id}",
      "GET /v1/deposits",
      "GET /v1/deposits/{id}",
      "POST /v1/webhooks/endpoints",
      "GET /v1/webhooks/endpoints",
      "GET /v1/webhooks/endpoints/{id}",
      "PATCH /v1/webhooks/endpoints/{id}",
      "DELETE /v1/webhooks/endpoints/{id}",
      "POST /v1/webhooks/endpoints/{id}/test",
      "GET /v1/webhooks/deliveries",
      "GET /v1/webhooks/deliveries/{id}",
      "GET /v1/checkout/{token}",
    ]) {
      expect(names).toContain(name);
    }
    expect(Object.keys(document.paths).filter((path) => !/^\/v1\/(?!openapi)/.test(path))).toEqual([]);
  });

  it("describes the purpose and the key of every operation", () => {
    for (const [name, { summary, tags, security }] of operations) {
      expect(summary, name).toMatch(/\w/);
      expect(tags, name).toHaveLength(1);
      expect(security, name).toEqual(
        /\/v1\/(?:checkout\/|links\/|refund-claims\/|currencies$|shop-connections$)/.test(name)
          ? []
          : [{ ApiKey: [] }],
      );
    }
    expect(document.components.securitySchemes.ApiKey).toMatchObject({ in: "header", name: "X-Api-Key" });
  });

  it("describes every refusal of an operation as the same error object", () => {
    for (const [name, { responses, requestBody, security }] of operations) {
      const expected = ["422", "429", "500", "503"];
      if (name.includes("{")) expected.push("404");
      if (security?.length) expected.push("401", "403");
      if (requestBody) expected.push("400", "413", "415");
      for (const status of expected) {
        const schema = responses[status]?.content?.["application/json"]?.schema;
        expect(schema, `${name} ${status}`).toEqual({ $ref: "#/components/schemas/Error" });
      }
    }
  });

  it("refers only to components that it has, and has none without a reference", () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  it("leaves objects open, because fields may be added", () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });
});

describe("the OpenAPI document's answer", () => {
  const get = (headers: Record<string, string> = {}) =>
    app.inject({ method: "GET", url: "/v1/openapi.json", headers });

  it("may be cached for five minutes, and has the same bytes under the same tag", async () => {
    const [first, second] = [await get(), await get()];
    expect(first.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=300",
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
    expect([second.body, second.headers.etag]).toEqual([first.body, first.headers.etag]);
  });

  it("is compressed once, as the caller accepts it, and is the same document in each encoding", async () => {
    const plain = await get();
    expect(plain.headers).not.toHaveProperty("content-encoding");
    const forms = [
      ["gzip", "gzip", gunzipSync],
      ["gzip, deflate, br", "br", brotliDecompressSync],
    ] as const;
    for (const [accepted, encoding, unpack] of forms) {
      const { headers, rawPayload } = await get({ "accept-encoding": accepted });
      expect(headers).toMatchObject({ "content-encoding": encoding, vary: "accept-encoding" });
      expect(unpack(rawPayload).toString()).toBe(plain.body);
      expect(rawPayload.length * 5).toBeLessThan(plain.body.length);
    }
  });

  it("is 304 without a body for a caller that has it", async () => {
    const etag = String((await get()).headers.etag);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const kept = await get({ "if-none-match": tags });
      expect([tags, kept.statusCode, kept.body, kept.headers.etag]).toEqual([tags, 304, "", etag]);
    }
    expect((await get({ "if-none-match": '"other"' })).statusCode).toBe(200);
  });
});

describe("the API without a database", () => {
  it("is live, and is not ready if a check fails", async () => {
    const checks = [
      { name: "steady", check: async () => ({ ok: true, detail: "fine" }) },
      {
        name: "broken",
        check: async () => {
          throw new Error("password of the database");
        },
      },
    ];
    const probed = createApp(createOfflineContext(), { findReadiness: cacheReadiness(checks) });
    const health = await probed.inject({ method: "GET", url: "/healthz" });
    expect([health.statusCode, health.json()]).toEqual([200, { status: "ok" }]);
    const ready = await probed.inject({ method: "GET", url: "/readyz" });
    expect([ready.statusCode, ready.json()]).toEqual([
      503,
      {
        status: "not_ready",
        checks: [
          { name: "steady", ok: true, detail: "fine" },
          { name: "broken", ok: false, detail: "the check failed" },
        ],
      },
    ]);
    await probed.close();
  });

  it("names one cause once: a failed check lists the checks that depend on it", async () => {
    const fail = async () => {
      throw new Error("away");
    };
    const away = {
      name: "database",
      isBase: true as const,
      check: async () => ({ ok: false, detail: "away" }),
    };
    const checks = [
      away,
      { name: "schema", check: fail },
      { name: "scanner", check: fail },
      { name: "node", check: async () => ({ ok: false, detail: "another cause" }) },
    ];
    expect((await cacheReadiness(checks)()).checks).toEqual([
      { name: "database", ok: false, detail: "away; not checked because of it: schema, scanner" },
      { name: "node", ok: false, detail: "another cause" },
    ]);
    const answering = { ...away, check: async () => ({ ok: true, detail: "answers" }) };
    expect((await cacheReadiness([answering, ...checks.slice(1, 2)])()).checks).toEqual([
      { name: "database", ok: true, detail: "answers" },
      { name: "schema", ok: false, detail: "the check failed" },
    ]);
  });

  it("answers a well-formed key with SERVICE_UNAVAILABLE, and a malformed key with UNAUTHORIZED", async () => {
    const get = (key: string) =>
      app.inject({ method: "GET", url: "/v1/deposits", headers: { "x-api-key": key } });
    const away = await get(anUnknownKey());
    expect([away.statusCode, away.json().error.code, away.headers["retry-after"]]).toEqual([
      503,
      "SERVICE_UNAVAILABLE",
      "5",
    ]);
    expect((await get("daric_test_sk_junk")).json().error.code).toBe("UNAUTHORIZED");
    expect((await get(anUnknownKey("live"))).json().error.code).toBe("WRONG_ENVIRONMENT");
  });
});
