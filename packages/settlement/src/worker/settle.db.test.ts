import { sql } from "@daric/postgres/sql";
import { compareBalances } from "@daric/server/doctor/compare-balances";
import { samplePaidCharges } from "@daric/server/doctor/deep-store";
import { isNight } from "@daric/testing/at-night";
import { anAddress } from "@daric/testing/builders";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { alarms } from "@daric/testing/watch";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

let stage: SettlementStage;

beforeAll(async () => {
  stage = await openSettlement();
  return stage.close;
}, 60_000);

beforeEach(() => stage.restart());

async function lines<Row extends { line: string }>(statement: ReturnType<typeof sql>): Promise<string[]> {
  return (await stage.context.owner.query<Row>(statement)).map(({ line }) => line);
}

const sweepsOf = ({ id }: { id: string }) =>
  lines(
    sql`select concat_ws(' ', status, recipient, currency, units) as line from sweeps where deposit_address_id = ${id} order by id`,
  );

const contentOf = ({ id }: { id: string }) =>
  lines(sql`
    select concat_ws(' ', currency, units, gas_units, suspense_units) as line from address_contents
    where deposit_address_id = ${id} order by currency`);

/** The sum of each account over all merchants, by currency. */
async function balances(): Promise<Record<string, bigint>> {
  const rows = await stage.context.owner.query<{ account: string; units: string }>(sql`
    select currency || ' ' || account as account, sum(units)::text as units from (
      select currency, debit as account, units from ledger_totals
      union all select currency, credit, -units from ledger_totals) moved group by 1`);
  return Object.fromEntries(rows.map(({ account, units }) => [account, BigInt(units)]));
}

describe("confirmed money", () => {
  it("reaches the merchant's wallet in exact units: TRX in full, USDT after one exact top-up", async () => {
    const { wallet, context } = stage;
    const trx = await stage.paid({ trx: "500" });
    const usdt = await stage.paid({ usdt: "1000" });
    await stage.settleAll();
    expect([await stage.usdtOf(wallet), await stage.trxOf(wallet)]).toEqual([1_000_000_000n, 501_000_000n]);
    expect(await sweepsOf(usdt)).toEqual(["RECLAIMED merchant USDT 1000000000"]);
    // No TRX of the top-up is left.
    expect(await contentOf(trx)).toEqual(["TRX 0 0 0"]);
    expect(await contentOf(usdt)).toEqual(["TRX 0 0 0", "USDT 0 0 0"]);
    expect(await balances()).toMatchObject({
      "TRX merchant": 0n,
      "TRX on_addresses": 0n,
      "USDT in_flight": 0n,
    });
    expect(await alarms(context)).toEqual(expect.not.objectContaining({ unexplained_outflow: 1 }));
    const deposits = await context.owner.query(
      sql`select from deposits where from_address = ${stage.signer.keys.addressAt([1, 0])}`,
    );
    expect(deposits).toEqual([]);
    const events = await lines(sql`select type as line from webhook_events where type like 'settlement.%'`);
    expect(events).toEqual(["settlement.completed", "settlement.completed"]);
    expect(await lines(sql`select distinct status as line from settlements`)).toEqual(["COMPLETED"]);
  });

  it.runIf(isNight)("is swept a second time from the same address without an activation", async () => {
    const { chain, context, wallet } = stage;
    const before = await stage.usdtOf(wallet);
    const usdt = await stage.paid({ usdt: "900" }, { kind: "receive", amount: "900" });
    await stage.settleAll();
    await chain.pay(usdt.address, { usdt: "800" });
    await chain.mine(110);
    await chain.scan(context);
    await stage.settleAll();
    expect((await stage.usdtOf(wallet)) - before).toBe(1_700_000_000n);
    const fees = await lines(sql`
      select sum(t.fee_units)::text as line from sweeps s join sweep_transactions t on t.sweep_id = s.id
      where s.deposit_address_id = ${usdt.id} group by s.id order by s.id`);
    // 64,285 energy at 100 sun, plus 1.1 TRX for the activation, or 0.268 for the bandwidth of the top-up without a
    // free quota.
    expect(fees[0]).toBe("7528500");
    expect(BigInt(fees[1] ?? 0)).toBeLessThanOrEqual(6_800_000n);
  });

  it.runIf(isNight)(
    "that is not worth its price waits with that reason; on request it is swept if it is worth more than its price",
    async () => {
      const { context } = stage;
      const small = await stage.paid({ usdt: "100" });
      await stage.turn();
      await stage.turn();
      expect((await sweepsOf(small)).filter((line) => line.startsWith("PLANNED"))).toEqual([]);
      const plan = await captureDaric(["sweep", "plan"], daricVariables(context, stage.chain.devchain.url));
      expect(plan).toMatchObject({ code: 0, err: "" });
      expect(plan.out).toMatch(/^No sweep is worth its price now\.$/m);
      expect(plan.out).toMatch(/^Too little for a sweep now: 100 USDT on 1 address, since /m);
      await context.owner.query(
        sql`update settlement_control set asked_at = now(), sweep_all_before = now()`,
      );
      await stage.settleAll();
      expect(await sweepsOf(small)).toContain("RECLAIMED merchant USDT 100000000");
      await context.owner.query(sql`update settlement_control set asked_at = null, sweep_all_before = null`);
    },
  );
});

describe("the operator's fees", () => {
  it("are sent once they are worth their transfers, and never exceed the unpaid fees", async () => {
    const { operatorWallet, wallet } = stage;
    const before = await stage.usdtOf(wallet);
    // 1 % of 30,000 is 300: above 100 transfers of about 6.7 TRX at 0.3 USD.
    const charge = await stage.paid({ usdt: "30000" }, { feeBasisPoints: 100 });
    await stage.settleAll();
    expect(await sweepsOf(charge)).toEqual([
      "RECLAIMED operator USDT 300000000",
      "RECLAIMED merchant USDT 29700000000",
    ]);
    expect([await stage.usdtOf(operatorWallet), (await stage.usdtOf(wallet)) - before]).toEqual([
      300_000_000n,
      29_700_000_000n,
    ]);
    expect(await balances()).toMatchObject({
      "USDT operator_fees": 0n,
      "USDT merchant": 0n,
      "USDT on_addresses": 0n,
    });
  });
});

describe("money whose transfer the token refuses", () => {
  const token = (change: object) => stage.chain.devchain.control("token", change);

  it.runIf(isNight)(
    "is frozen with an alarm while its address is blacklisted, and swept once it is not",
    async () => {
      const { chain, context } = stage;
      const frozen = await stage.paid({ usdt: "950" });
      await token({ blacklist: [frozen.address] });
      await chain.mine(1);
      const before = await alarms(context);
      await stage.settleAll();
      expect(await sweepsOf(frozen)).toEqual(["FROZEN merchant USDT 950000000"]);
      expect((await alarms(context)).sweep_frozen).toBe((before.sweep_frozen ?? 0) + 1);
      await stage.turn();
      const events = await lines(
        sql`select type as line from webhook_events where type = 'settlement.failed'`,
      );
      expect(events).toEqual(["settlement.failed"]);
      const unfinished = await lines(sql`select status as line from settlements where status <> 'COMPLETED'`);
      expect(unfinished).toEqual(["FAILED"]);
      await token({ unblacklist: [frozen.address] });
      await chain.mine(1);
      await context.owner.query(sql`update settlement_control set asked_at = now()`);
      await stage.settleAll();
      expect(await sweepsOf(frozen)).toEqual([
        "DROPPED merchant USDT 950000000",
        "RECLAIMED merchant USDT 950000000",
      ]);
    },
  );

  it.runIf(isNight)(
    "is frozen with an alarm while the token is paused, and swept once it is not",
    async () => {
      const { chain, context, wallet } = stage;
      const held = await stage.usdtOf(wallet);
      const charge = await stage.paid({ usdt: "955" });
      await token({ paused: true });
      await chain.mine(1);
      const before = await alarms(context);
      await stage.settleAll();
      expect(
        await lines(sql`select reason as line from sweeps where deposit_address_id = ${charge.id}`),
      ).toEqual(["the token is paused"]);
      expect((await alarms(context)).sweep_frozen).toBe((before.sweep_frozen ?? 0) + 1);
      await token({ paused: false });
      await chain.mine(1);
      await context.owner.query(sql`update settlement_control set asked_at = now()`);
      await stage.settleAll();
      expect((await stage.usdtOf(wallet)) - held).toBe(955_000_000n);
    },
  );

  it.runIf(isNight)("is not sent to a blacklisted wallet, although the token would allow it", async () => {
    const { chain, wallet } = stage;
    const before = await stage.usdtOf(wallet);
    await token({ blacklist: [wallet] });
    await chain.mine(1);
    const charge = await stage.paid({ usdt: "960" });
    await stage.settleAll();
    expect(await sweepsOf(charge)).toEqual(["FROZEN merchant USDT 960000000"]);
    expect(await stage.usdtOf(wallet)).toBe(before);
    await token({ unblacklist: [wallet] });
    await chain.mine(1);
  });
});

describe("a sweep", () => {
  it("that the signer refuses is frozen with the signer's reason, and not requested again", async () => {
    const { context, wallet, merchantId } = stage;
    onTestFinished(async () => {
      await context.owner.query(
        sql`update settlement_accounts set address = ${wallet} where merchant_id = ${merchantId}`,
      );
      await context.owner.query(
        sql`update signer_destinations set address = ${wallet} where merchant_id = ${merchantId}::text`,
      );
    });
    const charge = await stage.paid({ trx: "270" });
    const another = anAddress();
    await context.owner.query(
      sql`update settlement_accounts set address = ${another} where merchant_id = ${merchantId}`,
    );
    await context.owner.query(
      sql`update signer_destinations set address = ${another} where merchant_id = ${merchantId}::text`,
    );
    const before = await alarms(context);
    await stage.settleAll();
    expect(await sweepsOf(charge)).toEqual(["FROZEN merchant TRX 268900000"]);
    const [reason] = await lines(
      sql`select reason as line from sweeps where deposit_address_id = ${charge.id}`,
    );
    expect(reason).toMatch(/^the signer refuses its sweep: destination .* is not /);
    expect((await alarms(context)).signing_refused).toBe((before.signing_refused ?? 0) + 1);
  });

  it.runIf(isNight)(
    "whose transaction no node accepts expires, and another one follows when the first cannot land any more",
    async () => {
      const { context } = stage;
      const charge = await stage.paid({ trx: "280" });
      stage.takeBroadcasts(false);
      await stage.settleUntil(async () => (await sweepsOf(charge))[0]?.startsWith("RETRY") === true);
      expect(await contentOf(charge)).toEqual(["TRX 280000000 0 0"]);
      stage.takeBroadcasts(true);
      await stage.settleAll();
      expect(await sweepsOf(charge)).toEqual(["RECLAIMED merchant TRX 280000000"]);
      const attempts = await lines(sql`
      select t.outcome as line from sweep_transactions t join sweeps s on s.id = t.sweep_id
      where s.deposit_address_id = ${charge.id} order by t.id`);
      expect(attempts).toEqual(["expired", "landed"]);
      expect(await context.owner.query(sql`select from sweeps where status = 'RETRY'`)).toEqual([]);
    },
  );

  it.runIf(isNight)("follows a fork: the same bytes land in another block", async () => {
    const { chain, context, wallet } = stage;
    const before = await stage.trxOf(wallet);
    const charge = await stage.paid({ trx: "290" });
    await stage.settleUntil(async () => (await sweepsOf(charge))[0]?.startsWith("SENT") === true);
    const txIds = await lines(sql`
      select t.tx_id as line from sweep_transactions t join sweeps s on s.id = t.sweep_id where s.deposit_address_id = ${charge.id}`);
    await chain.reorg({ depth: 8, drop: txIds });
    await chain.scan(context);
    await stage.settleAll();
    expect((await stage.trxOf(wallet)) - before).toBe(290_000_000n);
    expect(await sweepsOf(charge)).toEqual(["RECLAIMED merchant TRX 290000000"]);
  });
});

describe.runIf(isNight)("money that the ledger does not explain", () => {
  it("is booked in suspense with an alarm, and is not swept", async () => {
    const { chain, context, wallet } = stage;
    const charge = await stage.paid({ usdt: "1100" });
    // After the block was read, the node reports 3 USDT more in a transaction that paid the address.
    const [txId] = await lines(
      sql`select tx_id as line from deposits where deposit_address_id = ${charge.id}`,
    );
    await chain.devchain.control("faults", {
      kind: "log",
      txId,
      from: wallet,
      to: charge.address,
      amount: "3",
    });
    const [before, held] = [await alarms(context), await stage.usdtOf(wallet)];
    await stage.settleAll();
    expect((await stage.usdtOf(wallet)) - held).toBe(1_100_000_000n);
    expect(await contentOf(charge)).toEqual(["TRX 0 0 0", "USDT 0 0 3000000"]);
    expect((await alarms(context)).unexplained_money).toBe((before.unexplained_money ?? 0) + 1);
    await fetch(`${chain.devchain.url}/devchain/faults`, { method: "DELETE" });
  });
});

describe.runIf(isNight)("the doctor", () => {
  it("finds the ledger equal to the chain at every step of a sweep", async () => {
    const { chain, context, merchantId } = stage;
    const usdt = await stage.paid({ usdt: "1200" });
    const scope = { merchantIds: [merchantId], after: usdt.id.replace(/.{4}$/, "0000"), upTo: usdt.id };
    const charges = await samplePaidCharges(context.db, scope, { seed: 1, limit: 5 });
    expect(charges.map(({ address }) => address)).toContain(usdt.address);
    const faults: unknown[] = [];
    await stage.settleUntil(async () => {
      faults.push(
        ...(await compareBalances(context.db, { ...chain, nodes: chain.client.nodes }, charges)).violations,
      );
      return (await sweepsOf(usdt))[0]?.startsWith("RECLAIMED") === true;
    });
    expect(faults).toEqual([]);
  });
});

describe.runIf(isNight)("a price above the ceiling", () => {
  it("makes a sweep wait with that reason, until the price falls", async () => {
    const { chain, context } = stage;
    const price = (getEnergyFee: number) =>
      chain.devchain.control("config", { parameters: { getEnergyFee } });
    await price(400);
    await chain.mine(1);
    const charge = await stage.paid({ usdt: "9000" });
    await stage.settleAll();
    const why = await lines(
      sql`select concat_ws(' ', status, reason) as line from sweeps where deposit_address_id = ${charge.id}`,
    );
    expect(why).toEqual([expect.stringMatching(/^WAITING it costs 26\.\d+ TRX, above the ceiling$/)]);
    await price(100);
    await chain.mine(1);
    await context.owner.query(sql`update settlement_control set asked_at = now()`);
    await stage.settleAll();
    expect(await sweepsOf(charge)).toEqual(["RECLAIMED merchant USDT 9000000000"]);
  });
});

describe.runIf(isNight)("a pause", () => {
  it("stops new transactions, and a sweep that was sent is followed to its end", async () => {
    const { context } = stage;
    const sent = await stage.paid({ trx: "260" });
    await stage.settleUntil(async () => (await sweepsOf(sent))[0]?.startsWith("SENT") === true);
    await context.owner.query(sql`update settlement_control set paused_at = now(), pause_reason = 'a test'`);
    const waiting = await stage.paid({ trx: "261" });
    await stage.settleUntil(async () => (await sweepsOf(sent))[0]?.startsWith("RECLAIMED") === true);
    expect(await sweepsOf(waiting)).toEqual([]);
    await context.owner.query(sql`update settlement_control set paused_at = null, pause_reason = null`);
    await stage.settleAll();
    expect(await sweepsOf(waiting)).toEqual(["RECLAIMED merchant TRX 261000000"]);
  });
});
