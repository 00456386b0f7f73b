import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { createApiKey } from "@daric/merchants/create-api-key";
import { revokeApiKey } from "@daric/merchants/revoke-api-key";
import { rotateApiKey } from "@daric/merchants/rotate-api-key";
import { sql } from "@daric/postgres/sql";
import { anOldKey, anUnknownKey } from "@daric/testing/api-keys";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { asOwners, createTestContext } from "@daric/testing/context";
import { createManualClock } from "@daric/testing/offline-context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

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

async function get(key: string, server = app) {
  const headers = { "x-api-key": key, "x-correlation-id": "c" };
  const { statusCode, body, headers: answered } = await server.inject({ url: "/v1/deposits", headers });
  return { status: statusCode, body, code: JSON.parse(body).error?.code, headers: answered };
}

describe("keys of real rows", () => {
  it("a valid key reads its merchant's rows", async () => {
    const { key } = await anApiKey(context, merchantId);
    expect(await get(key)).toMatchObject({ status: 200 });
  });

  it("unknown, expired and revoked keys get the same answer, and malformed keys another one", async () => {
    const expired = await anApiKey(context, merchantId, { expiresInMs: -1_000 });
    const revoked = await anApiKey(context, merchantId);
    await context.owner.query(sql`update api_keys set revoked_at = now() where id = ${revoked.id}`);
    const other = await anApiKey(context, merchantId);
    const altered = other.key.slice(0, 40) + (other.key[40] === "a" ? "b" : "a") + other.key.slice(41);
    const refused = await Promise.all([anUnknownKey(), expired.key, revoked.key].map((key) => get(key)));
    const noKeys = await Promise.all([altered, "x", `${other.key} `.repeat(2)].map((key) => get(key)));
    for (const answers of [refused, noKeys]) {
      expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    }
    expect(refused[0]?.body).not.toBe(noKeys[0]?.body);
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

describe("in two processes on one database", () => {
  /** Two apps that share only the database and a clock. */
  async function twoApps() {
    const clock = createManualClock();
    const apps = [createApp({ ...context, clock }), createApp({ ...context, clock })];
    const statuses = async (key: string) => {
      const answers = [];
      for (const app of apps) answers.push((await get(key, app)).status);
      return answers;
    };
    return { clock, statuses, close: () => Promise.all(apps.map((app) => app.close())) };
  }

  it("both refuse a revoked key within 5 s, and accept a new key at once", async () => {
    const { clock, statuses, close } = await twoApps();
    const { key, row } = await createApiKey(asOwners(context), merchantId, {});
    expect(await statuses(key)).toEqual([200, 200]);
    await revokeApiKey(asOwners(context), row.id);
    clock.advance(5_000);
    expect(await statuses(key)).toEqual([401, 401]);
    await close();
  });

  it("a rotated key works together with the new one until the overlap ends, and then in neither", async () => {
    const { clock, statuses, close } = await twoApps();
    const { key, row } = await createApiKey(asOwners(context), merchantId, { expiresIn: "90d" });
    const rotated = await rotateApiKey(asOwners(context), row.id, { overlap: "1h" });
    expect(await statuses(key)).toEqual([200, 200]);
    expect(await statuses(rotated.key)).toEqual([200, 200]);
    await context.owner.query(sql`
      update api_keys set expires_at = expires_at - interval '1 hour' where id = ${row.id}`);
    clock.advance(5_000);
    expect(await statuses(key)).toEqual([401, 401]);
    expect(await statuses(rotated.key)).toEqual([200, 200]);
    await close();
  });
});

describe("a key of the other environment", () => {
  it.each(["live", "test"] as const)(
    "is refused by a %s service with that reason and without a query",
    async (environment) => {
      const db = { ...context.db, query: () => Promise.reject(new Error("asked")) };
      const one = createApp({ ...context, db, config: { ...context.config, environment } });
      const answer = await get(anUnknownKey(environment === "live" ? "test" : "live"), one);
      expect(answer).toMatchObject({ status: 401, code: "WRONG_ENVIRONMENT" });
      expect(JSON.parse(answer.body).message).toMatch(/belongs to the other environment/);
      await one.close();
    },
  );

  it("is recognised in its old form only with a correct checksum; otherwise both forms are malformed", async () => {
    const key = anOldKey({ environment: "live" });
    const junk = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
    expect(await get(junk)).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  });
});
