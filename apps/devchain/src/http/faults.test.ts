import { type Answer, aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const ANOTHER_ADDRESS = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const OTHER = "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8";

let devchain: TestDevchain;
/** a call of the token without a transfer */
let approval: string;

beforeAll(async () => {
  devchain = await aDevchain();
  const token = await devchain.tronWeb().contract().at(devchain.usdtContract);
  approval = await token.approve(OTHER, 1).send();
  await devchain.mine(25);
});
afterAll(() => devchain.stop());
beforeEach(() => endFaults());

const inject = (fault: object) => devchain.control("faults", fault);
const endFaults = async () => (await fetch(`${devchain.url}/devchain/faults`, { method: "DELETE" })).json();
const info = async () => (await devchain.get("/devchain/info")).body;
const request = async (path: string, question: object = {}): Promise<Answer["body"]> =>
  (await devchain.post(path, question)).body;
const infoOf = (value: string) => request("/wallet/gettransactioninfobyid", { value, visible: true });
const heightOf = async (path: string, question: object = {}): Promise<number> =>
  (await request(path, question)).block_header?.raw_data.number;

async function blockOf(txId: string): Promise<number> {
  return (await infoOf(txId)).blockNumber;
}

describe("a false payment", () => {
  const arrival = () => ({ txId: approval, from: OTHER, to: ANOTHER_ADDRESS, amount: "12.5" });
  const trxOf = async (family = "walletsolidity") =>
    (await request(`/${family}/getaccount`, { address: ANOTHER_ADDRESS, visible: true })).balance;
  const usdtOf = async () => {
    const token = await devchain.tronWeb().contract().at(devchain.usdtContract);
    return BigInt(await token.balanceOf(ANOTHER_ADDRESS).call());
  };

  it("is hidden by a node that stores no internal transactions of its block, though balances include it", async () => {
    await inject({ kind: "internal", ...arrival() });
    const number = await blockOf(approval);
    await inject({ kind: "internals", from: number + 1 });
    expect((await infoOf(approval)).internal_transactions).toHaveLength(1);
    await inject({ kind: "internals", from: number, to: number });
    expect((await infoOf(approval)).internal_transactions).toBeUndefined();
    const infos = await request("/wallet/gettransactioninfobyblocknum", { num: number });
    expect(infos).toMatchObject([{ id: approval, log: [expect.anything()] }]);
    expect(infos[0].internal_transactions).toBeUndefined();
    expect(await trxOf()).toBe(12_500_000);
    await inject({ kind: "hidden", txId: approval });
    expect((await infoOf(approval)).log).toBeUndefined();
  });

  it("is an internal transaction in the infos of its block, and balances include it", async () => {
    expect(await trxOf()).toBeUndefined();
    await inject({ kind: "internal", ...arrival() });
    const internal = {
      hash: approval,
      caller_address: OTHER,
      transferTo_address: ANOTHER_ADDRESS,
      callValueInfo: [{ callValue: 12_500_000 }],
      note: "call",
    };
    expect((await infoOf(approval)).internal_transactions).toEqual([internal]);
    const num = await blockOf(approval);
    const infos = await request("/walletsolidity/gettransactioninfobyblocknum", { num, visible: true });
    expect(infos).toMatchObject([{ id: approval, internal_transactions: [internal] }]);
    expect([await trxOf(), await trxOf("wallet")]).toEqual([12_500_000, 12_500_000]);
  });

  it("is included in balances only for its stated part, and not at all if rejected", async () => {
    await inject({ kind: "internal", ...arrival(), held: "0" });
    expect(await trxOf()).toBeUndefined();
    await inject({ kind: "internal", ...arrival(), held: "2.5" });
    expect(await trxOf()).toBe(2_500_000);
    await inject({ kind: "internal", ...arrival(), rejected: true });
    expect(await trxOf()).toBe(2_500_000);
    expect((await infoOf(approval)).internal_transactions[2]).toMatchObject({ rejected: true });
  });

  it("is a log of the token among the real ones, and its balance includes it", async () => {
    const before = (await infoOf(approval)).log;
    await inject({ kind: "log", ...arrival() });
    const { log } = await infoOf(approval);
    expect(log).toHaveLength(before.length + 1);
    expect(log.at(-1)).toMatchObject({ address: devchain.usdtContract });
    expect(BigInt(`0x${log.at(-1).data}`)).toBe(12_500_000n);
    expect(await usdtOf()).toBe(12_500_000n);
    await endFaults();
    expect([(await infoOf(approval)).log, await usdtOf()]).toEqual([before, 0n]);
  });

  it("is included at the solid height only once its block is solid", async () => {
    const [txId] = (await devchain.control("faucet", { address: OTHER, trx: "1" })).txids;
    await inject({ kind: "internal", ...arrival(), txId });
    await devchain.mine(1);
    expect([await trxOf(), await trxOf("wallet")]).toEqual([undefined, 12_500_000]);
    await devchain.mine(18);
    expect(await trxOf()).toBe(12_500_000);
  });
});

describe("a false response of a path", () => {
  it("occurs as often as requested, for this path only, and is counted", async () => {
    const path = "/wallet/getnowblock";
    await inject({ kind: "status", path, status: 503, times: 2 });
    const statuses = [];
    for (let time = 0; time < 3; time += 1) statuses.push((await devchain.post(path, {})).status);
    expect(statuses).toEqual([503, 503, 200]);
    expect((await devchain.post("/walletsolidity/getnowblock", {})).status).toBe(200);
    expect((await devchain.get("/devchain/faults")).body).toEqual({
      faults: [{ kind: "status", path, status: 503, changed: 2, left: 0 }],
      standing: [],
    });
  });

  it("can be another body, a status and a delay at once", async () => {
    const path = "/wallet/getblock";
    await inject({ kind: "body", path, body: '{"Error":"class java.lang.NullPointerException"}' });
    await inject({ kind: "status", path, status: 500 });
    await inject({ kind: "delay", path, delayMs: 50 });
    const startedMs = performance.now();
    expect(await devchain.post(path, {})).toEqual({
      status: 500,
      body: { Error: "class java.lang.NullPointerException" },
    });
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(45);
    expect(await endFaults()).toEqual({ faults: [], standing: [] });
    expect((await devchain.post(path, {})).status).toBe(200);
  });

  it("can be a response of another height", async () => {
    const { head } = await info();
    await inject({ kind: "height", path: "/wallet/getblock", by: -3 });
    await inject({ kind: "height", path: "/wallet/getnowblock", by: -5 });
    expect(await heightOf("/wallet/getblock", { detail: false })).toBe(head - 3);
    expect(await heightOf("/wallet/getblock", { id_or_num: "20" })).toBe(17);
    expect(await heightOf("/wallet/getnowblock")).toBe(head - 5);
    expect(await heightOf("/wallet/getblockbynum", { num: 20 })).toBe(20);
    await inject({ kind: "height", path: "/wallet/getblockbynum", by: 1_000 });
    expect(await request("/wallet/getblockbynum", { num: head })).toEqual({});
  });

  it("can lack the infos of all transactions of a block, or of some", async () => {
    const num = await blockOf(approval);
    const infos = () => request("/wallet/gettransactioninfobyblocknum", { num });
    await inject({ kind: "infos", drop: ["00".repeat(32)], times: 1 });
    expect(await infos()).toHaveLength(1);
    await inject({ kind: "infos", drop: [approval], times: 1 });
    expect(await infos()).toEqual([]);
    expect(await infos()).toHaveLength(1);
    await inject({ kind: "infos" });
    expect(await infos()).toEqual([]);
  });
});

describe("the solid height", () => {
  it("can be reported as the head, or as a lower block; the chain's own stays unchanged", async () => {
    const { head, solid } = await info();
    const solidHeight = () => heightOf("/walletsolidity/getblock", { detail: false });
    await inject({ kind: "solid", back: "head", times: 1 });
    expect(await solidHeight()).toBe(head);
    expect(await solidHeight()).toBe(solid);
    await inject({ kind: "solid", back: 5 });
    expect(await solidHeight()).toBe(solid - 5);
    expect(await request("/walletsolidity/getblockbynum", { num: solid })).toEqual({});
    expect((await info()).solid).toBe(solid);
    expect(await heightOf("/wallet/getblock", { detail: false })).toBe(head);
  });

  it("that lags has the balances of its own block, also far below the chain's solid one", async () => {
    const address = "TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFh";
    const solidTrx = async () =>
      (await request("/walletsolidity/getaccount", { address, visible: true })).balance;
    await devchain.control("faucet", { address, trx: "3" });
    await devchain.mine(1 + 18 + 40);
    await devchain.control("faucet", { address, trx: "4" });
    await devchain.mine(1 + 18);
    expect(await solidTrx()).toBe(7_000_000);
    await inject({ kind: "solid", back: 1 });
    expect(await solidTrx()).toBe(3_000_000);
    await endFaults();
    await inject({ kind: "solid", back: 60 });
    expect(await solidTrx()).toBeUndefined();
    await endFaults();
    expect(await solidTrx()).toBe(7_000_000);
  });
});

describe("one of several nodes of the chain", () => {
  it("can stand still and answer, while the others follow", async () => {
    const address = "TEDVku9LrQDLdbg1ik6HrRtK6Uimg8epSV";
    const node = await devchain.addNode();
    const nodeOf = async (path: string, question: object) =>
      (await fetch(node.url + path, { method: "POST", body: JSON.stringify(question) })).json();
    const before = await info();
    await fetch(`${node.url}/devchain/faults`, { method: "POST", body: JSON.stringify({ kind: "still" }) });
    await devchain.control("faucet", { address, trx: "5" });
    await devchain.mine(30);
    const detail = { detail: false };
    expect((await nodeOf("/wallet/getblock", detail)).block_header.raw_data.number).toBe(before.head);
    expect((await nodeOf("/walletsolidity/getblock", detail)).block_header.raw_data.number).toBe(
      before.solid,
    );
    expect((await nodeOf("/wallet/getnodeinfo", {})).solidityBlock).toContain(`Num:${before.solid},`);
    expect(await nodeOf("/wallet/getaccount", { address, visible: true })).toEqual({});
    expect(await heightOf("/wallet/getblock", detail)).toBe(before.head + 30);
    expect((await request("/walletsolidity/getaccount", { address, visible: true })).balance).toBe(5_000_000);
  });
});

const arrival = { txId: "ab".repeat(32), from: OTHER, to: ANOTHER_ADDRESS, amount: "1" };
it.each([
  [{}, "kind"],
  [{ kind: "toString" }, "kind"],
  [{ kind: "status", path: "/wallet/getblock" }, "status"],
  [{ kind: "status", path: "/wallet/getblock", status: 99 }, "status"],
  [{ kind: "status", path: "/devchain/mine", status: 500 }, "path"],
  [{ kind: "status", status: 500 }, "path"],
  [{ kind: "body", path: "/wallet/getblock", body: {} }, "body"],
  [{ kind: "delay", path: "/wallet/getblock", delayMs: 0 }, "delayMs"],
  [{ kind: "delay", path: "/wallet/getblock", delayMs: 1, times: 0 }, "times"],
  [{ kind: "delay", path: "/wallet/getblock", delayMs: 1, by: 1 }, "by"],
  [{ kind: "delay", path: "/wallet/getblock", delayMs: 1, surprise: 1 }, "surprise"],
  [{ kind: "height", path: "/wallet/getaccount", by: 1 }, "path"],
  [{ kind: "height", path: "/wallet/getblock" }, "by"],
  [{ kind: "infos", path: "/wallet/getblock" }, "path"],
  [{ kind: "infos", drop: "all" }, "drop"],
  [{ kind: "solid" }, "back"],
  [{ kind: "solid", back: "genesis" }, "back"],
  [{ kind: "log", ...arrival }, "txId"],
  [{ kind: "internal", ...arrival, txId: undefined }, "txId"],
])("a fault of %j is a 400 that names %s, and is not active", async (fault, field) => {
  const { status, body } = await devchain.post("/devchain/faults", fault);
  expect({ status, field: body.field }).toEqual({ status: 400, field });
  expect((await devchain.get("/devchain/faults")).body).toEqual({ faults: [], standing: [] });
});

it.each([
  [{ to: "T1" }, "to"],
  [{ from: undefined }, "from"],
  [{ amount: undefined }, "amount"],
  [{ amount: "0" }, "amount"],
  [{ held: "-1" }, "held"],
])("a payment of %j is a 400 that names %s", async (wrong, field) => {
  const fault = { kind: "internal", ...arrival, txId: approval, ...wrong };
  expect((await devchain.post("/devchain/faults", fault)).body.field).toBe(field);
});

it("a node's own paths accept no DELETE", async () => {
  expect((await fetch(`${devchain.url}/wallet/getblock`, { method: "DELETE" })).status).toBe(405);
  expect((await fetch(`${devchain.url}/devchain/mine`, { method: "DELETE" })).status).toBe(405);
});
