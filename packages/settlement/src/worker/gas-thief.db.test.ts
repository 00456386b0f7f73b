import type { Charge } from "@daric/charges/charge";
import { sql } from "@daric/postgres/sql";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, expect, it } from "vitest";

let stage: SettlementStage;

beforeAll(async () => {
  stage = await openSettlement();
  return stage.close;
}, 60_000);

type Asked = { kind: "top_up" | "sweep"; currency?: "USDT" | "TRX"; units: bigint };

/** A merchant with the password of the service's role asks for a transaction of an address of its own; returns the refusal. */
async function ask({ id }: Charge, { kind, currency, units }: Asked): Promise<string | null | undefined> {
  const isSweep = kind === "sweep";
  const [request] = await stage.context.db.query<{ id: string }>(sql`
    insert into signing_requests (id, kind, merchant_id, derivation_index, address, checkout_token, address_mac, currency,
      recipient, destination, units, fee_limit, block_number, block_id, block_time, expires_at)
    select gen_random_uuid(), ${kind}, a.merchant_id, derivation_index, address, checkout_token, address_mac,
      ${currency ?? null}, ${isSweep ? "merchant" : null}, ${isSweep ? stage.other.wallet : null}, ${units}::bigint,
      ${currency === "USDT" ? 10_000_000n : 0n}::bigint, b.number, b.id, b.time, b.time + interval '4 minutes'
    from deposit_addresses a, (select * from blocks where orphaned_at is null order by number desc limit 1) b
    where a.merchant_id = ${stage.other.merchantId} and a.id = ${id}
    returning id`);
  await stage.sign();
  const [result] = await stage.context.owner.query<{ refusal: string | null }>(sql`
    select refusal from signing_results where request_id = ${request?.id ?? ""}`);
  return result?.refusal;
}

it("a merchant with the service's database password gets none of the gas out as TRX", async () => {
  const { merchantId, wallet } = stage.other;
  const before = await stage.trxOf(wallet);
  for (let address = 0; address < 3; address += 1) {
    const charge = await stage.paid({ trx: "0.2" }, { merchantId });
    expect(await ask(charge, { kind: "top_up", units: 20_000_000n })).toBeNull();
    for (const units of [18_000_000n, 1n])
      expect(await ask(charge, { kind: "sweep", currency: "TRX", units })).toMatch(
        /^this address was topped up by/,
      );
  }
  await stage.settleAll();
  expect(await stage.trxOf(wallet)).toBe(before);
});

it("a frozen sweep of USDT with gas on its address keeps the TRX there; once it is not frozen, the USDT goes first", async () => {
  const { chain, context } = stage;
  const token = (settings: object) => chain.devchain.control("token", settings);
  const charge = await stage.paid({ usdt: "900" });
  const lines = async () =>
    (
      await context.owner.query<{ line: string }>(sql`
        select concat_ws(' ', status, currency) as line from sweeps where deposit_address_id = ${charge.id} order by id`)
    ).map(({ line }) => line);
  const isToppedUp = async () =>
    (
      await context.owner.query(sql`
        select from sweep_transactions t join sweeps s on s.id = t.sweep_id
        where s.deposit_address_id = ${charge.id} and t.purpose = 'top_up' and t.outcome = 'landed'`)
    ).length === 1;
  await stage.settleUntil(isToppedUp);
  await token({ blacklist: [charge.address] });
  await stage.settleUntil(async () => (await lines())[0] === "FROZEN USDT");
  await chain.pay(charge.address, { trx: "500" });
  await chain.mine(22);
  await chain.scan(context);
  for (let round = 0; round < 3; round += 1) await stage.turn();
  expect(await lines()).toEqual(["FROZEN USDT"]);
  await token({ unblacklist: [charge.address] });
  await context.owner.query(sql`update sweeps set due_at = now() where deposit_address_id = ${charge.id}`);
  await stage.settleUntil(async () => (await lines()).some((line) => line.endsWith("TRX")));
  expect(await lines()).toContain("RECLAIMED USDT");
});
