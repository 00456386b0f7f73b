import type { Charge } from "@daric/charges/charge";
import { sql } from "@daric/postgres/sql";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { stakeOn } from "@daric/testing/stake";
import { hexToAddress } from "@daric/tron/address";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { beforeEach, expect, it } from "vitest";

const STAKE = keyPairFromPhrase("stake");
const stakeAddress = hexToAddress(STAKE.address);
const DAY_MS = 86_400_000;

let stage: SettlementStage;

/** Each test has a chain of its own, at most a day ahead: the database takes no request that expires in two days. */
beforeEach(async () => {
  stage = await openSettlement({ environment: { STAKE_ADDRESS: stakeAddress } });
  // A transfer to a wallet without USDT takes twice the energy.
  await stage.chain.pay(stage.wallet, { usdt: "1" });
  // Enough stake for two transfers a day.
  await stakeOn(stage.chain.devchain, {
    key: STAKE,
    trx: 15_000,
    delegate: stage.signer.keys.addressAt([1, 1]),
  });
  await stage.chain.mine(22);
  await stage.chain.scan(stage.context);
  return stage.close;
}, 60_000);

async function lines(statement: ReturnType<typeof sql>): Promise<string[]> {
  return (await stage.context.owner.query<{ line: string }>(statement)).map(({ line }) => line);
}

/** The addresses that have energy from the stake now. */
async function borrowers(): Promise<string[]> {
  const { body } = await stage.chain.devchain.post("/wallet/getdelegatedresourceaccountindexv2", {
    value: STAKE.address,
  });
  return body.toAccounts ?? [];
}

/** A day later on the chain the stake's energy has recovered. */
async function passDay(): Promise<void> {
  await stage.chain.devchain.control("time", { advanceMs: DAY_MS });
  await stage.chain.mine(25);
  await stage.chain.scan(stage.context);
}

it("a sweep borrows energy and returns it: only activation and bandwidth burn TRX, and none is left on the address", async () => {
  const { wallet } = stage;
  const charge = await stage.paid({ usdt: "400" });
  await stage.settleUntil(async () => (await borrowers()).length > 0);
  await stage.settleUntil(async () => (await borrowers()).length === 0);
  // A node's head includes transactions that wait for a block. So a loan counts as returned when a solid block shows
  // it.
  for (let turns = 0; turns < 2; turns += 1) await stage.turn();
  expect(await lines(sql`select status as line from sweeps`)).toEqual(["SOLID"]);
  await stage.settleAll();
  expect(await stage.usdtOf(wallet)).toBe(401_000_000n);
  expect(
    await lines(sql`
    select concat_ws(' ', t.purpose, t.outcome, coalesce(t.fee_units, 0)) as line from sweep_transactions t order by t.id`),
  ).toEqual(["top_up landed 1100000", "delegate landed 0", "sweep landed 0", "undelegate landed 283000"]);
  expect(await borrowers()).toEqual([]);
  expect(await stage.trxOf(charge.address)).toBe(1n);
});

it("a sweep without energy waits until the stake recovers, with that reason", {
  timeout: 180_000,
}, async () => {
  const { context, wallet } = stage;
  const before = await stage.usdtOf(wallet);
  for (const usdt of ["400", "500"]) {
    await stage.paid({ usdt });
    await stage.settleAll();
  }
  const late = await stage.paid({ usdt: "600" });
  await stage.settleAll();
  const [reason] = await lines(
    sql`select reason as line from sweeps where status = 'WAITING' and deposit_address_id = ${late.id}`,
  );
  expect(reason).toMatch(/^the stake can lend .* TRX now: its energy recovers within a day$/);
  await passDay();
  await context.owner.query(sql`update settlement_control set asked_at = now()`);
  await stage.settleAll();
  expect((await stage.usdtOf(wallet)) - before).toBe(1_500_000_000n);
  expect(await borrowers()).toEqual([]);
});

/** Stake of 15,000 TRX gives energy for two transfers a day. */
it("free energy is promised to one planned sweep only; one sweep waits for all others, and the stake serves them day by day", {
  timeout: 240_000,
}, async () => {
  const { context, wallet } = stage;
  const before = await stage.usdtOf(wallet);
  const gained = async () => (await stage.usdtOf(wallet)) - before;
  const charges: Charge[] = [];
  await context.owner.query(sql`update settlement_control set paused_at = now(), pause_reason = 'a test'`);
  for (const usdt of ["701", "702", "703", "704"]) charges.push(await stage.paid({ usdt }));
  await context.owner.query(sql`update settlement_control set paused_at = null, pause_reason = null`);
  // While the first two are activated, no stake is requested yet.
  for (let plans = 0; plans < 3; plans += 1) await stage.turn();
  const ids = charges.map(({ id }) => id);
  expect(
    await lines(
      sql`select concat_ws(' ', status, units) as line from sweeps where deposit_address_id = any(${ids}) order by units desc`,
    ),
  ).toEqual(["ACTIVATING 704000000", "ACTIVATING 703000000", "WAITING 702000000"]);
  await stage.settleUntil(async () => (await borrowers()).length === 0 && (await gained()) > 0n);
  expect(await gained()).toBe(1_407_000_000n);
  await passDay();
  // The database's clock cannot be advanced by a day.
  await context.owner.query(sql`update settlement_control set asked_at = now()`);
  await stage.settleAll();
  expect(await gained()).toBe(2_810_000_000n);
});

it("a sweep without energy after its activation waits with a reason until the stake has enough", {
  timeout: 240_000,
}, async () => {
  const { chain, context, wallet } = stage;
  const before = await stage.usdtOf(wallet);
  const charge = await stage.paid({ usdt: "800" });
  const sweep = () =>
    lines(sql`
      select concat_ws(' ', status, reason) as line from sweeps
      where deposit_address_id = ${charge.id} order by id desc limit 1`);
  await stage.settleUntil(async () => (await sweep())[0] === "ACTIVATING");
  // Others stake so much that our stake gives a hundredth of the energy.
  const { othersEnergyWeight } = (await chain.devchain.get("/devchain/config")).body.parameters;
  const weigh = (weight: number) =>
    chain.devchain.control("config", { parameters: { othersEnergyWeight: weight } });
  await weigh(othersEnergyWeight * 100);
  await stage.settleUntil(async () => (await sweep())[0]?.startsWith("RETRY") === true);
  expect((await sweep())[0]).toMatch(/^RETRY the stake can lend .* TRX now and .* are needed/);
  await weigh(othersEnergyWeight);
  await chain.mine(2);
  await context.owner.query(sql`update sweeps set due_at = now() where status = 'RETRY'`);
  await stage.settleAll();
  expect((await stage.usdtOf(wallet)) - before).toBe(800_000_000n);
  expect(await borrowers()).toEqual([]);
});

it("sweeps that expired after their loans use these loans again, even if the stake has no more energy", {
  timeout: 240_000,
}, async () => {
  const { wallet } = stage;
  const before = await stage.usdtOf(wallet);
  const charges = [await stage.paid({ usdt: "811" }), await stage.paid({ usdt: "812" })];
  const statuses = () =>
    lines(sql`
      select status as line from sweeps where deposit_address_id = any(${charges.map(({ id }) => id)}) order by id`);
  await stage.settleUntil(async () => (await borrowers()).length === 2);
  stage.takeBroadcasts(false);
  await stage.settleUntil(async () => (await statuses()).every((status) => status === "RETRY"));
  stage.takeBroadcasts(true);
  await stage.settleAll();
  expect(await statuses()).toEqual(["RECLAIMED", "RECLAIMED"]);
  expect((await stage.usdtOf(wallet)) - before).toBe(1_623_000_000n);
  expect(await borrowers()).toEqual([]);
});

it("a loan that the database does not know is taken back, by the chain's amount", async () => {
  const { context, merchantId } = stage;
  const charge = await stage.paid({ usdt: "700" });
  const hasLoan = async () => (await borrowers()).length > 0;
  await stage.settleUntil(hasLoan);
  await context.owner.query(sql`delete from sweep_transactions`);
  await context.owner.query(
    sql`update sweeps set status = 'DROPPED' where merchant_id = ${merchantId} and status not in ('RECLAIMED')`,
  );
  await context.owner.query(sql`update settlement_control set paused_at = now(), pause_reason = 'a test'`);
  stage.restart();
  await stage.turn();
  expect(await hasLoan()).toBe(true);
  await context.owner.query(sql`update settlement_control set paused_at = null, pause_reason = null`);
  stage.restart();
  await stage.settleUntil(async () => !(await hasLoan()));
  await stage.settleAll();
  expect(
    await lines(
      sql`select status || ' ' || units as line from sweeps where deposit_address_id = ${charge.id} order by id`,
    ),
  ).toContain("RECLAIMED 700000000");
  expect(await borrowers()).toEqual([]);
});
