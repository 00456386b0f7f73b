import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;
let account: Awaited<ReturnType<typeof aSettlementAccount>>;

beforeAll(async () => {
  context = await createTestContext();
  app = createApp(context);
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
  account = await aSettlementAccount(context.db, merchantId);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function get(url: string, apiKey = key) {
  const answer = await app.inject({ url, headers: { "x-api-key": apiKey } });
  return { status: answer.statusCode, ...answer.json() };
}

/** A settlement with one sweep of 20 USDT, which has landed in a transaction that cost 7.5285 TRX. */
async function aSettlement(status: "OPEN" | "COMPLETED", currency: "USDT" | "TRX" = "USDT") {
  const [id, sweepId] = [uuidv7(), uuidv7()];
  const charge = await aCharge(context.db, { merchantId, currency });
  await context.owner.query(sql`
    insert into settlements (merchant_id, id, currency, settlement_account_id, status, ended_at)
    values (${merchantId}, ${id}, ${currency}, ${account.id}, ${status}, ${status === "OPEN" ? null : new Date()})`);
  await context.owner.query(sql`
    insert into sweeps (merchant_id, id, settlement_id, deposit_address_id, currency, recipient, destination, units, resources,
      price, status)
    values (${merchantId}, ${sweepId}, ${id}, ${charge.id}, ${currency}, 'merchant', ${account.address}, 20000000, 'burn', 0,
      ${status === "OPEN" ? "PLANNED" : "RECLAIMED"})`);
  await context.owner.query(sql`
    insert into sweep_transactions (merchant_id, id, sweep_id, deposit_address_id, purpose, tx_id, bytes, expires_at, outcome,
      block_number, block_id, fee_units)
    values (${merchantId}, ${uuidv7()}, ${sweepId}, ${charge.id}, 'sweep', ${sweepId.replaceAll("-", "").repeat(2)}, '\\x00', now(),
      'landed', 70, 'id', 7528500)`);
  return { id, address: charge.address };
}

describe("settlements", () => {
  it("are listed newest first, by status and by currency, and of the caller alone", async () => {
    const [first, second] = [await aSettlement("COMPLETED"), await aSettlement("OPEN", "TRX")];
    const all = await get("/v1/settlements");
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(all.meta).toMatchObject({ total: 2 });
    for (const query of ["status=COMPLETED", "currency=USDT", "limit=1&page=2"])
      expect((await get(`/v1/settlements?${query}`)).data.map(({ id }: { id: string }) => id)).toEqual([
        first.id,
      ]);
    expect(await get("/v1/settlements?status=done")).toMatchObject({ status: 422 });
    const { id: stranger } = await aMerchant(context.db);
    const { key: other } = await anApiKey(context, stranger);
    expect((await get("/v1/settlements", other)).data).toEqual([]);
    expect(await get(`/v1/settlements/${first.id}`, other)).toMatchObject({ status: 404 });
  });
});

describe("a settlement", () => {
  it("shows its sweeps with their transactions and costs", async () => {
    const { id, address } = await aSettlement("COMPLETED");
    expect((await get(`/v1/settlements/${id}`)).data).toMatchObject({
      id,
      status: "COMPLETED",
      address: account.address,
      amount: "20",
      fees_paid: "0",
      network_cost: "7.5285",
      sweep_count: 1,
      sweeps: [
        {
          address,
          amount: "20",
          status: "RECLAIMED",
          destination: account.address,
          transactions: [{ purpose: "sweep", outcome: "landed", block_number: 70, fee: "7.5285" }],
        },
      ],
    });
  });
});
