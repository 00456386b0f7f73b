import { sql } from "@daric/postgres/sql";
import { aCharge } from "@daric/testing/charge-builders";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, expect, it } from "vitest";

let stage: SettlementStage;

beforeAll(async () => {
  stage = await openSettlement();
  return stage.close;
}, 60_000);

async function openSweeps(): Promise<number> {
  const [row] = await stage.context.owner.query<{ count: bigint }>(
    sql`select count(*) from sweeps where status not in ('RECLAIMED', 'DROPPED')`,
  );
  return Number(row?.count);
}

async function contents(): Promise<string[]> {
  const rows = await stage.context.owner.query<{ line: string }>(sql`
    select concat_ws(' ', currency, units, gas_units, suspense_units) as line from address_contents order by currency, units`);
  return rows.map(({ line }) => line);
}

it("confirmed USDT and TRX reach the merchant's wallet, to the unit", async () => {
  const { chain, context, merchantId, wallet } = stage;
  const [usdt, trx] = [
    await aCharge(context.db, { merchantId, amount: "1000" }),
    await aCharge(context.db, { merchantId, currency: "TRX", amount: "500" }),
  ];
  await chain.pay(usdt.address, { usdt: "1000" });
  await chain.pay(trx.address, { trx: "500" });
  await chain.mine(22);
  await chain.scan(context);
  await stage.settleUntil(async () => (await stage.usdtOf(wallet)) === 1_000_000_000n && (await stage.trxOf(wallet)) === 498_900_000n && (await openSweeps()) === 0);
  expect(await contents()).toEqual([]);
});
