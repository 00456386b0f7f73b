import { sql } from "@daric/postgres/sql";
import { aCharge } from "@daric/testing/charge-builders";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, beforeEach, expect, it } from "vitest";

let stage: SettlementStage;

beforeAll(async () => {
  stage = await openSettlement();
  return stage.close;
}, 60_000);

beforeEach(async () => {
  stage.restart();
  await fetch(`${stage.chain.devchain.url}/devchain/faults`, { method: "DELETE" });
});

async function sweepsOf({ id }: { id: string }): Promise<string[]> {
  const rows = await stage.context.owner.query<{ line: string }>(sql`
    select concat_ws(' ', status, currency, units) as line from sweeps where deposit_address_id = ${id} order by id`);
  return rows.map(({ line }) => line);
}

it("a waiting sweep of one coin never holds the other coin of its address", async () => {
  const { chain, context, other } = stage;
  const { merchantId, wallet } = other;
  // The wallet has no account yet, so its first TRX costs 1.1 of 40.
  const charge = await aCharge(context.db, { merchantId, currency: "USDT", amount: "2000" });
  await chain.pay(charge.address, { trx: "40" });
  await chain.mine(22);
  await chain.scan(context);
  await stage.turn();
  expect(await sweepsOf(charge)).toEqual(["WAITING TRX 38900000"]);
  await chain.pay(charge.address, { usdt: "2000" });
  await chain.mine(22);
  await chain.scan(context);
  await stage.settleUntil(async () => (await stage.usdtOf(wallet)) > 0n);
  expect(await stage.usdtOf(wallet)).toBe(2_000_000_000n);
  await stage.settleAll();
  expect((await sweepsOf(charge)).slice(0, 2)).toEqual(["DROPPED TRX 38900000", "RECLAIMED USDT 2000000000"]);
});

it("the node's failure about the token stops no sweep of TRX", async () => {
  const [trx, usdt] = [await stage.paid({ trx: "700" }), await stage.paid({ usdt: "800" })];
  const path = "/wallet/triggerconstantcontract";
  await stage.chain.devchain.control("faults", { kind: "status", path, status: 500 });
  await expect(stage.turn()).rejects.toThrow(/500/);
  expect([await sweepsOf(trx), await sweepsOf(usdt)]).toEqual([["PLANNED TRX 700000000"], []]);
  await fetch(`${stage.chain.devchain.url}/devchain/faults`, { method: "DELETE" });
  await stage.settleAll();
  expect(await sweepsOf(usdt)).toEqual(["RECLAIMED USDT 800000000"]);
});

it("a token with the functions of TRC-20 only is settled", async () => {
  await stage.chain.devchain.control("token", { trc20Only: 1 });
  await stage.chain.mine(1);
  const charge = await stage.paid({ usdt: "850" });
  await stage.settleAll();
  expect(await sweepsOf(charge)).toEqual(["RECLAIMED USDT 850000000"]);
});

it("a content without the time of its money, which only a writer to the database can make, stops no other sweep", async () => {
  const [bad, good] = [await stage.paid({ usdt: "900" }), await stage.paid({ usdt: "950" })];
  await stage.context.owner.query(
    sql`update address_contents set oldest_at = null where deposit_address_id = ${bad.id}`,
  );
  await stage.settleUntil(async () => (await sweepsOf(good))[0] === "RECLAIMED USDT 950000000");
  expect(await sweepsOf(bad)).toEqual([]);
  // The stage ends only on a ledger that the doctor calls whole: until here it names this row.
  await stage.context.owner.query(
    sql`update address_contents set oldest_at = now() where deposit_address_id = ${bad.id}`,
  );
});
