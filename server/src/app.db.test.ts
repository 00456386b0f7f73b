import { sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "./app.ts";
import { apiScopes } from "./domain/api-scope.ts";
import type { MerchantId } from "./domain/ids.ts";
import type { ApiApp } from "./http/api-app.ts";
import { newApiKey } from "./merchants/api-key.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_PER_SECOND: "1", RATE_LIMIT_KEY_BURST: "3" });
  app = createApp(context);
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function get(key: string, url = "/v1/deposits") {
  const headers = { "x-api-key": key, "x-correlation-id": "c" };
  const { statusCode, body, headers: answered } = await app.inject({ method: "GET", url, headers });
  return { status: statusCode, body, code: JSON.parse(body).error?.code, headers: answered };
}

it("every operation on one row tells of a missing one before a query that is not valid", async () => {
  const patient = createApp(withSettings(context, { http: { keyRequestsPerSecond: 100, keyBurst: 100 } }));
  const headers = { "x-api-key": (await anApiKey(context, merchantId)).key, "x-correlation-id": "c" };
  const { paths } = (await patient.inject("/v1/openapi.json")).json() as { paths: Record<string, object> };
  const answers: string[] = [];
  for (const [path, operations] of Object.entries(paths).filter(([path]) => path.includes("{id}"))) {
    for (const method of Object.keys(operations) as "get"[]) {
      const url = `${path.replace("{id}", uuidv7())}?a=1&a=2`;
      const { statusCode, body } = await patient.inject({ method, url, headers });
      answers.push(`${statusCode} ${body}`);
    }
  }
  await patient.close();
  expect(answers.length).toBeGreaterThanOrEqual(8);
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^404 .*NOT_FOUND/);
});

describe("keys of real rows", () => {
  it("a valid key reads its merchant's rows", async () => {
    const { key } = await anApiKey(context, merchantId);
    expect(await get(key)).toMatchObject({ status: 200 });
  });

  it("unknown, expired and revoked keys get the very same answer, and what is in the form of none another one", async () => {
    const expired = await anApiKey(context, merchantId, { expiresInMs: -1_000 });
    const revoked = await anApiKey(context, merchantId);
    await context.db.query(sql`update api_keys set revoked_at = now() where id = ${revoked.id}`);
    const other = await anApiKey(context, merchantId);
    const altered = other.key.slice(0, 40) + (other.key[40] === "a" ? "b" : "a") + other.key.slice(41);
    const refused = await Promise.all(
      [newApiKey("test").key, expired.key, revoked.key].map((key) => get(key)),
    );
    const noKeys = await Promise.all([altered, "x", `${other.key} `.repeat(2)].map((key) => get(key)));
    for (const answers of [refused, noKeys]) {
      expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    }
    expect(refused[0]?.body).not.toBe(noKeys[0]?.body);
  });

  it("a key may do what its scopes say on every guarded route, and no more", async () => {
    const routes = {
      "/v1/deposits": "deposits:read",
      "/v1/deposit-addresses": "charges:read",
      "/v1/webhooks/endpoints": "webhooks:read",
      "/v1/webhooks/deliveries": "webhooks:read",
    } as const;
    for (const [url, scope] of Object.entries(routes)) {
      const only = await anApiKey(context, merchantId, { scopes: [scope] });
      const others = await anApiKey(context, merchantId, {
        scopes: apiScopes.filter((one) => one !== scope),
      });
      expect(await get(only.key, url), url).toMatchObject({ status: 200 });
      expect(await get(others.key, url), url).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
    }
  });

  it("each key of a merchant has a budget of its own", async () => {
    const [one, other] = [await anApiKey(context, merchantId), await anApiKey(context, merchantId)];
    const answers = [];
    for (let n = 0; n < 4; n += 1) answers.push(await get(one.key));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.at(-1)?.headers["retry-after"]).toBe("1");
    expect((await get(other.key)).status).toBe(200);
  });
});
