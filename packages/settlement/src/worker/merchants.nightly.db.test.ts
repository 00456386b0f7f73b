import type { Charge } from "@daric/charges/charge";
import type { MerchantId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import { compareBalances } from "@daric/server/doctor/compare-balances";
import { samplePaidCharges } from "@daric/server/doctor/deep-store";
import { anAddress, aSettlementAccount } from "@daric/testing/builders";
import { copyLedger } from "@daric/testing/ledger";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { beforeAll, expect, it } from "vitest";
import { sumUnplanned } from "../plan/plan-store.ts";

let stage: SettlementStage;
let gasWallet: string;
const merchants: { merchantId: MerchantId; wallet: string; units: bigint; charge: Charge }[] = [];

beforeAll(async () => {
  stage = await openSettlement();
  gasWallet = stage.signer.keys.addressAt([1, 0]);
  const wallets = [
    { merchantId: stage.merchantId, wallet: stage.wallet, usdt: "1000" },
    { ...stage.other, usdt: "2000" },
  ];
  for (const { merchantId, wallet, usdt } of wallets) {
    // A transfer to a wallet without USDT takes twice the energy.
    await stage.chain.pay(wallet, { usdt: "1" });
    const charge = await stage.paid({ usdt }, { merchantId });
    merchants.push({ merchantId, wallet, charge, units: BigInt(usdt) * 1_000_000n });
  }
  return stage.close;
}, 120_000);

/** The violations that the doctor finds at a merchant's addresses. */
async function faultsOf(
  { merchantId, charge: { id } }: { merchantId: MerchantId; charge: Charge },
  db: Queryable = stage.context.db,
) {
  const scope = { merchantIds: [merchantId], after: id.replace(/.{4}$/, "0000"), upTo: id };
  const charges = await samplePaidCharges(db, scope, { seed: 1, limit: 5 });
  expect(charges.map(({ chargeId }) => chargeId)).toContain(id);
  const nodes = { ...stage.chain, nodes: stage.chain.client.nodes };
  return (await compareBalances(db, nodes, charges)).violations;
}

/** Units that the ledger of a merchant has moved by lines of these kinds. */
async function bookedOf(merchantId: MerchantId, kinds: readonly string[]): Promise<bigint> {
  const rows = await stage.context.owner.query<{ units: string }>(sql`
    select coalesce(sum(units), 0)::text as units from ledger_entries
    where merchant_id = ${merchantId} and kind = any(${kinds}::text[])`);
  return BigInt(rows[0]?.units ?? "0");
}

it("top-ups and activations of two merchants are booked with the merchant's own address, and each wallet gets its money", async () => {
  const before = await stage.trxOf(gasWallet);
  const faults: unknown[] = [];
  await stage.settleUntil(async () => {
    for (const merchant of merchants) faults.push(...(await faultsOf(merchant)));
    const open = await stage.context.owner.query(sql`select from sweeps where status <> 'RECLAIMED'`);
    const unbooked = await stage.context.owner.query(sql`select from own_transactions where not is_booked`);
    const made = await stage.context.owner.query(sql`select from sweeps`);
    return made.length === merchants.length && open.length + unbooked.length === 0;
  });
  expect(faults).toEqual([]);
  let gas = 0n;
  for (const { merchantId, wallet, units } of merchants) {
    expect(await stage.usdtOf(wallet)).toBe(units + 1_000_000n);
    const [topUps, activations] = [
      await bookedOf(merchantId, ["top_up"]),
      await bookedOf(merchantId, ["activation"]),
    ];
    // Energy for a transfer at 100 sun; and 1 TRX with its bandwidth.
    expect([topUps, activations]).toEqual([6_428_500n, 1_100_000n]);
    expect(await bookedOf(merchantId, ["gas_burn", "deposit_burn"])).toBe(topUps);
    gas += topUps + activations;
  }
  expect(before - (await stage.trxOf(gasWallet))).toBe(gas);
});

it("the doctor names only the address whose top-up was changed or is missing in the ledger", async () => {
  const [, second] = merchants;
  if (second === undefined) throw new Error("there are two merchants");
  const found = async (change: ReturnType<typeof sql>) => {
    const { db } = await copyLedger(stage.context, [change]);
    return Promise.all(
      merchants.map(async (merchant) => (await faultsOf(merchant, db)).flatMap(({ samples }) => samples)),
    );
  };
  const secondFaults = (reason: string) => [
    [],
    [expect.stringMatching(`^${second.charge.address}: .* ${reason}$`)],
  ];
  expect(
    await found(sql`
      update own_transactions set returned = returned + 100000000 where merchant_id = ${second.merchantId} and is_top_up`),
  ).toEqual(secondFaults("where 106428500 came and 0 left"));
  expect(
    await found(sql`delete from ledger_entries where merchant_id = ${second.merchantId} and kind = 'top_up'`),
  ).toEqual(secondFaults("where the ledger has -6428500"));
});

it("an order's money goes to the order's wallet, once the operator has approved it beside the first one", async () => {
  const { context, merchantId, wallet } = stage;
  const second = await aSettlementAccount(context.db, merchantId, { address: anAddress() });
  await stage.chain.pay(second.address, { trx: "1" });
  const before = await stage.trxOf(wallet);
  await stage.paid({ trx: "500" });
  await stage.paid({ trx: "700" }, { settlementAccountId: second.id });
  await stage.settleUntil(async () => (await stage.trxOf(wallet)) === before + 500_000_000n);
  expect(await stage.trxOf(second.address)).toBe(1_000_000n);
  const bounds = { full: 1n, old: 1n, asked: 1n, oldBefore: new Date(), askedBefore: new Date() };
  expect(await sumUnplanned(context.db, { currency: "TRX", bounds })).toEqual([
    { reason: "no_approved_wallet", addresses: 1, oldestAt: expect.any(Date), units: 700_000_000n },
  ]);

  await stage.approve(merchantId, { address: second.address, isAdditional: true });
  await stage.paid({ trx: "400" });
  await stage.settleAll();
  expect(await stage.trxOf(wallet)).toBe(before + 900_000_000n);
  expect(await stage.trxOf(second.address)).toBe(701_000_000n);
});
