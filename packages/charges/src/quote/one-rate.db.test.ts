import type { FiatCurrency } from "@daric/domain/fiat";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Charge, getCharge } from "../charge.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

const anOrder = (fiatCurrency: FiatCurrency) =>
  aCharge(context.db, { merchantId, fiatCurrency, fiatAmount: "100" });

/** The requote of a program from before migration 0116: it knows dollars alone, and one column. */
function requoteAsBefore({ id }: Charge) {
  return context.db.query(sql`
    with offer as (
      insert into quotes (merchant_id, id, deposit_address_id, rate_e4, source, expected_units, pay_units, fetched_at,
        locked_at, expires_at)
      values (${merchantId}, gen_random_uuid(), ${id}, 10004, 'test', 100040000, null, now(), now(), now() + interval '10 minutes')
      returning *
    )
    update deposit_addresses charge
    set newest_quote_id = offer.id, quote_rate_e4 = offer.rate_e4, quote_source = offer.source,
      quote_expires_at = offer.expires_at, expected_units = offer.expected_units, pay_units = offer.pay_units
    from offer where charge.merchant_id = ${merchantId} and charge.id = ${id}`);
}

const countQuotes = async ({ id }: Charge) =>
  (
    await context.db.query(sql`
      select 1 from quotes where merchant_id = ${merchantId} and deposit_address_id = ${id}`)
  ).length;

describe("a requote by a program that prices in dollars alone", () => {
  it.each(["EUR", "JPY", "NGN"] as const)(
    "is refused by the database for an order in %s, which stays as it was",
    async (code) => {
      const order = await anOrder(code);
      await expect(requoteAsBefore(order)).rejects.toThrow("deposit_addresses_whole_quote");
      expect(await getCharge(context.db, order)).toEqual(order);
      expect(await countQuotes(order)).toBe(1);
    },
  );

  it("still works for an order in USD", async () => {
    const order = await anOrder("USD");
    await requoteAsBefore(order);
    expect((await getCharge(context.db, order)).quote?.rate).toBe("1.0004");
  });
});

describe("the database refuses", () => {
  it("an order with a rate that is not in the column of its currency", async () => {
    for (const [code, change] of [
      ["EUR", sql`quote_rate_e4 = 10004, quote_rate_e10 = null`],
      ["EUR", sql`quote_rate_e4 = 10004`],
      ["EUR", sql`quote_rate_e10 = null`],
      ["EUR", sql`fiat_currency = 'USD'`],
      ["USD", sql`quote_rate_e10 = 10004000000`],
      ["USD", sql`quote_rate_e10 = 10004000000, quote_rate_e4 = null`],
      ["USD", sql`fiat_currency = 'EUR'`],
    ] as const) {
      const { id } = await anOrder(code);
      const changing = context.owner.query(sql`
        update deposit_addresses set ${change} where merchant_id = ${merchantId} and id = ${id}`);
      await expect(changing, `${code}, ${change.text}`).rejects.toThrow("deposit_addresses_whole_quote");
    }
  });

  it("a quote with two rates or none", async () => {
    const { id } = await anOrder("EUR");
    for (const change of [sql`rate_e4 = 10004`, sql`rate_e10 = null`]) {
      const changing = context.owner.query(sql`
        update quotes set ${change} where merchant_id = ${merchantId} and deposit_address_id = ${id}`);
      await expect(changing).rejects.toThrow("quotes_one_rate");
    }
  });

  it("a stored rate with a price in USD and one of USDT, or with neither", async () => {
    for (const [usdE8, tetherE8] of [
      [1n, 1n],
      [null, null],
    ]) {
      const storing = context.owner.query(sql`
        insert into rates (currency, minute, usd_e8, tether_e8, source, fetched_at)
        values ('EUR', now(), ${usdE8}::bigint, ${tetherE8}::bigint, 'test', now())`);
      await expect(storing).rejects.toThrow("rates_one_price");
    }
  });
});
