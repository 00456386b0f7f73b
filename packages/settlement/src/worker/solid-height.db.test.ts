import { sql } from "@daric/postgres/sql";
import { aCharge } from "@daric/testing/charge-builders";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { alarms } from "@daric/testing/watch";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

let stage: SettlementStage;

const opened = (nodes: number) => async () => {
  stage = await openSettlement({ nodes });
  return stage.close;
};

beforeEach(() => stage.restart());
afterEach(async () => {
  for (const url of stage.nodeUrls) await fetch(`${url}/devchain/faults`, { method: "DELETE" });
});

async function inject(node: number, fault: object): Promise<void> {
  const body = JSON.stringify(fault);
  const { ok } = await fetch(`${stage.nodeUrls[node]}/devchain/faults`, { method: "POST", body });
  expect(ok).toBe(true);
}

/** An order that is paid and then confirmed in the newest verified block. */
async function justConfirmed(amounts: { trx?: string; usdt?: string }) {
  const { chain, context, merchantId } = stage;
  const currency = amounts.usdt === undefined ? "TRX" : "USDT";
  const amount = amounts.usdt ?? amounts.trx ?? "1";
  const charge = await aCharge(context.db, { merchantId, currency, amount });
  await chain.pay(charge.address, amounts);
  await mined(19);
  return charge;
}

async function mined(blocks: number): Promise<void> {
  await stage.chain.mine(blocks);
  await stage.chain.scan(stage.context);
}

async function sweepsOf({ id }: { id: string }): Promise<string[]> {
  const rows = await stage.context.owner.query<{ line: string }>(sql`
    select concat_ws(' ', status, currency, units, reason) as line from sweeps where deposit_address_id = ${id} order by id`);
  return rows.map(({ line }) => line);
}

const shortages = async () => (await alarms(stage.context)).address_short ?? 0;

describe("one node whose solid block is two blocks older than ours", () => {
  beforeAll(opened(1), 60_000);

  it("raises no alarm, and money is planned with the block in which the node has it", async () => {
    await inject(0, { kind: "solid", back: 2 });
    const charge = await justConfirmed({ trx: "3000" });
    await stage.turn();
    expect([await sweepsOf(charge), await shortages()]).toEqual([[], 0]);
    await mined(2);
    await stage.turn();
    expect(await sweepsOf(charge)).toEqual(["PLANNED TRX 3000000000"]);
    await stage.settleAll();
    expect(await sweepsOf(charge)).toEqual(["RECLAIMED TRX 3000000000"]);
  });

  it("settles the older part of an address that is paid with every block", async () => {
    await inject(0, { kind: "solid", back: 2 });
    const charge = await justConfirmed({ trx: "500" });
    await stage.chain.pay(charge.address, { trx: "7" });
    await mined(2);
    await stage.chain.pay(charge.address, { trx: "7" });
    await mined(18);
    await stage.turn();
    expect([await sweepsOf(charge), await shortages()]).toEqual([["PLANNED TRX 500000000"], 0]);
  });

  it("that loses money is still reported", async () => {
    const charge = await justConfirmed({ trx: "600" });
    await mined(2);
    await stage.context.owner.query(sql`
      update address_contents set units = units + 1000000 where deposit_address_id = ${charge.id}`);
    await stage.turn();
    expect(await shortages()).toBe(1);
    await stage.context.owner.query(sql`
      update address_contents set units = units - 1000000 where deposit_address_id = ${charge.id}`);
  });
});

describe("of three nodes", () => {
  beforeAll(opened(3), 60_000);

  it("one that stands still is left out and named: the others settle new money", async () => {
    const label = new URL(stage.nodeUrls[2] ?? "").host;
    await inject(2, { kind: "still" });
    const [trx, usdt] = [await justConfirmed({ trx: "400" }), await justConfirmed({ usdt: "900" })];
    await mined(25);
    await stage.settleAll();
    expect([await sweepsOf(trx), await sweepsOf(usdt)]).toEqual([
      ["RECLAIMED TRX 400000000"],
      ["RECLAIMED USDT 900000000"],
    ]);
    expect(stage.faults().join()).toContain(`left out: ${label} has solid block`);
    expect(await shortages()).toBe(0);
    await fetch(`${stage.nodeUrls[2]}/devchain/faults`, { method: "DELETE" });
    await stage.turn();
    expect(stage.faults()).toEqual([]);
  });

  it("one that says less or refuses delays nothing", async () => {
    const charge = await justConfirmed({ usdt: "950" });
    await inject(2, {
      kind: "body",
      path: "/wallet/triggerconstantcontract",
      body: JSON.stringify({
        result: { result: true },
        constant_result: [`${"0".repeat(63)}1`],
        energy_used: 1,
      }),
    });
    await stage.settleAll();
    expect(await sweepsOf(charge)).toEqual(["RECLAIMED USDT 950000000"]);
  });

  it("two that stand still hold new money, which is sent as soon as they are back", async () => {
    for (const node of [1, 2]) await inject(node, { kind: "still" });
    const charge = await justConfirmed({ trx: "410" });
    await mined(25);
    await stage.turn();
    expect([await sweepsOf(charge), await shortages()]).toEqual([[], 0]);
    await fetch(`${stage.nodeUrls[1]}/devchain/faults`, { method: "DELETE" });
    await stage.settleAll();
    expect(await sweepsOf(charge)).toEqual(["RECLAIMED TRX 410000000"]);
  });

  it("two that fall back hold a planned sweep for seconds, not for an hour", async () => {
    const charge = await justConfirmed({ trx: "420" });
    await stage.turn();
    await stage.context.owner.query(sql`
      update sweeps set status = 'WAITING', reason = 'a test', due_at = now() where deposit_address_id = ${charge.id}`);
    for (const node of [1, 2]) await inject(node, { kind: "solid", back: 30 });
    await stage.turn();
    expect(await sweepsOf(charge)).toEqual([
      expect.stringMatching(/^WAITING TRX 420000000 the nodes agree on balances up to block \d+ only$/),
    ]);
    const due = await stage.context.owner.query<{ seconds: number }>(sql`
      select extract(epoch from due_at - now())::float8 as seconds from sweeps where deposit_address_id = ${charge.id}`);
    expect(due[0]?.seconds).toBeLessThanOrEqual(10);
  });
});
