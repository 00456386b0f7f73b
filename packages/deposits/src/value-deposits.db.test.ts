import type { Currency } from "@daric/domain/asset";
import type { DepositStatus } from "@daric/domain/deposit";
import type { FiatCurrency } from "@daric/domain/fiat";
import { type Queryable, sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listDeposits } from "./list-store.ts";
import { valueDeposits } from "./value-deposits.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ReturnType<typeof createApp>;

const blockTime = new Date("2026-03-04T12:00:57Z");

beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
  const minute = sql`date_trunc('minute', ${blockTime}::timestamptz)`;
  await context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, tether_e8, source, fetched_at)
    values ('USDT', ${minute}, 99940000, null, 'kraken', now()),
      ('EUR', ${minute} - interval '5 minutes', null, 86120000, 'import:bank', now())`);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

type Paid = { readonly currency?: Currency; readonly status?: DepositStatus; readonly at?: Date };

async function aShop(bookCurrency: FiatCurrency, ...paid: readonly Paid[]) {
  const { id: merchantId } = await aMerchant(context.db, { bookCurrency });
  const { id: chargeId } = await aCharge(context.db, { merchantId });
  for (const { at = blockTime, ...deposit } of paid)
    await aDeposit(context.db, { chargeId, blockTime: at, ...deposit });
  const { key } = await anApiKey(context, merchantId);
  return async (url: string) => {
    const { body, statusCode } = await app.inject({ url, headers: { "x-api-key": key } });
    return statusCode === 200 ? JSON.parse(body).data : expect.fail(body);
  };
}

const unknown = {
  ...{ book_currency: null, book_amount: null, book_rate: null },
  ...{ book_rate_sources: null, book_rate_at: null },
};

describe("a deposit in the API", () => {
  it("has its value in the currency of the merchant's books, alone, in lists and in look-ups", async () => {
    const read = await aShop("EUR", {});
    const value = {
      ...{ book_currency: "EUR", book_amount: "21.53", book_rate: "0.8612" },
      ...{ book_rate_sources: "import:bank", book_rate_at: "2026-03-04T11:55:00.000Z" },
    };
    const [deposit] = await read("/v1/deposits");
    expect(deposit).toMatchObject({ amount: "25", ...value });
    expect(await read(`/v1/deposits/${deposit.id}`)).toEqual(deposit);
    expect(await read(`/v1/lookup?txHash=${deposit.tx_hash}`)).toMatchObject([{ deposit: value }]);
  });

  it("has none while no rate is known, nor before it is final", async () => {
    const later = new Date(blockTime.getTime() + 600_000);
    const read = await aShop("USD", { at: later }, { currency: "TRX" }, { status: "CONFIRMING" }, {});
    const values = (await read("/v1/deposits")).map((deposit: typeof unknown) => deposit.book_amount);
    expect(values).toEqual(["24.99", null, null, null]);
    expect((await read("/v1/deposits"))[1]).toMatchObject(unknown);
  });

  it("costs one more statement a page, and none where nothing is final", async () => {
    const { id: merchantId } = await aMerchant(context.db, { bookCurrency: "EUR" });
    const { id: chargeId } = await aCharge(context.db, { merchantId });
    for (let paid = 0; paid < 5; paid += 1) await aDeposit(context.db, { chargeId, blockTime });
    const { rows } = await listDeposits(context.db, { merchantId }, { limit: 20, offset: 0 });
    let queries = 0;
    const counting: Queryable = {
      query: (statement) => {
        queries += 1;
        return context.db.query(statement);
      },
    };
    const values = (await valueDeposits(counting, rows)).map(({ value }) => value?.amount);
    expect([values, queries]).toEqual([[2_153n, 2_153n, 2_153n, 2_153n, 2_153n], 1]);
    await valueDeposits(
      counting,
      rows.map((row) => ({ ...row, status: "CONFIRMING" })),
    );
    expect(queries).toBe(1);
  });
});
