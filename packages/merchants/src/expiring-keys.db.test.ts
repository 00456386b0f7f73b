import { sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countExpiringKeys } from "./key-count-store.ts";
import { rotateApiKey } from "./rotate-api-key.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

it("a key in use that expires soon counts, and not once it is rotated", async () => {
  const { id } = await anApiKey(context, (await aMerchant(context.db)).id);
  await context.owner.query(sql`
    update api_keys set last_used_at = now(), created_at = now() - interval '80 days', expires_at = now() + interval '10 days'
    where id = ${id}`);
  expect(await countExpiringKeys(context.db)).toBe(1);
  await rotateApiKey(context, id, {});
  expect(await countExpiringKeys(context.db)).toBe(0);
});
