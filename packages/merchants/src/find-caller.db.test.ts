import { setTimeout as sleep } from "node:timers/promises";
import { apiScopes } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import { type Database, one, sql } from "@daric/postgres/sql";
import type { Clock } from "@daric/runtime/clock";
import { anOldKey, anUnknownKey } from "@daric/testing/api-keys";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { standOnServers } from "@daric/testing/cluster";
import { asOwners, createTestContext, type TestContext } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashApiKey } from "./api-key.ts";
import { createFindCaller } from "./find-caller.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

/** A process with an empty cache, a clock that the test moves, and a count of its queries. */
function aProcess(overrides: Partial<TestContext> = {}) {
  let nowMs = 0;
  const calls: string[] = [];
  const clock: Clock = { now: () => new Date(), monotonicMs: () => nowMs };
  const db: Database = {
    ...context.db,
    query: (statement) => {
      calls.push(statement.text);
      return context.db.query(statement);
    },
    forTenant: () => db,
  };
  return {
    findCaller: createFindCaller({ ...context, db, clock, ...overrides }),
    calls,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** A key with the same id and another secret, in the forgeable old form. */
function otherSecretOf(key: string): string {
  return anOldKey({ lookupId: key.split("_")[3] ?? "" });
}

async function lastUsedAt(id: string): Promise<Date | null> {
  const rows = context.db.query<{ lastUsedAt: Date | null }>(
    sql`select last_used_at as "lastUsedAt" from api_keys where id = ${id}`,
  );
  return one(await rows).lastUsedAt;
}

async function untilUsed(id: string): Promise<Date> {
  for (let round = 0; round < 200; round += 1) {
    const usedAt = await lastUsedAt(id);
    if (usedAt !== null) return usedAt;
    await sleep(10);
  }
  throw new Error("the use was not recorded");
}

describe("findCaller", () => {
  it("a key names its merchant, itself and its scopes", async () => {
    const { id, key } = await anApiKey(context, merchantId, { scopes: ["deposits:read"] });
    expect(await createFindCaller(context)(key)).toEqual({
      merchantId,
      apiKeyId: id,
      scopes: ["deposits:read"],
    });
    const whole = await anApiKey(context, merchantId);
    expect(await createFindCaller(context)(whole.key)).toMatchObject({ scopes: apiScopes });
  });

  it("junk and keys of the other environment are refused without a query", async () => {
    const process = aProcess();
    expect(await process.findCaller("daric_test_sk_junk")).toBeUndefined();
    const { key } = await anApiKey(context, merchantId);
    expect(await process.findCaller(key.replace(/.$/, key.endsWith("a") ? "b" : "a"))).toBeUndefined();
    expect(await process.findCaller(anUnknownKey("live"))).toBe("wrong_environment");
    expect(process.calls).toEqual([]);
  });

  it("on a distributed database the server of no other merchant is queried, and an unknown id costs the same", async () => {
    const { key } = await anApiKey(context, merchantId);
    const leaveServers = await standOnServers(context);
    try {
      const [known, unknown] = [aProcess(), aProcess()];
      expect(await known.findCaller(key)).toMatchObject({ merchantId });
      expect(known.calls.slice(0, 2)).toEqual([
        expect.stringMatching(/from api_key_directory where lookup_id = /),
        expect.stringMatching(/from\s+api_keys key where key.merchant_id = \$\d+::uuid and key.id = /),
      ]);
      expect(await unknown.findCaller(anUnknownKey())).toBeUndefined();
      expect(unknown.calls).toEqual(known.calls.slice(0, 2));
    } finally {
      await leaveServers();
    }
  });

  it("an unknown id, a wrong secret and a wrong pepper are refused alike", async () => {
    const { key } = await anApiKey(context, merchantId);
    expect(await createFindCaller(context)(anUnknownKey())).toBeUndefined();
    const merchants = { keyPepper: "another-pepper-another-pepper-another", previousKeyPepper: undefined };
    const config = { ...context.config, merchants };
    expect(await aProcess({ config }).findCaller(key)).toBeUndefined();
    await context.owner.query(
      sql`update api_keys set secret_hash = ${Buffer.alloc(32)} where lookup_id = ${key.split("_")[3]}`,
    );
    expect(await aProcess().findCaller(key)).toBeUndefined();
  });

  describe("every refusal after the check costs the same single query", () => {
    const probes: [name: string, probe: (process: ReturnType<typeof aProcess>) => Promise<string>][] = [
      ["an unknown id", async () => anUnknownKey()],
      [
        "a wrong secret for an id without recent use",
        async () => otherSecretOf((await anApiKey(context, merchantId)).key),
      ],
      [
        "a wrong secret for an id that is in use",
        async ({ findCaller }) => {
          const { key } = await anApiKey(context, merchantId);
          expect(await findCaller(key)).toBeDefined();
          return otherSecretOf(key);
        },
      ],
      ["an expired key", async () => (await anApiKey(context, merchantId, { expiresInMs: -1 })).key],
      [
        "a revoked key",
        async () => {
          const { id, key } = await anApiKey(context, merchantId);
          await revokeApiKey(asOwners(context), id);
          return key;
        },
      ],
    ];

    it.each(probes)("%s, at the first try and at later ones, alone and at once", async (_, probe) => {
      const process = aProcess();
      const key = await probe(process);
      process.calls.splice(0);
      for (let tries = 0; tries < 3; tries += 1) expect(await process.findCaller(key)).toBeUndefined();
      await Promise.all([process.findCaller(key), process.findCaller(key)]);
      const unknown = aProcess();
      await unknown.findCaller(anUnknownKey());
      const [statement] = unknown.calls;
      expect(process.calls).toEqual(Array.from({ length: 5 }, () => statement));
    });

    it("and does not affect the key in use", async () => {
      const { id, key } = await anApiKey(context, merchantId);
      const process = aProcess();
      await process.findCaller(key);
      await untilUsed(id);
      await process.findCaller(otherSecretOf(key));
      process.calls.splice(0);
      expect(process.findCaller.recall(key)).toMatchObject({ apiKeyId: id });
      expect(await process.findCaller(key)).toMatchObject({ apiKeyId: id });
      expect(process.calls).toEqual([]);
    });
  });

  it("a busy key costs one query in 4 s, and calls at once share it", async () => {
    const { id, key } = await anApiKey(context, merchantId);
    await context.db.query(sql`update api_keys set last_used_at = now() where id = ${id}`);
    const process = aProcess();
    const callers = await Promise.all(Array.from({ length: 50 }, () => process.findCaller(key)));
    expect(callers.every((caller) => caller !== undefined)).toBe(true);
    process.advance(3_999);
    await process.findCaller(key);
    expect(process.calls).toHaveLength(1);
    process.advance(1);
    await process.findCaller(key);
    expect(process.calls).toHaveLength(2);
  });

  it("a verified key is recalled while its row is trusted, and no other text is", async () => {
    const { id, key } = await anApiKey(context, merchantId);
    const { findCaller, calls, advance } = aProcess();
    expect(findCaller.recall(key)).toBeUndefined();
    const caller = await findCaller(key);
    const queries = calls.length;
    advance(3_999);
    expect(findCaller.recall(key)).toEqual(caller);
    const otherSecret = key.replace(/_[^_]*$/, "_other");
    for (const text of [otherSecret, `${key} `, anUnknownKey(), ""]) {
      expect(findCaller.recall(text)).toBeUndefined();
    }
    expect(calls).toHaveLength(queries);
    advance(1);
    expect(findCaller.recall(key)).toBeUndefined();
    await context.owner.query(sql`update api_keys set revoked_at = now() where id = ${id}`);
    expect(await findCaller(key)).toBeUndefined();
    expect(findCaller.recall(key)).toBeUndefined();
  });

  it("a revoked key is refused in every process within 5 s", async () => {
    const { id, key } = await anApiKey(context, merchantId);
    const processes = [aProcess(), aProcess()];
    for (const process of processes) {
      expect(await process.findCaller(key)).toMatchObject({ apiKeyId: id });
    }
    await context.owner.query(sql`update api_keys set revoked_at = now() where id = ${id}`);
    for (const process of processes) {
      process.advance(4_999);
      expect(await process.findCaller(key)).toBeUndefined();
    }
  });

  it("an expired key is refused at its time, even while its row is cached", async () => {
    const { id, key } = await anApiKey(context, merchantId, { expiresInMs: 3_000 });
    const process = aProcess();
    expect(await process.findCaller(key)).toBeDefined();
    await context.owner.query(sql`update api_keys set expires_at = now() where id = ${id}`);
    process.advance(3_000);
    expect(await process.findCaller(key)).toBeUndefined();
    const past = await anApiKey(context, merchantId, { expiresInMs: -1 });
    expect(await createFindCaller(context)(past.key)).toBeUndefined();
  });

  it("the last use is recorded, at most once a minute", async () => {
    const { id, key } = await anApiKey(context, merchantId);
    const process = aProcess();
    await process.findCaller(key);
    const first = await untilUsed(id);
    await process.findCaller(key);
    process.advance(5_000);
    await process.findCaller(key);
    expect(process.calls.filter((text) => text.includes("update api_keys"))).toHaveLength(1);
    expect(await lastUsedAt(id)).toEqual(first);
    await context.db.query(sql`update api_keys set last_used_at = now() - interval '61 s' where id = ${id}`);
    process.advance(5_000);
    await process.findCaller(key);
    expect(process.calls.filter((text) => text.includes("update api_keys"))).toHaveLength(2);
  });

  it("rows of 10,000 keys are cached, then the oldest are dropped", async () => {
    let queries = 0;
    const keys = Array.from({ length: 10_001 }, () => anUnknownKey());
    const query = async <Row>(): Promise<Row[]> => {
      const key = keys[Math.min(queries, 10_001) % 10_001] ?? "";
      queries += 1;
      const secretHash = hashApiKey(context.config.merchants.keyPepper, key);
      const row = { id: key, merchantId, secretHash, scopes: apiScopes, validForMs: 4_000, isUseDue: false };
      return [row] as Row[];
    };
    const process = aProcess({ db: { ...context.db, query } });
    for (const key of keys) await process.findCaller(key);
    expect(queries).toBe(10_001);
    await process.findCaller(keys[1] ?? "");
    expect(queries).toBe(10_001);
    await process.findCaller(keys[0] ?? "");
    expect(queries).toBe(10_002);
  });

  it("a failure to record a use fails no request", async () => {
    const { id, key } = await anApiKey(context, merchantId);
    const db: Database = {
      ...context.db,
      query: (statement) =>
        statement.text.includes("update api_keys")
          ? Promise.reject(new Error("read-only"))
          : context.db.query(statement),
      forTenant: () => db,
    };
    expect(await aProcess({ db }).findCaller(key)).toMatchObject({ apiKeyId: id });
    expect(await lastUsedAt(id)).toBeNull();
  });

  it("a failure of the database reaches the caller and is not cached", async () => {
    const { id, key } = await anApiKey(context, merchantId);
    let isAway = true;
    const db: Database = {
      ...context.db,
      query: (statement) => (isAway ? Promise.reject(new Error("away")) : context.db.query(statement)),
    };
    const process = aProcess({ db });
    await expect(process.findCaller(key)).rejects.toThrow("away");
    isAway = false;
    expect(await process.findCaller(key)).toMatchObject({ apiKeyId: id });
  });
});
