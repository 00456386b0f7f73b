import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { addressWord } from "@daric/tron/abi";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GENESIS } from "../ledger/genesis-accounts.ts";

const UNUSED_ADDRESS = keyPairFromPhrase("api nobody").address;
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

describe("blocks", () => {
  it("getblock returns transactions only with detail, and accepts a number, an id or nothing", async () => {
    const genesis = await body("/wallet/getblock", { id_or_num: "0", detail: true });
    expect(genesis.transactions).toHaveLength(2);
    expect((await body("/wallet/getblock", { id_or_num: genesis.blockID })).blockID).toBe(genesis.blockID);
    expect(await body("/wallet/getblock", { id_or_num: "0" })).not.toHaveProperty("transactions");
    const head = await body("/wallet/getblock");
    expect(head.blockID).toBe((await body("/wallet/getnowblock")).blockID);
  });

  it("the genesis block has neither number nor timestamp: both are 0", async () => {
    const { block_header } = await body("/wallet/getblockbynum");
    expect(Object.keys(block_header.raw_data).sort()).toEqual(["parentHash", "txTrieRoot"]);
  });

  it("a missing block is {}, and a bad id is an Error", async () => {
    expect(await body("/wallet/getblock", { id_or_num: "99999999" })).toEqual({});
    expect(await body("/wallet/getblockbynum", { num: 99999999 })).toEqual({});
    expect(await body("/wallet/getblockbyid", { value: "00".repeat(32) })).toEqual({});
    expect(await body("/wallet/getblock", { id_or_num: "xyz" })).toEqual({
      Error: "id must be legal block hash.",
    });
  });

  it("ranges end before endNum, stop at the tip, and are {} out of bounds", async () => {
    const range = (startNum: number, endNum: number) =>
      body("/wallet/getblockbylimitnext", { startNum, endNum });
    expect((await range(3, 6)).block).toHaveLength(3);
    expect((await range(19, 99)).block).toHaveLength(2);
    for (const [start, end] of [
      [5, 5],
      [0, 101],
      [50, 60],
    ] as const)
      expect(await range(start, end)).toEqual({});
    const latest = (await body("/wallet/getblockbylatestnum", { num: 2 })).block;
    expect(
      latest.map(
        (block: { block_header: { raw_data: { number: number } } }) => block.block_header.raw_data.number,
      ),
    ).toEqual([19, 20]);
  });

  it("/walletsolidity sees nothing above the solid block", async () => {
    expect((await body("/walletsolidity/getblock")).block_header.raw_data.number).toBe(2);
    expect(await body("/walletsolidity/getblockbynum", { num: 3 })).toEqual({});
    const { blockID } = await body("/wallet/getblockbynum", { num: 3 });
    expect(await body("/walletsolidity/getblockbyid", { value: blockID })).toEqual({});
    expect(await body("/walletsolidity/gettransactioninfobyblocknum", { num: 3 })).toEqual([]);
  });

  it("infos are an array in the block's order, [] for an empty or unknown block and {} for block 0", async () => {
    const { txids } = await body("/devchain/faucet", { address: UNUSED_ADDRESS, trx: "1", usdt: "2.5" });
    await devchain.mine(1);
    const { head } = (await devchain.get("/devchain/info")).body;
    const infos = await body("/wallet/gettransactioninfobyblocknum", { num: head });
    expect(infos.map(({ id }: { id: string }) => id)).toEqual(txids);
    expect(await body("/wallet/gettransactioninfobyblocknum", { num: 5 })).toEqual([]);
    expect(await body("/wallet/gettransactioninfobyblocknum", { num: 99999 })).toEqual([]);
    expect(await body("/wallet/gettransactioninfobyblocknum", { num: 0 })).toEqual({});
  });
});

describe("transactions", () => {
  it("a waiting transaction is found by id without a result, and has no info", async () => {
    const { txids } = await body("/devchain/faucet", { address: UNUSED_ADDRESS, trx: "1" });
    const [value] = txids;
    const waiting = await body("/wallet/gettransactionbyid", { value });
    expect(waiting.txID).toBe(value);
    expect(waiting).not.toHaveProperty("ret");
    expect(await body("/wallet/gettransactioninfobyid", { value })).toEqual({});
    expect(await body("/walletsolidity/gettransactionbyid", { value })).toEqual({});
    await devchain.mine(1);
  });

  it("createtransaction builds on the solid block and refuses an impossible transfer", async () => {
    const transfer = { owner_address: GENESIS.payer.address, to_address: UNUSED_ADDRESS, amount: 5 };
    const built = await body("/wallet/createtransaction", transfer);
    expect(built).toMatchObject({ visible: false, raw_data: { contract: [{ type: "TransferContract" }] } });
    const solid = await body("/walletsolidity/getblock");
    expect(built.raw_data.ref_block_hash).toBe(solid.blockID.slice(16, 32));
    const poor = await body("/wallet/createtransaction", { ...transfer, amount: 10 ** 15 });
    expect(poor.Error).toBe(
      "class org.tron.core.exception.ContractValidateException : Validate TransferContract error, balance is not sufficient.",
    );
  });

  it("createtransaction checks the transfer alone, not the cost of bandwidth and memo", async () => {
    const refused = async (transfer: object) => (await body("/wallet/createtransaction", transfer)).Error;
    const java = "class org.tron.core.exception.ContractValidateException :";
    const to_address = GENESIS.payer.address;
    expect(await refused({})).toBe(`${java} Invalid ownerAddress!`);
    expect(await refused({ owner_address: keyPairFromPhrase("api stranger").address, to_address })).toBe(
      `${java} Validate TransferContract error, no OwnerAccount.`,
    );
    const { address } = keyPairFromPhrase("api with one sun");
    await body("/devchain/faucet", { address, trx: "0.000001" });
    await devchain.mine(1);
    const last = { owner_address: address, to_address, amount: 1, extra_data: "00" };
    expect(await refused(last)).toBeUndefined();
  });

  it("extra_data is the memo: hex, or text when visible", async () => {
    const transfer = { owner_address: GENESIS.payer.address, to_address: UNUSED_ADDRESS, amount: 5 };
    const hex = await body("/wallet/createtransaction", { ...transfer, extra_data: "c3a9" });
    expect(hex.raw_data.data).toBe("c3a9");
    const visible = { ...transfer, extra_data: "é", visible: true };
    expect((await body("/wallet/createtransaction", visible)).raw_data.data).toBe("c3a9");
    const call = { owner_address: UNUSED_ADDRESS, contract_address: GENESIS.usdtContract, data: "a9059cbb" };
    const { transaction } = await body("/wallet/triggersmartcontract", { ...call, ...visible });
    expect(transaction.raw_data.data).toBe("c3a9");
  });

  it("messages of broadcasttransaction are hex, or text when visible", async () => {
    const transfer = { owner_address: GENESIS.payer.address, to_address: UNUSED_ADDRESS, amount: 5 };
    const built = await body("/wallet/createtransaction", transfer);
    const unsigned = await body("/wallet/broadcasttransaction", built);
    expect(unsigned).toMatchObject({ code: "SIGERROR", txid: built.txID });
    const text = "Validate signature error: miss sig or contract";
    expect(Buffer.from(unsigned.message, "hex").toString()).toBe(text);
  });

  it("getsignweight names the fault of a signature, a permission and an owner", async () => {
    const transfer = { owner_address: GENESIS.payer.address, to_address: UNUSED_ADDRESS, amount: 5 };
    const built = await body("/wallet/createtransaction", { ...transfer, visible: false });
    const weighed = async (change: object) => {
      const { result } = await body("/wallet/getsignweight", { ...built, ...change });
      return [result.code, result.message];
    };
    const [contract] = built.raw_data.contract;
    const owner = { ...contract.parameter.value, owner_address: keyPairFromPhrase("api stranger").address };
    const changed = (fields: object) => ({
      raw_data: { ...built.raw_data, contract: [{ ...contract, ...fields }] },
    });
    const refused = (code: string, text: string) => [code, expect.stringContaining(text)];
    expect(await weighed({ signature: ["00".repeat(65)] })).toEqual(
      refused("COMPUTE_ADDRESS_ERROR", "Invalid point compression"),
    );
    expect(await weighed({ signature: ["abcd"] })).toEqual(
      refused("SIGNATURE_FORMAT_ERROR", "Signature size is 2"),
    );
    expect(await weighed(changed({ Permission_id: 3 }))).toEqual(
      refused("PERMISSION_ERROR", "Permission for this, does not exist!"),
    );
    expect(await weighed(changed({ parameter: { ...contract.parameter, value: owner } }))).toEqual(
      refused("PERMISSION_ERROR", "Account does not exist!"),
    );
    const { result } = await body("/wallet/getapprovedlist", { ...built, signature: ["00".repeat(65)] });
    expect(result.code).toBe("COMPUTE_ADDRESS_ERROR");
  });

  it("bytes that are no transaction and JSON without raw_data are an Error", async () => {
    expect((await body("/wallet/broadcasthex", { transaction: "ff" })).Error).toContain("protobuf");
    expect((await body("/wallet/broadcasthex", { transaction: "zz" })).Error).toContain("INVALID hex");
    expect((await body("/wallet/broadcasttransaction", {})).Error).toContain("raw_data");
  });
});

describe("accounts and contracts", () => {
  it("an account that was never activated is {} even if it owns USDT", async () => {
    const address = keyPairFromPhrase("api usdt holder").address;
    await body("/devchain/faucet", { address, usdt: "2" });
    await devchain.mine(1);
    expect(await body("/wallet/getaccount", { address })).toEqual({});
    expect(await body("/wallet/getaccountresource", { address })).toEqual({});
    const read = await body("/wallet/triggerconstantcontract", {
      owner_address: address,
      contract_address: GENESIS.usdtContract,
      function_selector: "balanceOf(address)",
      parameter: addressWord(address),
    });
    expect(BigInt(`0x${read.constant_result[0]}`)).toBe(2_000_000n);
  });

  it("constant calls at /walletsolidity read the solid state", async () => {
    const address = keyPairFromPhrase("api solid holder").address;
    await body("/devchain/faucet", { address, usdt: "2" });
    await devchain.mine(1);
    const read = async (family: string) => {
      const answer = await body(`/${family}/triggerconstantcontract`, {
        owner_address: address,
        contract_address: GENESIS.usdtContract,
        function_selector: "balanceOf(address)",
        parameter: addressWord(address),
      });
      return BigInt(`0x${answer.constant_result[0]}`);
    };
    expect([await read("wallet"), await read("walletsolidity")]).toEqual([2_000_000n, 0n]);
    await devchain.mine(18);
    expect(await read("walletsolidity")).toBe(2_000_000n);
  });

  it("a constant call that reverts still has result: true", async () => {
    const call = {
      owner_address: UNUSED_ADDRESS,
      contract_address: GENESIS.usdtContract,
      function_selector: "transfer(address,uint256)",
      parameter: addressWord(UNUSED_ADDRESS) + "f".repeat(64),
    };
    const answer = await body("/wallet/triggerconstantcontract", call);
    expect(answer.result.result).toBe(true);
    expect(answer.transaction.ret).toEqual([{ ret: "FAILED" }]);
    expect(answer.constant_result).toEqual([""]);
  });

  it("an unknown contract is CONTRACT_VALIDATE_ERROR when called and {} when looked up", async () => {
    const call = { owner_address: UNUSED_ADDRESS, contract_address: UNUSED_ADDRESS, data: "06fdde03" };
    const { result } = await body("/wallet/triggerconstantcontract", call);
    expect(result.code).toBe("CONTRACT_VALIDATE_ERROR");
    expect(Buffer.from(result.message, "hex").toString()).toBe("Smart contract is not exist.");
    expect(await body("/wallet/getcontract", { value: UNUSED_ADDRESS })).toEqual({});
  });

  it("the token has code, an ABI and a Contract account", async () => {
    const contract = await body("/wallet/getcontract", { value: devchain.usdtContract, visible: true });
    expect(contract).toMatchObject({ contract_address: devchain.usdtContract, bytecode: "fe" });
    expect(contract.abi.entrys).toContainEqual({
      type: "Function",
      name: "decimals",
      stateMutability: "View",
      constant: true,
      outputs: [{ type: "uint8" }],
    });
    expect((await body("/wallet/getaccount", { address: GENESIS.usdtContract })).type).toBe("Contract");
    expect((await body("/wallet/getcontractinfo", { value: GENESIS.usdtContract })).runtimecode).toBe("fe");
  });
});

describe("requests", () => {
  it("GET with a query returns the same as POST with a body", async () => {
    const got = await devchain.get(`/wallet/getaccount?address=${devchain.payer.address}&visible=true`);
    expect(got.body.address).toBe(devchain.payer.address);
    expect((await devchain.get("/wallet/getblockbynum?num=4")).body).toEqual(
      await body("/wallet/getblockbynum", { num: 4 }),
    );
  });

  it("GET with int64_as_string prints int64 as strings and int32 as numbers", async () => {
    const { block_header } = (await devchain.get("/wallet/getblockbynum?num=4&int64_as_string=true")).body;
    expect(block_header.raw_data).toMatchObject({ number: "4", version: 36 });
  });

  it("visible prints and reads base58", async () => {
    const { block_header } = await body("/wallet/getblock", { visible: true });
    expect(block_header.raw_data.witness_address).toMatch(/^T/);
    const wrong = await body("/wallet/getaccount", { address: `${devchain.payer.address}x`, visible: true });
    expect(wrong.Error).toContain("INVALID base58");
    expect((await body("/wallet/getaccount", { address: devchain.payer.address })).Error).toContain(
      "INVALID hex",
    );
  });

  it("an unsupported endpoint is 404 and says so", async () => {
    for (const path of [
      "/wallet/deploycontract",
      "/walletsolidity/getcontract",
      "/v2/accounts",
      "/wallet/",
      "//",
      "//wallet/getnowblock",
    ]) {
      const { status, body: answer } = await devchain.post(path, {});
      expect(status).toBe(404);
      expect(answer.Error).toBe(`${path} is not supported by this chain`);
    }
  });

  it("a body that is no JSON object is an Error, one of more than 4 MiB is 413", async () => {
    expect((await devchain.post("/wallet/getblock", "{")).body.Error).toContain("JSON");
    expect((await devchain.post("/wallet/getblock", "[1]")).body.Error).toContain("JSON object");
    expect((await devchain.post("/wallet/getblock", " ".repeat(4 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it("getnodeinfo has head and solid block", async () => {
    const info = await body("/wallet/getnodeinfo");
    const { head, solid } = (await devchain.get("/devchain/info")).body;
    expect(info.block).toContain(`Num:${head},ID:`);
    expect(info.solidityBlock).toContain(`Num:${solid},ID:`);
  });
});
