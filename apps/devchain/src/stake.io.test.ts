import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type KeyPair, keyPairFromPhrase } from "@daric/tron/signature";
import { TronWeb, type Types } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const STAKE = keyPairFromPhrase("tronweb stake");
const HOT = keyPairFromPhrase("tronweb stake's hot key");
const SECOND = keyPairFromPhrase("tronweb second key");
const POOR = keyPairFromPhrase("tronweb poor");
const SHOP = keyPairFromPhrase("tronweb shop");
const TRX = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Stake with enough energy for a transfer to a holder. */
const LENT = 7_000 * TRX;

let devchain: TestDevchain;
let stake: TronWeb;
let poor: TronWeb;

beforeAll(async () => {
  devchain = await aDevchain();
  stake = devchain.tronWeb(STAKE.privateKey);
  poor = devchain.tronWeb(POOR.privateKey);
  await devchain.control("faucet", { address: STAKE.address, trx: "61000" });
  await devchain.control("faucet", { address: POOR.address, trx: "1", usdt: "100" });
  await devchain.control("faucet", { address: SHOP.address, usdt: "1" });
  await devchain.mine(1);
});

afterAll(async () => {
  await devchain.stop();
});

function base58({ address }: Pick<KeyPair, "address">): string {
  return TronWeb.address.fromHex(address);
}

type Built = Types.Transaction<Types.ContractParamter>;

/** Signs and sends a built transaction; returns its info once it is in a block. */
async function carriedOut(client: TronWeb, built: Built) {
  const sent = await client.trx.sendRawTransaction(await client.trx.sign(built));
  expect(sent).toMatchObject({ result: true, txid: built.txID });
  await devchain.mine(1);
  return client.trx.getUnconfirmedTransactionInfo(built.txID);
}

/** A transfer of the token, built by TronWeb with a fee limit. */
async function usdtTransfer(client: TronWeb, to: string, units: number, feeLimit = 20 * TRX): Promise<Built> {
  const { transaction } = await client.transactionBuilder.triggerSmartContract(
    devchain.usdtContract,
    "transfer(address,uint256)",
    { feeLimit },
    [
      { type: "address", value: to },
      { type: "uint256", value: units },
    ],
  );
  return transaction;
}

const resources = (account: KeyPair) => stake.trx.getAccountResources(base58(account));

describe("unmodified TronWeb at a stake", () => {
  it("freezes, delegates energy, transfers a token without TRX, and undelegates", async () => {
    const { transactionBuilder: builder, trx } = stake;
    await carriedOut(stake, await builder.freezeBalanceV2(60_000 * TRX, "ENERGY"));
    expect((await resources(STAKE)).EnergyLimit).toBe(568_419);
    expect(await trx.getCanDelegatedMaxSize(base58(STAKE), "ENERGY", { confirmed: false })).toEqual({
      max_size: 60_000 * TRX,
    });
    await carriedOut(
      stake,
      await builder.delegateResource(LENT, base58(POOR), "ENERGY", base58(STAKE), false),
    );
    const confirmed = { confirmed: false };
    expect(await trx.getDelegatedResourceV2(base58(STAKE), base58(POOR), confirmed)).toEqual({
      delegatedResource: [{ from: STAKE.address, to: POOR.address, frozen_balance_for_energy: LENT }],
    });
    expect((await trx.getDelegatedResourceAccountIndexV2(base58(STAKE), confirmed)).toAccounts).toEqual([
      POOR.address,
    ]);

    const before = await poor.trx.getUnconfirmedBalance(base58(POOR));
    const swept = await carriedOut(poor, await usdtTransfer(poor, base58(SHOP), 99 * TRX));
    expect(swept).not.toHaveProperty("fee");
    expect(swept.receipt).toMatchObject({
      result: "SUCCESS",
      energy_usage: 64_285,
      energy_usage_total: 64_285,
      net_usage: 345,
    });
    expect(await poor.trx.getUnconfirmedBalance(base58(POOR))).toBe(before);

    await carriedOut(stake, await builder.undelegateResource(LENT, base58(POOR), "ENERGY", base58(STAKE)));
    expect(await resources(POOR)).not.toHaveProperty("EnergyUsed");
    expect((await resources(STAKE)).EnergyUsed).toBeGreaterThan(64_200);
    await devchain.mine(1, DAY_MS / 2);
    expect((await resources(STAKE)).EnergyUsed).toBeLessThan(32_200);
    await devchain.mine(1, DAY_MS / 2);
    expect(await resources(STAKE)).not.toHaveProperty("EnergyUsed");
  });

  it("without energy or TRX runs out of energy: all available is burned, and no tokens move", async () => {
    const failed = await carriedOut(poor, await usdtTransfer(poor, base58(SHOP), TRX / 2));
    expect(failed).toMatchObject({
      result: "FAILED",
      fee: TRX,
      receipt: { result: "OUT_OF_ENERGY", energy_fee: TRX, energy_usage_total: 10_000 },
    });
    expect(TronWeb.toUtf8(failed.resMessage ?? "")).toContain("Not enough energy for 'SSTORE' operation");
    expect(failed).not.toHaveProperty("log");
    expect(await poor.trx.getUnconfirmedBalance(base58(POOR))).toBe(0);
  });

  it("with a fee limit below the energy fails, though the energy is delegated", async () => {
    await devchain.mine(1, DAY_MS);
    const { transactionBuilder: builder } = stake;
    await carriedOut(stake, await builder.delegateResource(LENT, base58(POOR), "ENERGY", base58(STAKE)));
    const failed = await carriedOut(poor, await usdtTransfer(poor, base58(SHOP), TRX / 2, 3 * TRX));
    expect(failed).toMatchObject({
      result: "FAILED",
      receipt: { result: "OUT_OF_ENERGY", energy_usage: 30_000, energy_usage_total: 30_000 },
    });
    expect(failed).not.toHaveProperty("fee");
    await carriedOut(stake, await builder.undelegateResource(LENT, base58(POOR), "ENERGY", base58(STAKE)));
  });

  it("is refused with java-tron's texts", async () => {
    const { transactionBuilder: builder, trx } = stake;
    const refusal = async (built: Built) => {
      const { code, message } = await trx.sendRawTransaction(await trx.sign(built));
      return `${code}: ${TronWeb.toUtf8(message ?? "")}`;
    };
    const stranger = keyPairFromPhrase("tronweb stranger");
    const delegated = (receiver: KeyPair, sun: number) =>
      builder.delegateResource(sun, base58(receiver), "ENERGY", base58(STAKE));
    const refused = "CONTRACT_VALIDATE_ERROR: Contract validate error :";
    expect(await refusal(await delegated(stranger, TRX))).toBe(
      `${refused} Account[${stranger.address}] not exists`,
    );
    expect(await refusal(await delegated(POOR, 70_000 * TRX))).toBe(
      `${refused} delegateBalance must be less than or equal to available FreezeEnergyV2 balance`,
    );
    const undelegated = await builder.undelegateResource(TRX, base58(SHOP), "ENERGY", base58(STAKE));
    expect(await refusal(undelegated)).toBe(`${refused} delegated Resource does not exist`);
  });
});

describe("unmodified TronWeb at permissions", () => {
  it("gives a hot key delegation only, and signs with it", async () => {
    await devchain.mine(1, DAY_MS);
    const operations = Buffer.alloc(32);
    for (const type of [57, 58]) operations[type >> 3] = (operations[type >> 3] ?? 0) | (1 << (type & 7));
    const one = { threshold: 1, keys: [{ address: base58(STAKE), weight: 1 }] };
    const two = [HOT, SECOND].map((key) => ({ address: base58(key), weight: 1 }));
    const updated = await stake.transactionBuilder.updateAccountPermissions(
      base58(STAKE),
      { type: 0, permission_name: "owner", ...one },
      undefined,
      [
        {
          type: 2,
          permission_name: "delegations",
          threshold: 1,
          keys: [{ address: base58(HOT), weight: 1 }],
          operations: operations.toString("hex"),
        },
        { type: 2, permission_name: "both", threshold: 2, keys: two, operations: operations.toString("hex") },
      ],
    );
    expect(await carriedOut(stake, updated as Built)).toMatchObject({ fee: 100 * TRX });
    const { active_permission } = await stake.trx.getUnconfirmedAccount(base58(STAKE));
    expect(active_permission.map(({ id, permission_name }) => [id, permission_name])).toEqual([
      [2, "delegations"],
      [3, "both"],
    ]);
    const hot = devchain.tronWeb(HOT.privateKey);
    const options = { permissionId: 2 };
    const delegated = await hot.transactionBuilder.delegateResource(
      TRX,
      base58(POOR),
      "ENERGY",
      base58(STAKE),
      false,
      undefined,
      options,
    );
    const signed = await hot.trx.multiSign(delegated, HOT.privateKey, 2);
    expect((await hot.trx.getSignWeight(signed, 2)).result).toEqual({});
    expect((await hot.trx.sendRawTransaction(signed)).result).toBe(true);
    const pay = await hot.transactionBuilder.sendTrx(base58(SHOP), TRX, base58(STAKE), options);
    const refused = await hot.trx.sendRawTransaction(await hot.trx.multiSign(pay, HOT.privateKey, 2));
    expect(TronWeb.toUtf8(refused.message ?? "")).toBe("Validate signature error: Permission denied");
  });

  it("collects two signatures if the permission needs two", async () => {
    await devchain.mine(2, DAY_MS);
    const hot = devchain.tronWeb(HOT.privateKey);
    const undelegated = await hot.transactionBuilder.undelegateResource(
      TRX,
      base58(POOR),
      "ENERGY",
      base58(STAKE),
      { permissionId: 3 },
    );
    const once = await hot.trx.multiSign(undelegated, HOT.privateKey, 3);
    expect((await hot.trx.getSignWeight(once, 3)).result).toEqual({ code: "NOT_ENOUGH_PERMISSION" });
    const twice = await hot.trx.multiSign(once, SECOND.privateKey, 3);
    expect((await hot.trx.sendRawTransaction(twice)).result).toBe(true);
    await devchain.mine(1);
    expect(await hot.trx.getUnconfirmedTransactionInfo(twice.txID)).toMatchObject({ fee: TRX });
  });
});

describe("unmodified TronWeb at the token", () => {
  it("reads black list, pause and fee, and sees transfers fail by them", async () => {
    const token = await stake.contract().at(devchain.usdtContract);
    await devchain.control("token", { blacklist: [base58(POOR)], basisPointsRate: 10, maximumFee: 1 });
    await devchain.control("faucet", { address: POOR.address, trx: "100" });
    await devchain.mine(1);
    expect(await token.isBlackListed(base58(POOR)).call()).toBe(true);
    expect([await token.basisPointsRate().call(), await token.maximumFee().call()]).toEqual([
      10n,
      1_000_000n,
    ]);
    const frozen = await carriedOut(poor, await usdtTransfer(poor, base58(SHOP), 1));
    expect(frozen).toMatchObject({
      result: "FAILED",
      receipt: { result: "REVERT", energy_usage_total: 3_150 },
    });

    await devchain.control("token", { unblacklist: [base58(POOR)], paused: true });
    await devchain.mine(1);
    expect(await token.paused().call()).toBe(true);
    const paused = await carriedOut(poor, await usdtTransfer(poor, base58(SHOP), 1));
    expect(paused.receipt.result).toBe("REVERT");

    await devchain.control("token", { paused: false });
    await devchain.mine(1);
    const arrived: bigint = await token.balanceOf(base58(SHOP)).call();
    const paid = await carriedOut(poor, await usdtTransfer(poor, base58(SHOP), TRX));
    expect(paid.log).toHaveLength(2);
    expect(await token.balanceOf(base58(SHOP)).call()).toBe(arrived + 999_000n);
  });
});
