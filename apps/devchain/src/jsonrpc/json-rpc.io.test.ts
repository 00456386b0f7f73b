import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { addressToHex } from "@daric/tron/address";
import { Contract, JsonRpcProvider } from "ethers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let devchain: TestDevchain;
let provider: JsonRpcProvider;
/** the 20-byte form of an address */
const evm = (base58: string) => `0x${addressToHex(base58).slice(2)}`;
const ABI = [
  "function balanceOf(address) view returns (uint256)",
  "function symbol() view returns (string)",
  "function transfer(address to, uint256 value) returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
];

beforeAll(async () => {
  devchain = await aDevchain({ accounts: 2 });
  provider = new JsonRpcProvider(`${devchain.url}/jsonrpc`);
});

afterAll(async () => {
  provider.destroy();
  await devchain.stop();
});

const call = async (body: object | string) => (await devchain.post("/jsonrpc", body)).body;
const ask = (method: string, ...params: readonly unknown[]) =>
  call({ jsonrpc: "2.0", id: 1, method, params });
const tokenOf = () => new Contract(evm(devchain.usdtContract), ABI, provider);
const account = (index: number) => devchain.accounts[index]?.address ?? "";

async function aTransfer(to: string, units: number): Promise<string> {
  const token = await devchain.tronWeb().contract().at(devchain.usdtContract);
  const txId: string = await token.transfer(to, units).send();
  await devchain.mine(1);
  return txId;
}

describe("ethers reads the chain", () => {
  it("its id is the last four bytes of block 0, and its head that of /wallet", async () => {
    expect((await provider.getNetwork()).chainId).toBe(BigInt(`0x${devchain.genesisId.slice(-8)}`));
    const { head } = (await devchain.get("/devchain/info")).body;
    expect(await provider.getBlockNumber()).toBe(head);
  });

  it("balances are in sun, and tokens are read by a contract", async () => {
    expect(await provider.getBalance(evm(account(0)))).toBe(10_000_000_000n);
    expect(await tokenOf().balanceOf?.(evm(account(0)))).toBe(10_000_000_000n);
    expect(await tokenOf().symbol?.()).toBe("USDT");
  });

  it("a token transfer has a receipt, and is found by its log", async () => {
    const txId = await aTransfer(account(1), 1_500_000);
    const receipt = await provider.getTransactionReceipt(`0x${txId}`);
    expect(receipt).toMatchObject({ status: 1, gasUsed: 64_285n, hash: `0x${txId}`, index: 0 });
    const log = {
      transactionHash: `0x${txId}`,
      index: 0,
      data: `0x${(1_500_000).toString(16).padStart(64, "0")}`,
    };
    expect(receipt?.logs).toMatchObject([log]);
    const token = tokenOf();
    const filter = token.filters.Transfer?.(null, evm(account(1)));
    const found = filter === undefined ? [] : await token.queryFilter(filter, 0, "latest");
    expect(found).toMatchObject([log]);
    const sent = await provider.getTransaction(`0x${txId}`);
    expect(sent).toMatchObject({ blockNumber: receipt?.blockNumber, value: 0n, gasPrice: 100n });
    expect(sent?.from.toLowerCase()).toBe(evm(devchain.payer.address));
  });

  it("a call that would revert fails, and so does a transaction, which TRON takes in its own form", async () => {
    const token = tokenOf();
    await expect(token.transfer?.staticCall(evm(account(0)), 1n)).rejects.toMatchObject({
      code: "CALL_EXCEPTION",
      info: { error: { code: -32000, message: "REVERT opcode executed", data: "{}" } },
    });
    await expect(provider.broadcastTransaction("0x00")).rejects.toThrow();
    const refused = await ask("eth_sendRawTransaction", "0x00");
    expect(refused.error).toEqual({
      code: -32601,
      message: "the method eth_sendRawTransaction does not exist/is not available",
      data: "{}",
    });
  });
});

it("ethers refuses a block, because TRON's `stateRoot` is empty, here as on a node", async () => {
  await expect(provider.getBlock("latest")).rejects.toThrow("stateRoot");
});

describe("blocks and receipts", () => {
  it("have exactly the fields that mainnet's have", async () => {
    const txId = await aTransfer(account(1), 5);
    const { result: receipt } = await ask("eth_getTransactionReceipt", `0x${txId}`);
    expect(Object.keys(receipt)).toEqual(
      "blockHash blockNumber contractAddress cumulativeGasUsed effectiveGasPrice from gasUsed logs logsBloom status to transactionHash transactionIndex type".split(
        " ",
      ),
    );
    expect(Object.keys(receipt.logs[0])).toEqual(
      "address blockHash blockNumber data logIndex removed topics transactionHash transactionIndex".split(
        " ",
      ),
    );
    const { result: block } = await ask("eth_getBlockByNumber", "latest", true);
    expect(Object.keys(block)).toEqual(
      "baseFeePerGas difficulty extraData gasLimit gasUsed hash logsBloom miner mixHash nonce number parentHash receiptsRoot sha3Uncles size stateRoot timestamp totalDifficulty transactions transactionsRoot uncles".split(
        " ",
      ),
    );
    expect(Object.keys(block.transactions[0])).toEqual(
      "blockHash blockNumber from gas gasPrice hash input nonce r s to transactionIndex type v value".split(
        " ",
      ),
    );
  });

  it("agree with /wallet on ids, parents, time, roots and signatures", async () => {
    const txId = await aTransfer(account(1), 6);
    const { body: wallet } = await devchain.get("/wallet/getnowblock");
    const { raw_data: header } = wallet.block_header;
    const { result: block } = await ask("eth_getBlockByHash", `0x${wallet.blockID}`, true);
    expect(block).toMatchObject({
      hash: `0x${wallet.blockID}`,
      number: `0x${header.number.toString(16)}`,
      parentHash: `0x${header.parentHash}`,
      timestamp: `0x${(header.timestamp / 1000).toString(16)}`,
      transactionsRoot: `0x${header.txTrieRoot}`,
      miner: `0x${header.witness_address.slice(2)}`,
      stateRoot: "0x",
    });
    const [transaction] = block.transactions;
    const [signature] = wallet.transactions[0].signature;
    expect(transaction.hash).toBe(`0x${txId}`);
    expect(transaction.r.slice(2) + transaction.s.slice(2)).toBe(signature.slice(0, 128));
    expect(["0x1b", "0x1c"]).toContain(transaction.v);
    const { result: plain } = await ask("eth_getBlockByNumber", block.number, false);
    expect(plain).toEqual({ ...block, transactions: [`0x${txId}`] });
  });

  it("number logs and gas through the block, and a failed call has status 0", async () => {
    const [poor, payer] = [devchain.tronWeb(devchain.accounts[0]?.privateKey), devchain.tronWeb()];
    const token = async (by: typeof payer) => by.contract().at(devchain.usdtContract);
    const ids: string[] = [];
    for (const [by, units] of [
      [payer, 1],
      [poor, 10 ** 15],
      [payer, 2],
    ] as const)
      ids.push(await (await token(by)).transfer(account(1), units).send({ feeLimit: 100_000_000 }));
    await devchain.mine(1);
    const receipts = await Promise.all(
      ids.map(async (id) => (await ask("eth_getTransactionReceipt", id)).result),
    );
    expect(receipts.map(({ status }) => status)).toEqual(["0x1", "0x0", "0x1"]);
    expect(receipts.map(({ transactionIndex }) => transactionIndex)).toEqual(["0x0", "0x1", "0x2"]);
    expect(receipts[2].logs[0]).toMatchObject({ logIndex: "0x1", transactionIndex: "0x2" });
    const gas = receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
    expect(Number(receipts[2].cumulativeGasUsed)).toBe(gas);
  });

  it("of an unknown number, hash or transaction are null", async () => {
    const unknown = `0x${"ab".repeat(32)}`;
    expect((await ask("eth_getBlockByNumber", "0xfffff", false)).result).toBeNull();
    expect((await ask("eth_getBlockByHash", unknown, false)).result).toBeNull();
    expect((await ask("eth_getTransactionByHash", unknown)).result).toBeNull();
    expect((await ask("eth_getTransactionReceipt", unknown)).result).toBeNull();
  });
});

describe("logs", () => {
  const logs = async (filter: object) => (await ask("eth_getLogs", filter)).result;

  it("are of the newest block without a range, and of one block by its hash", async () => {
    const txId = await aTransfer(account(1), 9);
    const [log] = await logs({});
    expect(log.transactionHash).toBe(`0x${txId}`);
    expect(await logs({ blockHash: log.blockHash })).toEqual([log]);
    await devchain.mine(1);
    expect(await logs({})).toEqual([]);
    expect(await logs({ fromBlock: log.blockNumber, toBlock: log.blockNumber })).toEqual([log]);
    expect(await logs({ fromBlock: "earliest", toBlock: "finalized" })).not.toContainEqual(log);
  });

  it("match an address, and topics by their place", async () => {
    await aTransfer(account(1), 11);
    const [log] = await logs({});
    const [event, from, to] = log.topics;
    const found = async (topics: unknown, address: unknown = log.address) =>
      (await logs({ topics, address })).length;
    expect(await found([event])).toBe(1);
    expect(await found([null, [to, from]])).toBe(1);
    expect(await found([null, null, to], [log.address])).toBe(1);
    expect(await found([null, to])).toBe(0);
    expect(await found([event, null, null, null])).toBe(0);
    expect(await found([], evm(account(0)))).toBe(0);
  });
});

describe("an error has java-tron's code and text:", () => {
  const address = `0x${"11".repeat(20)}`;
  it.each([
    ["eth_nothing", [], -32601, "method not found"],
    ["eth_getBalance", [address], -32602, "method parameters invalid"],
    ["eth_getBalance", [address, "0x1"], -32602, "QUANTITY not supported, just support TAG as latest"],
    ["eth_getBalance", [address, "pending"], -32602, "TAG [earliest | pending | finalized] not supported"],
    ["eth_getBalance", ["0x12", "latest"], -32602, "invalid address hash value"],
    ["eth_getBlockByNumber", ["pending", false], -32602, "TAG pending not supported"],
    ["eth_getBlockByNumber", ["x", false], -32602, "invalid block number"],
    ["eth_getTransactionReceipt", ["0x1"], -32602, "invalid hash value"],
    ["eth_getLogs", [{ fromBlock: "0x2", toBlock: "0x1" }], -32602, "please verify: fromBlock <= toBlock"],
    ["eth_getLogs", [{ fromBlock: "1" }], -32602, "Incorrect hex syntax"],
    ["eth_getLogs", [{ blockHash: `0x${"ab".repeat(32)}` }], -32602, "invalid blockHash"],
    ["eth_getLogs", [{ address: "0x1234" }], -32602, "invalid address: 0x1234"],
    ["eth_getLogs", [{ topics: [1, 2, 3, 4, 5] }], -32602, "topics size should be <= 4"],
    ["eth_call", [{ to: address, data: "0x" }, "latest"], -32600, "Smart contract is not exist."],
  ])("%s %j is %i %s", async (method, params, code, message) => {
    expect((await ask(method, ...params)).error).toMatchObject({ code, message });
  });

  it("more than 5000 blocks of logs are refused", async () => {
    const chain = await aDevchain({ accounts: 0 });
    await chain.mine(5_000);
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getLogs", params: [{ fromBlock: "0x1" }] };
    const { body } = await chain.post("/jsonrpc", request);
    expect(body.error).toEqual({ code: -32602, message: "exceed max block range: 5000", data: "{}" });
    await chain.stop();
  });
});

describe("requests", () => {
  it("in a batch are answered in order, each with its own id, and notifications are not", async () => {
    const request = (id: unknown, method: string) => ({
      jsonrpc: "2.0",
      ...(id !== undefined && { id }),
      method,
    });
    const batch = [request(7, "net_version"), request("b", "eth_nothing"), request(undefined, "eth_chainId")];
    expect(await call(batch)).toEqual([
      { jsonrpc: "2.0", id: 7, result: `0x${devchain.genesisId.slice(-8)}` },
      { jsonrpc: "2.0", id: "b", error: { code: -32601, message: "method not found" } },
    ]);
    expect(await call(request(undefined, "eth_chainId"))).toBe("");
  });

  it("that are no JSON or no object are errors with status 200", async () => {
    expect(await devchain.post("/jsonrpc", "{")).toEqual({
      status: 200,
      body: { jsonrpc: "2.0", id: "null", error: { code: -32700, message: "JSON parse error" } },
    });
    expect((await call("5")).error).toEqual({ code: -32600, message: "invalid request" });
    expect((await devchain.get("/jsonrpc")).status).toBe(405);
  });
});
