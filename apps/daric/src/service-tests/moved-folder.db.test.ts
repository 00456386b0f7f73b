import { sql } from "@daric/postgres/sql";
import { executeAsAdmin } from "@daric/testing/admin-connection";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { expect, inject, it } from "vitest";
import { createApp } from "../app.ts";
import { auditDatabase } from "../doctor/audit.ts";

const CUSTOMERS = 200;
const KEYS = 14;

/** References of customers in cases that bytes and languages order differently. */
const references = Array.from(
  { length: CUSTOMERS },
  (_, n) => `${["a", "B", "ä", "_", "9"][n % 5]}-${n * 7919}`,
);

/** Orders text by a language, as a new machine may do under a data folder whose indexes stay as they are. */
async function orderAsEnglish(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  // The name of the column depends on the version of PostgreSQL.
  await executeAsAdmin(
    inject("postgres").adminUrl,
    `do $$ declare called text; begin
       select attname into called from pg_attribute
       where attrelid = 'pg_database'::regclass and attname in ('datlocale', 'daticulocale') and not attisdropped;
       execute format('update pg_database set datlocprovider = ''i'', %I = ''en-US'', datcollversion = null where datname = ''${name}''', called);
     end $$`,
  );
  // A connection keeps the order that it began with.
  await executeAsAdmin(
    inject("postgres").adminUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
}

it("when the order of the database changes under its indexes, every customer keeps the address, every key is known, and the doctor finds nothing", async () => {
  const before = await createTestContext({ RATE_LIMIT_KEY_BURST: "1000000" });
  const merchant = await aMerchant(before.db);
  const { id: settlementAccountId } = await aSettlementAccount(before.db, merchant.id);
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await anApiKey(before, merchant.id)).key);
  const headers = { "x-api-key": keys[0] };
  const addressesIn = async (app: ReturnType<typeof createApp>) => {
    const addresses: string[] = [];
    for (const customerRef of references) {
      const payload = { reusable: true, settlementAccountId, customerRef };
      const answer = await app.inject({ method: "POST", url: "/v1/deposit-addresses", headers, payload });
      addresses.push(answer.json().data?.address);
    }
    return addresses;
  };
  const app = createApp(before);
  const made = await addressesIn(app);
  expect(new Set(made).size).toBe(CUSTOMERS);

  await orderAsEnglish(before.ownerUrl);
  for (const db of [before.owner, before.db])
    await expect
      .poll(() => db.query(sql`select 'a' < 'B' as "isEnglish"`).catch(() => []), { timeout: 20_000 })
      .toEqual([{ isEnglish: true }]);

  const after = createApp(before);
  expect(await addressesIn(after)).toEqual(made);
  for (const key of keys) {
    const { statusCode } = await after.inject({
      url: "/v1/deposit-addresses",
      headers: { "x-api-key": key },
    });
    expect(statusCode).toBe(200);
  }
  const broken = (await auditDatabase(before.db, "devnet")).filter(({ violations }) => violations.length > 0);
  expect(broken).toEqual([]);
  await Promise.all([app.close(), after.close()]);
  await before.close();
});
