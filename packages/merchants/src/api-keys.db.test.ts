import { apiScopes, usualApiScopes } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { asOwners, createTestContext, type TestContext } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listApiKeys } from "./api-key-store.ts";
import { createApiKey, issueApiKey } from "./create-api-key.ts";
import { createFindCaller } from "./find-caller.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";

let context: TestContext & { close(): Promise<void> };
let merchantId: MerchantId;

beforeAll(async () => {
  context = asOwners(await createTestContext());
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

describe("createApiKey", () => {
  it("a new key has every scope but those that promise money and say where it goes, does not expire and works at once", async () => {
    const { key, row } = await createApiKey(context, merchantId, {});
    expect(key).toMatch(/^daric_test_sk_/);
    expect(row).toMatchObject({
      merchantId,
      name: null,
      scopes: usualApiScopes,
      expiresAt: null,
      revokedAt: null,
    });
    expect(await createFindCaller(context)(key)).toEqual({
      merchantId,
      apiKeyId: row.id,
      scopes: usualApiScopes,
    });
    expect(apiScopes.filter((scope) => !usualApiScopes.includes(scope))).toEqual([
      "refunds:write",
      "refunds:address",
    ]);
  });

  it("neither the key nor its secret is in the database", async () => {
    const { key, row } = await createApiKey(context, merchantId, {});
    const stored = await context.db.query<{ text: string }>(
      sql`select api_keys::text as text from api_keys where id = ${row.id}`,
    );
    const secret = key.split("_")[4] ?? "";
    expect(one(stored).text).not.toContain(secret);
    expect(one(stored).text).not.toContain(Buffer.from(secret).toString("hex"));
  });

  it("name, scopes and expiry can be given", async () => {
    const { row } = await createApiKey(context, merchantId, {
      name: "till 3",
      scopes: ["deposits:read", "charges:read", "charges:read"],
      expiresIn: "90d",
    });
    expect(row).toMatchObject({ name: "till 3", scopes: ["charges:read", "deposits:read"] });
    expect(row.expiresAt).toEqual(new Date(row.createdAt.getTime() + 90 * 86_400_000));
  });

  it("all failing fields are named at once", async () => {
    const input = { name: "a".repeat(121), scopes: ["money:move"], expiresIn: "soon" };
    await expect(createApiKey(context, merchantId, input)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "name" }, { path: "scopes.0" }, { path: "expiresIn" }],
    });
  });

  it("an unknown merchant gets no key", async () => {
    for (const id of [uuidv7(), "nobody"]) {
      await expect(createApiKey(context, id, {})).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

it("a key is in the directory, or is not created at all", async () => {
  const { row } = await createApiKey(context, merchantId, {});
  const failing = context.db.transaction(async (tx) => {
    await issueApiKey(tx, context.config, { merchantId, name: "lost", scopes: apiScopes, expiresInMs: null });
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  const keys = await context.db.query<{ id: string; lookupId: string }>(
    sql`select id, lookup_id as "lookupId" from api_keys where merchant_id = ${merchantId} order by id`,
  );
  const found = await context.db.query<{ id: string; lookupId: string }>(
    sql`select api_key_id as id, lookup_id as "lookupId" from api_key_directory
      where merchant_id = ${merchantId} order by api_key_id`,
  );
  expect(found).toEqual(keys);
  expect(found.map(({ id }) => id)).toContain(row.id);
});

describe("revokeApiKey", () => {
  it("a revoked key is refused, and revoking it again keeps the first stamp", async () => {
    const { key, row } = await createApiKey(context, merchantId, {});
    const revoked = await revokeApiKey(context, row.id);
    expect(revoked.revokedAt).toBeInstanceOf(Date);
    expect(await revokeApiKey(context, row.id)).toEqual(revoked);
    expect(await createFindCaller(context)(key)).toBeUndefined();
  });

  it("an unknown key is not found", async () => {
    for (const id of [uuidv7(), "nothing"]) {
      await expect(revokeApiKey(context, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

describe("rotateApiKey", () => {
  it("the new key is like the old one, which works until the overlap is over", async () => {
    const old = await createApiKey(context, merchantId, { name: "till", scopes: ["charges:read"] });
    const rotated = await rotateApiKey(context, old.row.id, { overlap: "1h" });
    expect(rotated.row).toMatchObject({
      merchantId,
      name: "till",
      scopes: ["charges:read"],
      expiresAt: null,
    });
    expect(rotated.row.id).not.toBe(old.row.id);
    expect(await createFindCaller(context)(old.key)).toMatchObject({ apiKeyId: old.row.id });
    expect(await createFindCaller(context)(rotated.key)).toMatchObject({ apiKeyId: rotated.row.id });
    const again = await rotateApiKey(context, rotated.row.id, { overlap: "0s" });
    expect(await createFindCaller(context)(rotated.key)).toBeUndefined();
    expect(await createFindCaller(context)(again.key)).toMatchObject({ apiKeyId: again.row.id });
  });

  it("the overlap is a day by default, and no longer than the old key's own life", async () => {
    const old = await createApiKey(context, merchantId, {});
    const { previous, row } = await rotateApiKey(context, old.row.id, {});
    expect(previous.expiresAt).toEqual(new Date(row.createdAt.getTime() + 86_400_000));
    const short = await createApiKey(context, merchantId, { expiresIn: "1h" });
    const rotated = await rotateApiKey(context, short.row.id, {});
    expect(rotated.previous.expiresAt).toEqual(short.row.expiresAt);
    expect(rotated.row.expiresAt).toEqual(new Date(rotated.row.createdAt.getTime() + 3_600_000));
  });

  it("a revoked or expired key is not rotated", async () => {
    const { row } = await createApiKey(context, merchantId, {});
    await revokeApiKey(context, row.id);
    await expect(rotateApiKey(context, row.id, {})).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(rotateApiKey(context, "nothing", {})).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("an overlap of more than a day is refused", async () => {
    const { row } = await createApiKey(context, merchantId, {});
    await expect(rotateApiKey(context, row.id, { overlap: "25h" })).rejects.toMatchObject({
      details: [{ path: "overlap" }],
    });
  });
});

it("keys are listed in every state: the live ones first", async () => {
  const { id } = await aMerchant(context.db);
  const first = await createApiKey(context, id, {});
  const second = await createApiKey(context, id, {});
  await revokeApiKey(context, second.row.id);
  const listed = await listApiKeys(context.db, id);
  expect(listed.map((key) => key.id)).toEqual([first.row.id, second.row.id]);
});
