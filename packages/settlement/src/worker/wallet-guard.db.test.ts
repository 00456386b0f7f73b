import type { MerchantId } from "@daric/domain/ids";
import { addSettlementAccount } from "@daric/merchants/add-settlement-account";
import { vetWallet } from "@daric/merchants/vet-wallet";
import { sql } from "@daric/postgres/sql";
import { anAddress } from "@daric/testing/builders";
import { aPermittedWallet, type Permit } from "@daric/testing/permitted-wallet";
import { openSettlement, type SettlementStage } from "@daric/testing/settlement";
import { alarms } from "@daric/testing/watch";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

let stage: SettlementStage;
const stranger = anAddress();

beforeAll(async () => {
  stage = await openSettlement();
  return stage.close;
}, 60_000);

beforeEach(() => stage.restart());

async function aWallet(phrase: string) {
  const { address, permit } = await aPermittedWallet(stage.chain, phrase);
  const permitAndScan = async (change: Permit) => {
    await permit(change);
    await stage.chain.scan(stage.context);
  };
  return { address, permit: permitAndScan };
}

const nodes = () => ({ nodes: stage.chain.client.nodes, tokens: stage.chain.network.tokens });
const add = (address: string, confirmed?: string, merchantId = stage.merchantId) =>
  addSettlementAccount(
    { db: stage.context.owner, config: stage.context.config, chain: nodes() },
    merchantId,
    { address, confirmed },
  );

/** Adds a wallet as the merchant's default, as the nodes show it and a person confirmed it. */
async function useWallet(address: string, merchantId: MerchantId) {
  const { owner } = stage.context;
  await owner.query(sql`update settlement_accounts set is_default = false where merchant_id = ${merchantId}`);
  const { permissions } = await vetWallet(nodes(), address);
  const { account } = await add(address, permissions, merchantId);
  await owner.query(
    sql`update settlement_accounts set is_default = true where merchant_id = ${merchantId} and id = ${account.id}`,
  );
}

describe("a wallet that other keys may move", () => {
  it.each<[string, (own: string) => Permit, RegExp]>([
    [
      "its owner is a stranger",
      () => ({ owner: { [stranger]: 1 } }),
      /another key, T\w+, may move all of it/,
    ],
    [
      "two of itself and a stranger",
      (own) => ({ owner: { [own]: 1, [stranger]: 1 }, threshold: 2 }),
      /Its own key alone cannot move it/,
    ],
    [
      "an active permission alone",
      (own) => ({ owner: { [own]: 1 }, active: { [stranger]: 1 } }),
      /Its active permission "active0" .* may move all of it/,
    ],
  ])("is added only with a confirmation: %s", async (title, change, said) => {
    const { address, permit } = await aWallet(title);
    await permit(change(address));
    const { permissions } = await vetWallet(nodes(), address);
    const refused = (confirmed?: string) =>
      expect(add(address, confirmed)).rejects.toMatchObject({
        details: [{ message: expect.stringMatching(said) }],
      });
    await refused();
    await refused("own");
    await refused("0".repeat(32));
    expect((await add(address, permissions)).account.permissions).toBe(permissions);
  });

  it("is not one that has no account yet, and stays confirmed when it is activated", async () => {
    const address = anAddress();
    expect((await add(address)).account.permissions).toBe("own");
    await stage.chain.pay(address, { trx: "1" });
    await stage.chain.mine(2);
    expect((await add(address)).account.permissions).toBe("own");
  });
});

describe("permissions that change after the approval", () => {
  const openOf = async () =>
    (
      await stage.context.owner.query<{ line: string }>(
        sql`select concat_ws(' ', status, currency, units) as line from sweeps where status not in ('RECLAIMED', 'DROPPED')`,
      )
    ).map(({ line }) => line);
  const raised = async () => (await alarms(stage.context)).wallet_changed ?? 0;

  it("pause the sweeps of that wallet with one alarm, until the operator confirms them anew", async () => {
    const { merchantId } = stage;
    const { address, permit } = await aWallet("lost later");
    await useWallet(address, merchantId);
    await stage.approve(merchantId, { address, permissions: "own" });
    await permit({ owner: { [stranger]: 1 } });
    await stage.paid({ trx: "300" });
    for (let round = 0; round < 3; round += 1) await stage.turn();
    expect([await openOf(), await raised()]).toEqual([[], 1]);
    expect(stage.faults().join()).toContain(`paused to the wallet ${address}`);

    const { permissions } = await vetWallet(nodes(), address);
    await add(address, permissions);
    await stage.turn();
    expect(await openOf()).toEqual([]);
    await stage.approve(merchantId, { address, permissions });
    const before = await stage.trxOf(address);
    await stage.settleAll();
    expect([(await stage.trxOf(address)) - before, stage.faults()]).toEqual([300_000_000n, []]);
  });

  it("hold the money of the merchants alone that did not confirm them, until the signer's list names another wallet", async () => {
    const { merchantId, other } = stage;
    const { address, permit } = await aWallet("of two merchants");
    const merchants = [merchantId, other.merchantId];
    for (const of of merchants) {
      await useWallet(address, of);
      await stage.approve(of, { address });
    }
    await permit({ owner: { [address]: 1, [stranger]: 1 } });
    await stage.paid({ trx: "320" });
    await stage.turn();
    expect(stage.faults().join()).toContain(`paused to the wallet ${address}`);
    await useWallet(address, other.merchantId);
    await stage.paid({ trx: "321" }, { merchantId: other.merchantId });
    await stage.turn();
    expect(await openOf()).toEqual(["PLANNED TRX 321000000"]);

    const kept = anAddress();
    await useWallet(kept, merchantId);
    await stage.approve(merchantId, { address: kept });
    await stage.settleAll();
    expect([await stage.trxOf(kept), stage.faults()]).toEqual([320_000_000n - 1_100_000n, []]);
  });

  it("of the operator's wallet hold the fees alone, and no merchant's money", async () => {
    const { address, permit } = await aWallet("of the operator");
    const [operator, kept] = ["operator", anAddress()] as const;
    await stage.approve(operator, { address, permissions: "own" });
    await useWallet(kept, stage.merchantId);
    await stage.approve(stage.merchantId, { address: kept, feeCeiling: { USDT: 0n, TRX: 1_000_000_000n } });
    await permit({ owner: { [stranger]: 1 } });
    await stage.paid({ trx: "30000" }, { feeBasisPoints: 100 });
    for (let round = 0; round < 2; round += 1) await stage.turn();
    expect([await openOf(), stage.faults().join()]).toEqual([
      ["PLANNED TRX 29998900000"],
      expect.stringContaining(`paused to the wallet ${address}`),
    ]);
    await stage.settleAll();
    await stage.approve(operator, { address: stage.operatorWallet });
    await stage.turn();
    expect(stage.faults()).toEqual([]);
  });

  it("stop a sweep that is planned and not signed yet", async () => {
    const { context, merchantId } = stage;
    const { address, permit } = await aWallet("lost in between");
    await useWallet(address, merchantId);
    await stage.approve(merchantId, { address });
    await stage.paid({ trx: "310" });
    await stage.turn();
    expect(await openOf()).toEqual(["PLANNED TRX 310000000"]);
    const before = [await stage.trxOf(address), await raised()];
    await permit({ owner: { [stranger]: 1 } });
    for (let round = 0; round < 12; round += 1) {
      await stage.turn();
      await stage.sign();
      await stage.chain.mine(10);
      await stage.chain.scan(context);
    }
    // The change of permissions itself cost 100 TRX.
    expect([(await stage.trxOf(address)) <= (before[0] as bigint), await raised()]).toEqual([
      true,
      (before[1] as number) + 1,
    ]);
    expect(await openOf()).toEqual([]);
  });
});
