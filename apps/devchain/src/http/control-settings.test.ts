import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { addressWord, uintWord } from "@daric/tron/abi";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENESIS } from "../ledger/genesis-accounts.ts";

const ALICE = keyPairFromPhrase("settings alice").address;
const { payer, treasury, usdtContract } = GENESIS;
let devchain: TestDevchain;

beforeAll(async () => {
  devchain = await aDevchain();
});

afterAll(async () => {
  await devchain.stop();
});

async function body(path: string, params: object = {}) {
  return (await devchain.post(path, params)).body;
}

/** The result of a constant call of the token. */
async function call(function_selector: string, parameter = "", owner_address = payer.address) {
  const answer = await body("/wallet/triggerconstantcontract", {
    owner_address,
    contract_address: usdtContract,
    function_selector,
    parameter,
  });
  return { ...answer, word: answer.constant_result?.[0], failed: answer.transaction.ret[0].ret === "FAILED" };
}

const transferTo = (to: string, units: bigint) =>
  call("transfer(address,uint256)", addressWord(to) + uintWord(units));

async function parameters(): Promise<Map<string, number | undefined>> {
  const { chainParameter } = await body("/wallet/getchainparameters");
  return new Map(chainParameter.map(({ key, value }: { key: string; value?: number }) => [key, value]));
}

describe("chain parameters", () => {
  it("are shown at once, charged from the next block on, and kept in the history of prices", async () => {
    const { timeMs } = (await devchain.get("/devchain/info")).body;
    const { parameters: set } = await devchain.control("config", { parameters: { getEnergyFee: 210 } });
    expect(set.getEnergyFee).toBe(210);
    expect((await parameters()).get("getEnergyFee")).toBe(210);
    const { txids } = await body("/devchain/faucet", { address: ALICE, usdt: "5" });
    await devchain.mine(1);
    const { receipt } = await body("/wallet/gettransactioninfobyid", { value: txids[0] });
    expect(receipt).toMatchObject({ energy_usage_total: 130_285, energy_fee: 130_285 * 210 });
    expect(await body("/wallet/getenergyprices")).toEqual({ prices: `0:100,${timeMs}:210` });
    expect(await body("/walletsolidity/getenergyprices")).toEqual({ prices: "0:100" });
    await devchain.control("config", { parameters: { getEnergyFee: 100 } });
  });

  it("the stake of others changes the energy per TRX", async () => {
    await devchain.control("config", { parameters: { othersEnergyWeight: "38000000000" } });
    const { TotalEnergyWeight } = await body("/wallet/getaccountresource", { address: payer.address });
    expect(TotalEnergyWeight).toBe(38_000_000_000);
    await devchain.control("config", { parameters: { othersEnergyWeight: 19_000_000_000 } });
  });

  it("free bandwidth, activation and bandwidth prices are the set ones", async () => {
    await devchain.control("config", {
      parameters: { getFreeNetLimit: 0, getTransactionFee: 7, getCreateNewAccountFeeInSystemContract: 3 },
    });
    const { txids } = await body("/devchain/faucet", {
      address: keyPairFromPhrase("settings bob").address,
      trx: "1",
    });
    const again = await body("/devchain/faucet", { address: ALICE, usdt: "1" });
    await devchain.mine(1);
    const info = (value: string) => body("/wallet/gettransactioninfobyid", { value });
    expect(await info(txids[0])).toMatchObject({ fee: 100_003, receipt: { net_fee: 100_000 } });
    expect((await info(again.txids[0])).receipt.net_fee).toBe(346 * 7);
  });

  it.each([
    [{ getWitnessPayPerBlock: 1 }, "getWitnessPayPerBlock", "cannot be set; what can be is getEnergyFee"],
    [{ getEnergyFee: 0 }, "getEnergyFee", "must be an integer from 1 to"],
    [{ getMemoFee: -1 }, "getMemoFee", "must be an integer from 0 to"],
    [{ getMemoFee: "1.5" }, "getMemoFee", "must be an integer"],
    ["dear", "parameters", "must be an object of parameters by name"],
  ])("%j is refused", async (given, field, rule) => {
    const { status, body: answer } = await devchain.post("/devchain/config", { parameters: given });
    expect(status).toBe(400);
    expect(answer.field).toBe(field);
    expect(answer.error).toContain(rule);
  });
});

describe("the token", () => {
  it("black-lists by transactions of its owner, and clears again", async () => {
    const { txids } = await devchain.control("token", { blacklist: [devchain.payer.address] });
    await devchain.mine(1);
    const info = await body("/wallet/gettransactioninfobyid", { value: txids[0] });
    expect(info.log[0].topics[1]).toBe(addressWord(payer.address));
    expect((await call("isBlackListed(address)", addressWord(payer.address))).word).toBe(uintWord(1n));
    expect(await transferTo(ALICE, 1n)).toMatchObject({
      failed: true,
      constant_result: [""],
      energy_used: 3_150,
    });
    await devchain.control("token", { unblacklist: [payer.address] });
    expect((await transferTo(ALICE, 1n)).failed).toBe(false);
  });

  it("is paused once, however often it is requested", async () => {
    expect((await devchain.control("token", { paused: true })).txids).toHaveLength(1);
    expect(await devchain.control("token", { paused: true })).toMatchObject({ txids: [], paused: true });
    expect((await call("paused()")).word).toBe(uintWord(1n));
    expect((await transferTo(ALICE, 1n)).failed).toBe(true);
    expect(await devchain.control("token", { paused: false })).toMatchObject({ paused: false });
    expect((await transferTo(ALICE, 1n)).failed).toBe(false);
  });

  it("has the set fee, and simulates a transfer with it", async () => {
    const set = await devchain.control("token", { basisPointsRate: 10, maximumFee: 2 });
    expect(set).toMatchObject({ basisPointsRate: 10, maximumFee: 2 });
    await devchain.mine(1);
    expect((await call("maximumFee()")).word).toBe(uintWord(2_000_000n));
    const { logs } = await transferTo(ALICE, 1_000_000n);
    expect(logs.map(({ topics: [, , to], data }: { topics: string[]; data: string }) => [to, data])).toEqual([
      [addressWord(ALICE), uintWord(999_000n)],
      [addressWord(treasury.address), uintWord(1_000n)],
    ]);
    expect(await devchain.control("token", { basisPointsRate: 0 })).toMatchObject({ maximumFee: 2 });
  });

  it("costs the set energy, in a simulation and in a block", async () => {
    await devchain.control("token", { transferEnergy: 14_650, firstTransferEnergy: 29_650 });
    const stranger = keyPairFromPhrase("settings stranger").address;
    expect([(await transferTo(ALICE, 1n)).energy_used, (await transferTo(stranger, 1n)).energy_used]).toEqual(
      [14_650, 29_650],
    );
    const { txids } = await body("/devchain/faucet", { address: stranger, usdt: "1" });
    await devchain.mine(1);
    const { receipt } = await body("/wallet/gettransactioninfobyid", { value: txids[0] });
    expect(receipt.energy_usage_total).toBe(29_650);
    const reset = await devchain.control("token", { transferEnergy: 0, firstTransferEnergy: 0 });
    expect(reset).toMatchObject({ transferEnergy: 0, txids: [] });
    expect((await transferTo(ALICE, 1n)).energy_used).toBe(64_285);
    expect((await devchain.get("/devchain/token")).body).toMatchObject({
      paused: false,
      firstTransferEnergy: 0,
    });
  });

  it.each([
    [{ basisPointsRate: 20 }, "basisPointsRate"],
    [{ maximumFee: 50 }, "maximumFee"],
    [{ blacklist: "T" }, "blacklist"],
    [{ blacklist: ["T"] }, "blacklist"],
    [{ paused: "yes" }, "paused"],
    [{ transferEnergy: -1 }, "transferEnergy"],
  ])("%j is refused", async (given, field) => {
    const { status, body: answer } = await devchain.post("/devchain/token", given);
    expect([status, answer.field]).toEqual([400, field]);
  });
});
