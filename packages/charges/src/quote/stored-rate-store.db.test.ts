import { sql } from "@daric/postgres/sql";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findStoredRate } from "./stored-rate-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
const time = new Date(Date.UTC(2026, 2, 4, 12, 30));

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

const store = (code: string, column: "usd_e8" | "tether_e8", minutesAgo: number, source: string) =>
  context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, tether_e8, source, fetched_at)
    values (${code}, ${new Date(time.getTime() - minutesAgo * 60_000)}, ${column === "usd_e8" ? 1n : null}::bigint,
      ${column === "tether_e8" ? 1n : null}::bigint, ${source}, now())`);

const sourceOf = async (currency: "USDT" | "TRX", fiatCurrency: "USD" | "EUR") =>
  (await findStoredRate(context.db, { currency, fiatCurrency, time }))?.source;

it("an imported rate prices no order, however new it is: neither of a coin nor of a currency", async () => {
  await store("TRX", "usd_e8", 1, "import:bank");
  await store("EUR", "tether_e8", 1, "import:bank");
  expect([await sourceOf("TRX", "USD"), await sourceOf("USDT", "EUR")]).toEqual([undefined, undefined]);
  await store("TRX", "usd_e8", 2, "kraken");
  await store("EUR", "tether_e8", 2, "okx");
  expect([await sourceOf("TRX", "USD"), await sourceOf("USDT", "EUR")]).toEqual(["kraken", "okx"]);
});
