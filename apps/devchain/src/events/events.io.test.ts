import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { addressToHex } from "@daric/tron/address";
import type { TronWeb } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let devchain: TestDevchain;
let tronWeb: TronWeb;
/** the transfers of 1, 2, 3 units, and an approval, each in a block of its own but 2 and 3 */
let ids: string[];
let alice: string;
let bob: string;

beforeAll(async () => {
  devchain = await aDevchain({ accounts: 2 });
  tronWeb = devchain.tronWeb();
  [alice = "", bob = ""] = devchain.accounts.map(({ address }) => address);
  const token = await tronWeb.contract().at(devchain.usdtContract);
  const feeLimit = 100_000_000;
  const transfer = (units: number): Promise<string> => token.transfer(alice, units).send({ feeLimit });
  const first = await transfer(1);
  await devchain.mine(1);
  const second = await transfer(2);
  const third = await transfer(3);
  await devchain.mine(1);
  const approval: string = await token.approve(bob, 4).send({ feeLimit });
  await devchain.mine(17);
  ids = [first, second, third, approval];
});

afterAll(() => devchain.stop());

const events = async (path: string) => (await devchain.get(`/v1/${path}`)).body;
const idsOf = ({ data }: { data?: { transaction_id: string }[] }) =>
  data?.map(({ transaction_id: id }) => ids.indexOf(id));
const evm = (base58: string) => `0x${addressToHex(base58).slice(2)}`;

describe("TronWeb's event plugin", () => {
  it("lists the events of a contract, newest first, with values by place and by name", async () => {
    const answer = await tronWeb.getEventResult(devchain.usdtContract, { limit: 3 });
    expect(idsOf(answer)).toEqual([3, 2, 1]);
    const block = await tronWeb.trx.getBlock(22);
    const [from, to] = [evm(devchain.payer.address), evm(alice)];
    expect(answer.data?.[2]).toEqual({
      block_number: 22,
      block_timestamp: block.block_header.raw_data.timestamp,
      caller_contract_address: devchain.usdtContract,
      contract_address: devchain.usdtContract,
      event_index: 0,
      event_name: "Transfer",
      result: { 0: from, 1: to, 2: "2", from, to, value: "2" },
      result_type: { from: "address", to: "address", value: "uint256" },
      event: "Transfer(address indexed from, address indexed to, uint256 value)",
      transaction_id: ids[1],
      _unconfirmed: true,
    });
  });

  it("filters by name, block, time, order and confirmation", async () => {
    const list = async (options: Parameters<TronWeb["getEventResult"]>[1]) =>
      idsOf(await tronWeb.getEventResult(devchain.usdtContract, options));
    const { timestamp } = (await tronWeb.trx.getBlock(22)).block_header.raw_data;
    expect(await list({ eventName: "Approval" })).toEqual([3]);
    expect(await list({ blockNumber: 22 })).toEqual([2, 1]);
    expect(await list({ orderBy: "block_timestamp,asc" })).toEqual([0, 1, 2, 3]);
    expect(await list({ minBlockTimestamp: timestamp, maxBlockTimestamp: timestamp })).toEqual([2, 1]);
    expect(await list({ onlyConfirmed: true })).toEqual([0]);
    expect(await list({ onlyUnconfirmed: true })).toEqual([3, 2, 1]);
  });

  it("finds the events of a transaction, of a block and of the newest block", async () => {
    expect(idsOf(await tronWeb.getEventByTransactionID(ids[2] ?? ""))).toEqual([2]);
    expect(idsOf(await tronWeb.event.getEventsByTransactionID("ab".repeat(32)))).toEqual([]);
    expect(idsOf(await tronWeb.event.getEventsByBlockNumber(22))).toEqual([1, 2]);
    expect(idsOf(await tronWeb.event.getEventsOfLatestBlock())).toEqual([]);
    expect(idsOf(await tronWeb.event.getEventsOfLatestBlock({ only_confirmed: true }))).toEqual([0]);
  });

  it("walks the pages by fingerprint, while new blocks come", async () => {
    const seen: (number[] | undefined)[] = [];
    let fingerprint: string | undefined;
    const snapshot = await devchain.snapshot();
    do {
      const options = { limit: 1, ...(fingerprint !== undefined && { fingerprint }) };
      const page = await tronWeb.getEventResult(devchain.usdtContract, options);
      seen.push(idsOf(page));
      fingerprint = page.meta?.fingerprint;
      await devchain.control("faucet", { address: bob, usdt: "1" });
      await devchain.mine(1);
    } while (fingerprint !== undefined && seen.length < 9);
    await devchain.revert(snapshot);
    expect(seen).toEqual([[3], [2], [1], [0]]);
  });
});

describe("an account's tokens", () => {
  it("are listed as TronGrid lists them", async () => {
    const { data, success, meta } = await events(`accounts/${alice}/transactions/trc20?limit=2`);
    expect(data[0]).toEqual({
      transaction_id: ids[2],
      token_info: { symbol: "USDT", address: devchain.usdtContract, decimals: 6, name: "Tether USD" },
      block_timestamp: expect.any(Number),
      from: devchain.payer.address,
      to: alice,
      type: "Transfer",
      value: "3",
      _unconfirmed: true,
    });
    expect([success, data.length]).toEqual([true, 2]);
    const next = `${devchain.url}/v1/accounts/${alice}/transactions/trc20?limit=2&fingerprint=${meta.fingerprint}`;
    expect(meta).toEqual({
      at: expect.any(Number),
      fingerprint: expect.any(String),
      links: { next },
      page_size: 2,
    });
    const rest = await (await fetch(meta.links.next)).json();
    expect([idsOf(rest), Object.keys(rest.meta)]).toEqual([[0], ["at", "page_size"]]);
    expect(rest.data[0]).not.toHaveProperty("_unconfirmed");
  });

  it("are filtered by direction, token, time and confirmation, and approvals are among them", async () => {
    const payer = devchain.payer.address;
    const list = async (account: string, query: string) =>
      idsOf(await events(`accounts/${account}/transactions/trc20?${query}`))?.filter((index) => index >= 0);
    const { usdxContract } = (await devchain.get("/devchain/info")).body;
    expect(await list(alice, "only_to=true")).toEqual([2, 1, 0]);
    expect(await list(alice, "only_from=true")).toEqual([]);
    expect(await list(payer, "only_from=true&order_by=block_timestamp,asc")).toEqual([0, 1, 2, 3]);
    expect(await list(bob, "")).toEqual([3]);
    expect(await list(alice, `contract_address=${usdxContract}`)).toEqual([]);
    expect(await list(alice, "only_confirmed=true&order_by=block_timestamp,asc&limit=1")).toEqual([0]);
    expect(await list(alice, "max_timestamp=1")).toEqual([]);
    expect(await list(evm(alice), "")).toEqual([2, 1, 0]);
  });
});

it("a fork takes the events of its blocks along", async () => {
  const snapshot = await devchain.snapshot();
  const { txids } = await devchain.control("faucet", { address: bob, usdt: "9" });
  await devchain.mine(1);
  expect((await events(`transactions/${txids[0]}/events`)).data).toHaveLength(1);
  await devchain.reorg({ drop: txids });
  expect((await events(`transactions/${txids[0]}/events`)).data).toEqual([]);
  await devchain.revert(snapshot);
});

it.each([
  ["contracts/T1/events", 400, "Invalid address provided"],
  ["transactions/12/events", 400, "Invalid transaction id"],
  ["blocks/x/events", 400, "Invalid block number"],
  ["contracts/TXdcZGu8AmPXzHVmcoyPnh7tSG4ymHD2rW/events?limit=0", 400, "Invalid query filter(s)!: [limit]"],
  [
    "contracts/TXdcZGu8AmPXzHVmcoyPnh7tSG4ymHD2rW/events?min_block_timestamp=x",
    400,
    "Invalid query filter(s)!: [min_block_timestamp]",
  ],
  [
    "contracts/TXdcZGu8AmPXzHVmcoyPnh7tSG4ymHD2rW/events?fingerprint=x",
    400,
    "Invalid query filter(s)!: [fingerprint does not match current set of params]",
  ],
  ["contracts/%ff/events", 400, "URI malformed"],
  [
    "accounts/TXdcZGu8AmPXzHVmcoyPnh7tSG4ymHD2rW",
    404,
    "/v1/accounts/TXdcZGu8AmPXzHVmcoyPnh7tSG4ymHD2rW is not supported by this chain",
  ],
])("/v1/%s is a %i", async (path, status, error) => {
  expect(await devchain.get(`/v1/${path}`)).toEqual({
    status,
    body: { success: false, error, statusCode: status },
  });
});
