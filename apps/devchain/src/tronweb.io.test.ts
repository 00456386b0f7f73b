import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { TronWeb } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ALICE = keyPairFromPhrase("tronweb alice");
const BOB = keyPairFromPhrase("tronweb bob");
const SOLID = 19;

let devchain: TestDevchain;
let payer: TronWeb;

beforeAll(async () => {
  devchain = await aDevchain();
  payer = devchain.tronWeb();
});

afterAll(async () => {
  await devchain.stop();
});

function base58(hex: string): string {
  return TronWeb.address.fromHex(hex);
}

async function infoAfterMining(txId: string) {
  await devchain.mine(SOLID);
  return payer.trx.getTransactionInfo(txId);
}

describe("unmodified TronWeb", () => {
  it("reads balances, blocks, resources and parameters", async () => {
    expect(await payer.trx.getBalance(devchain.payer.address)).toBeGreaterThan(900_000_000_000);
    const block = await payer.trx.getCurrentBlock();
    expect(block.blockID).toMatch(/^[0-9a-f]{64}$/);
    expect((await payer.trx.getBlock(0)).blockID).toBe(devchain.genesisId);
    expect((await payer.trx.getBlock(block.blockID)).blockID).toBe(block.blockID);
    expect(await payer.trx.getBlockRange(1, 5)).toHaveLength(5);
    expect((await payer.trx.getConfirmedCurrentBlock()).block_header.raw_data.number).toBeGreaterThan(0);
    expect(await payer.trx.getBandwidth(devchain.payer.address)).toBe(600);
    expect(await payer.trx.listSuperRepresentatives()).toHaveLength(27);
    expect(await payer.trx.getEnergyPrices()).toBe("0:100");
    const parameters = await payer.trx.getChainParameters();
    expect(parameters).toContainEqual({ key: "getEnergyFee", value: 100 });
    expect(parameters).toContainEqual({ key: "getAllowUpdateAccountName" });
    expect(await payer.isConnected()).toEqual({ fullNode: true, solidityNode: true, eventServer: true });
  });

  it("sends TRX and finds the result once it is solid", async () => {
    const sent = await payer.trx.sendTransaction(base58(ALICE.address), 25_000_000);
    expect(sent.result).toBe(true);
    await devchain.mine(1);
    expect(await payer.trx.getTransactionInfo(sent.txid)).toEqual({});
    const info = await infoAfterMining(sent.txid);
    expect(info).toMatchObject({ id: sent.txid, fee: 1_100_000, receipt: { net_fee: 100_000 } });
    expect(await payer.trx.getBalance(base58(ALICE.address))).toBe(25_000_000);
    expect((await payer.trx.getTransaction(sent.txid)).ret).toEqual([{ contractRet: "SUCCESS" }]);
  });

  it("sends and reads the token through contract().at()", async () => {
    const token = await payer.contract().at(devchain.usdtContract);
    expect(await token.name().call()).toBe("Tether USD");
    expect(await token.symbol().call()).toBe("USDT");
    expect(await token.decimals().call()).toBe(6n);
    const txId: string = await token.transfer(base58(BOB.address), 1_500_000).send();
    const info = await infoAfterMining(txId);
    expect(info.receipt.result).toBe("SUCCESS");
    expect(info.log?.[0]?.topics).toHaveLength(3);
    expect(await token.balanceOf(base58(BOB.address)).call()).toBe(1_500_000n);
  });

  it("approves, and another account spends by transferFrom", async () => {
    const token = await payer.contract().at(devchain.usdtContract);
    await token.approve(base58(ALICE.address), 700_000).send();
    await devchain.mine(1);
    expect(await token.allowance(devchain.payer.address, base58(ALICE.address)).call()).toBe(700_000n);
    const spender = await devchain.tronWeb(ALICE.privateKey).contract().at(devchain.usdtContract);
    const before: bigint = await token.balanceOf(base58(BOB.address)).call();
    await spender.transferFrom(devchain.payer.address, base58(BOB.address), 700_000).send();
    await devchain.mine(1);
    expect(await token.balanceOf(base58(BOB.address)).call()).toBe(before + 700_000n);
  });

  it("builds with a node's triggersmartcontract, estimates energy and gets a constant revert", async () => {
    const parameters = [
      { type: "address", value: base58(BOB.address) },
      { type: "uint256", value: 1 },
    ];
    const { usdtContract } = devchain;
    const builder = payer.transactionBuilder;
    const estimate = await builder.estimateEnergy(usdtContract, "transfer(address,uint256)", {}, parameters);
    expect(estimate.energy_required).toBe(64_285);
    const alice = base58(ALICE.address);
    const poor = await builder
      .triggerConstantContract(
        usdtContract,
        "transfer(address,uint256)",
        {},
        [parameters[0] as object, { type: "uint256", value: 10 ** 15 }] as never,
        alice,
      )
      .catch((error: Error) => error.message);
    expect(poor).toBe("REVERT opcode executed");
  });

  it("a transfer that reverts is mined as failed", async () => {
    await devchain.post("/devchain/faucet", { address: base58(BOB.address), trx: "50" });
    await devchain.mine(1);
    const token = await devchain.tronWeb(BOB.privateKey).contract().at(devchain.usdtContract);
    const txId: string = await token.transfer(base58(ALICE.address), 10 ** 12).send();
    const info = await infoAfterMining(txId);
    expect(info).toMatchObject({ result: "FAILED", receipt: { result: "REVERT" } });
    expect(payer.toUtf8(info.resMessage)).toBe("REVERT opcode executed");
    expect(info.log).toBeUndefined();
  });

  it("failing broadcasts carry the node's codes", async () => {
    const { transactionBuilder, trx } = payer;
    const unsigned = await transactionBuilder.sendTrx(
      base58(ALICE.address),
      1_000_000,
      devchain.payer.address,
    );
    const otherAddress = await devchain
      .tronWeb(ALICE.privateKey)
      .trx.sign(unsigned, ALICE.privateKey)
      .catch(() => null);
    expect(otherAddress).toBeNull();
    const signed = await trx.sign(unsigned);
    expect((await trx.sendRawTransaction(signed)).result).toBe(true);
    expect((await trx.sendRawTransaction(signed)).code).toBe("DUP_TRANSACTION_ERROR");
    const tooMuch = await devchain
      .tronWeb(BOB.privateKey)
      .trx.sendTransaction(base58(ALICE.address), 10 ** 12);
    expect(tooMuch.code).toBe("CONTRACT_VALIDATE_ERROR");
    expect(payer.toUtf8(tooMuch.message ?? "")).toBe(
      "Contract validate error : Validate TransferContract error, balance is not sufficient.",
    );
    const vote = await transactionBuilder.vote({ [base58(ALICE.address)]: 1 }, devchain.payer.address);
    const refused = await trx.sendRawTransaction(await trx.sign(vote));
    expect(refused).toMatchObject({ code: "CONTRACT_VALIDATE_ERROR", txid: vote.txID });
    expect(payer.toUtf8(refused.message ?? "")).toContain("VoteWitnessContract is not supported");
  });

  it("adds a memo and a longer expiration to a built transaction, and weighs its signatures", async () => {
    const { transactionBuilder: builder, trx } = payer;
    const plain = await builder.sendTrx(base58(ALICE.address), 3, devchain.payer.address);
    const withMemo = await builder.addUpdateData(plain, "order 42", "utf8");
    expect(withMemo.raw_data.data).toBe(Buffer.from("order 42").toString("hex"));
    const longer = await builder.extendExpiration(withMemo, 600);
    expect(longer.raw_data.expiration).toBe(withMemo.raw_data.expiration + 600_000);
    expect((await trx.getSignWeight(longer)).result).toEqual({ code: "NOT_ENOUGH_PERMISSION" });
    const signed = await trx.sign(longer);
    expect(await trx.getSignWeight(signed)).toMatchObject({
      result: {},
      current_weight: 1,
      permission: { permission_name: "owner", threshold: 1 },
      transaction: { txid: longer.txID, transaction: { txID: longer.txID } },
    });
    const { approved_list } = await trx.getApprovedList(signed);
    expect(approved_list.map((address) => TronWeb.address.fromHex(address))).toEqual([
      devchain.payer.address,
    ]);
    expect((await trx.sendRawTransaction(signed)).result).toBe(true);
    const info = await infoAfterMining(longer.txID);
    expect(info.fee).toBeGreaterThanOrEqual(1_000_000);
  });

  it("broadcasts hex, whose errors are plain text and whose txid is its own", async () => {
    const unsigned = await payer.transactionBuilder.sendTrx(base58(ALICE.address), 2, devchain.payer.address);
    const signed = await payer.trx.sign(unsigned);
    const pb = payer.utils.transaction.txJsonToPb(signed);
    pb.addSignature(Uint8Array.from(Buffer.from(signed.signature[0] ?? "", "hex")));
    const hex = Buffer.from(pb.serializeBinary()).toString("hex");
    const sent = await devchain.post("/wallet/broadcasthex", { transaction: hex });
    expect(sent.body).toMatchObject({ result: true, code: "SUCCESS", message: "", txid: signed.txID });
    const again = await devchain.post("/wallet/broadcasthex", { transaction: hex });
    expect(again.body).toMatchObject({
      result: false,
      code: "DUP_TRANSACTION_ERROR",
      message: "Dup transaction.",
    });
  });
});
