import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { vectorStakes } from "@daric/testing/recordings";
import { keyPairFromPhrase, signHash } from "@daric/tron/signature";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENESIS } from "../ledger/genesis-accounts.ts";

const { payer } = GENESIS;
const ALICE = keyPairFromPhrase("stake api alice").address;
const owner_address = payer.address;
let devchain: TestDevchain;

beforeAll(async () => {
  devchain = await aDevchain();
  await body("/devchain/faucet", { address: ALICE, trx: "1" });
  await devchain.mine(1);
});

afterAll(async () => {
  await devchain.stop();
});

async function body(path: string, params: object = {}) {
  return (await devchain.post(path, params)).body;
}

/** Builds a contract at its endpoint, signs it as the payer and mines it; returns its info. */
async function carriedOut(path: string, contract: object) {
  const built = await body(`/wallet/${path}`, { owner_address, ...contract });
  const signature = [signHash(built.txID, payer.privateKey)];
  const sent = await body("/wallet/broadcasttransaction", { ...built, signature });
  expect(sent).toEqual({ result: true, txid: built.txID });
  await devchain.mine(1);
  return body("/wallet/gettransactioninfobyid", { value: built.txID });
}

/** The keys of an object and its inner objects. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
}

describe("a stake through the node's endpoints", () => {
  it("is built, signed, mined, and shown as java-tron shows it", async () => {
    const frozen = await carriedOut("freezebalancev2", {
      frozen_balance: 60_000_000_000,
      resource: "ENERGY",
    });
    expect(frozen).toMatchObject({ contractResult: [""], receipt: { net_usage: 255 } });
    expect(frozen).not.toHaveProperty("fee");
    const account = await body("/wallet/getaccount", { address: owner_address });
    expect(account.frozenV2).toEqual([
      {},
      { type: "ENERGY", amount: 60_000_000_000 },
      { type: "TRON_POWER" },
    ]);
    const resource = await body("/wallet/getaccountresource", { address: owner_address });
    expect(resource).toMatchObject({
      EnergyLimit: 568_419,
      tronPowerLimit: 60_000,
      TotalEnergyLimit: 180_000_000_000,
      TotalEnergyWeight: 19_000_060_000,
    });
    expect(resource).not.toHaveProperty("EnergyUsed");
  });

  it("delegates energy, which the lists, the receiver and the stake show", async () => {
    const params = { receiver_address: ALICE, balance: 8_000_000, resource: "ENERGY", lock: false };
    await carriedOut("delegateresource", params);
    const pair = { fromAddress: owner_address, toAddress: ALICE };
    expect(await body("/wallet/getdelegatedresourcev2", pair)).toEqual({
      delegatedResource: [{ from: owner_address, to: ALICE, frozen_balance_for_energy: 8_000_000 }],
    });
    expect(await body("/wallet/getdelegatedresourceaccountindexv2", { value: owner_address })).toEqual({
      account: owner_address,
      toAccounts: [ALICE],
    });
    expect(await body("/wallet/getdelegatedresourceaccountindexv2", { value: ALICE })).toEqual({
      account: ALICE,
      fromAccounts: [owner_address],
    });
    const owner = await body("/wallet/getaccount", { address: owner_address });
    const receiver = await body("/wallet/getaccount", { address: ALICE });
    expect(owner.account_resource.delegated_frozenV2_balance_for_energy).toBe(8_000_000);
    expect(receiver.account_resource.acquired_delegated_frozenV2_balance_for_energy).toBe(8_000_000);
    expect((await body("/wallet/getaccountresource", { address: ALICE })).EnergyLimit).toBe(75);
    expect(await body("/wallet/getcandelegatedmaxsize", { owner_address, type: 1 })).toEqual({
      max_size: 59_992_000_000,
    });
    expect(await body("/wallet/getcandelegatedmaxsize", { owner_address, type: 0 })).toEqual({});
  });

  it("/walletsolidity shows a delegation once its block is solid", async () => {
    const pair = { fromAddress: owner_address, toAddress: ALICE };
    expect(await body("/walletsolidity/getdelegatedresourcev2", pair)).toEqual({});
    await devchain.mine(19);
    expect((await body("/walletsolidity/getdelegatedresourcev2", pair)).delegatedResource).toHaveLength(1);
    const { toAccounts } = await body("/walletsolidity/getdelegatedresourceaccountindexv2", {
      value: owner_address,
    });
    expect(toAccounts).toEqual([ALICE]);
    expect((await body("/walletsolidity/getaccount", { address: ALICE })).account_resource).toMatchObject({
      acquired_delegated_frozenV2_balance_for_energy: 8_000_000,
    });
  });

  it("a locked delegation is listed apart with its expiry", async () => {
    const lock = {
      receiver_address: ALICE,
      balance: 2_000_000,
      resource: "ENERGY",
      lock: true,
      lock_period: 100,
    };
    await carriedOut("delegateresource", lock);
    const { timeMs } = await devchain.get("/devchain/info").then(({ body: info }) => info);
    const pair = { fromAddress: owner_address, toAddress: ALICE, visible: false };
    const { delegatedResource } = await body("/wallet/getdelegatedresourcev2", pair);
    expect(delegatedResource[1]).toEqual({
      from: owner_address,
      to: ALICE,
      frozen_balance_for_energy: 2_000_000,
      expire_time_for_energy: timeMs - 3_000 + 300_000,
    });
  });

  it("is undelegated, unfrozen, and paid out after its time", async () => {
    await carriedOut("undelegateresource", {
      receiver_address: ALICE,
      balance: 8_000_000,
      resource: "ENERGY",
    });
    await carriedOut("unfreezebalancev2", { unfreeze_balance: 1_000_000_000, resource: "ENERGY" });
    const { unfrozenV2 } = await body("/wallet/getaccount", { address: owner_address });
    const [{ unfreeze_expire_time: timestamp }] = unfrozenV2;
    expect(unfrozenV2).toEqual([
      { type: "ENERGY", unfreeze_amount: 1_000_000_000, unfreeze_expire_time: timestamp },
    ]);
    expect(await body("/wallet/getavailableunfreezecount", { owner_address })).toEqual({ count: 31 });
    const withdrawable = (at: number) =>
      body("/wallet/getcanwithdrawunfreezeamount", { owner_address, timestamp: at });
    expect(await withdrawable(timestamp - 1)).toEqual({});
    expect(await withdrawable(timestamp)).toEqual({ amount: 1_000_000_000 });
    await devchain.mine(1, (14 * 24 * 60 * 60 * 1000) / 2);
    await devchain.mine(1, (14 * 24 * 60 * 60 * 1000) / 2);
    expect(await withdrawable(0)).toEqual({ amount: 1_000_000_000 });
    const info = await carriedOut("withdrawexpireunfreeze", {});
    expect(info.withdraw_expire_amount).toBe(1_000_000_000);
  });

  it("whose unfreezing is cancelled shows the amount of each resource", async () => {
    await carriedOut("unfreezebalancev2", { unfreeze_balance: 5_000_000, resource: "ENERGY" });
    const info = await carriedOut("cancelallunfreezev2", {});
    expect(info.cancel_unfreezeV2_amount).toEqual([
      { key: "BANDWIDTH", value: 0 },
      { key: "ENERGY", value: 5_000_000 },
      { key: "TRON_POWER", value: 0 },
    ]);
  });

  it("that breaks a rule is refused when it is built, in a node's format", async () => {
    const { Error: text } = await body("/wallet/delegateresource", {
      owner_address,
      receiver_address: owner_address,
      balance: 1_000_000,
      resource: "ENERGY",
    });
    expect(text).toBe(
      "class org.tron.core.exception.ContractValidateException : receiverAddress must not be the same as ownerAddress",
    );
    const unknown = await body("/wallet/freezebalancev2", {
      owner_address,
      frozen_balance: 1_000_000,
      resource: "X",
    });
    expect(unknown.Error).toContain('resource has no value named "X".');
  });

  it("has base58 addresses if the client asks for visible ones", async () => {
    const { toAccounts, account } = await body("/wallet/getdelegatedresourceaccountindexv2", {
      value: devchain.payer.address,
      visible: true,
    });
    expect(account).toBe(devchain.payer.address);
    expect(toAccounts[0]).toMatch(/^T/);
  });
});

describe("recorded stakes", () => {
  it("have infos of the same shape, and cost the same bytes", async () => {
    const [freeze, delegate, unfreeze, undelegate] = vectorStakes().map(({ info }) => info);
    const none = { packingFee: undefined, fee: undefined, receipt: undefined };
    const plain = (info: object | undefined) => shape({ ...info, ...none });
    const energy = { resource: "ENERGY" };
    const to = { ...energy, receiver_address: ALICE, balance: 8_000_000 };
    const ours = [
      await carriedOut("freezebalancev2", { ...energy, frozen_balance: 1_000_000_000_000 / 2 }),
      await carriedOut("delegateresource", to),
      await carriedOut("unfreezebalancev2", { ...energy, unfreeze_balance: 1_000_000_000 }),
      await carriedOut("undelegateresource", to),
    ];
    for (const [place, recorded] of [freeze, delegate, unfreeze, undelegate].entries()) {
      expect(plain(ours[place])).toEqual(plain(recorded));
      const { net_usage = 0, net_fee = 0 } = ours[place].receipt;
      expect(net_usage * 1_000 + net_fee).toBe(recorded?.receipt.net_fee);
    }
  });
});
