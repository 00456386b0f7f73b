import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startingRates } from "./rates.ts";

let devchain: TestDevchain;

beforeAll(async () => {
  devchain = await aDevchain();
});

afterAll(async () => {
  await devchain.stop();
});

async function info() {
  return (await devchain.get("/devchain/info")).body;
}

describe("the control API", () => {
  it("info names genesis, token, payer, head, solid block and time", async () => {
    expect(await info()).toEqual({
      genesisId: devchain.genesisId,
      usdtContract: devchain.usdtContract,
      usdxContract: expect.stringMatching(/^T/),
      payer: devchain.payer,
      head: 20,
      solid: 2,
      timeMs: expect.any(Number),
      blockTimeMs: 3000,
      paused: true,
    });
  });

  it("mine makes that many blocks at once, steps of chain time included", async () => {
    const before = await info();
    expect((await devchain.post("/devchain/mine", { blocks: 3 })).body).toEqual({
      head: before.head + 3,
      solid: before.solid + 3,
    });
    const { timeMs } = await info();
    await devchain.post("/devchain/mine", { blocks: 1, stepMs: 60_000 });
    expect((await info()).timeMs).toBe(timeMs + 60_000);
  });

  it("rates are decimals or null, and stay until they are set", async () => {
    expect((await devchain.get("/devchain/rates")).body).toEqual(startingRates());
    await devchain.control("rates", { usdt: "1.00030000" });
    const set = { ...startingRates(), usdt: "1.00030000" };
    expect((await devchain.get("/devchain/rates")).body).toEqual(set);
    const again = { usdt: null, trx: "0.25", jpy: "160", lbp: "100000" };
    expect(await devchain.control("rates", again)).toEqual({ ...set, ...again });
  });

  it.each(["1,01", "-1", "1e2", "", "0.123456789", 1, true])("a rate of %j is refused", async (usdt) => {
    const { status, body } = await devchain.post("/devchain/rates", { usdt });
    expect({ status, field: body.field }).toEqual({ status: 400, field: "usdt" });
  });

  it("config automine mines a block for each accepted transaction, and for no refused one", async () => {
    await devchain.control("config", { automine: true });
    const { head } = await info();
    const address = devchain.payer.address;
    await devchain.control("faucet", { address, trx: "1", usdt: "1" });
    expect((await info()).head).toBe(head + 2);
    await devchain.post("/devchain/faucet", { address, trx: "999999999999" });
    expect((await devchain.control("config", { automine: false })).automine).toBe(false);
    await devchain.control("faucet", { address, trx: "1" });
    expect((await info()).head).toBe(head + 2);
  });

  it("snapshot keeps the chain, and revert brings it back as often as needed", async () => {
    const { id, head } = await devchain.control("snapshot", {});
    for (let round = 0; round < 2; round += 1) {
      await devchain.mine(20);
      const reverted = await devchain.control("revert", { id });
      expect(reverted).toEqual({ head, solid: head - 18, timeMs: (await info()).timeMs });
      expect((await info()).head).toBe(head);
    }
  });

  it("faucet sends TRX and USDT in the next block", async () => {
    const { txids } = (
      await devchain.post("/devchain/faucet", {
        address: devchain.payer.address,
        trx: "0.000001",
        usdt: "12.5",
      })
    ).body;
    expect(txids).toHaveLength(2);
    await devchain.mine(1);
    for (const value of txids) {
      const { body } = await devchain.post("/wallet/gettransactioninfobyid", { value });
      expect(body.blockNumber).toBe((await info()).head);
    }
  });

  it("faucet refuses, with nothing sent, an amount beyond the treasury", async () => {
    const { address } = devchain.payer;
    await devchain.post("/devchain/faucet", { address, usdt: "999999999999" });
    await devchain.mine(1);
    const balance = async () =>
      (await devchain.post("/wallet/getaccount", { address, visible: true })).body.balance;
    const before = await balance();
    const refused = await devchain.post("/devchain/faucet", { address, trx: "1", usdt: "999999999999" });
    expect(refused).toMatchObject({ status: 400, body: { field: "address" } });
    expect(await balance()).toBe(before);
    const burner = { address: `41${"00".repeat(20)}`, usdt: "1" };
    expect((await devchain.post("/devchain/faucet", burner)).status).toBe(400);
  });

  it("two equal gifts in a row are two transactions", async () => {
    const gift = { address: devchain.payer.address, trx: "1" };
    const [first, second] = await Promise.all([1, 2].map(() => devchain.post("/devchain/faucet", gift)));
    expect(first?.body.txids).not.toEqual(second?.body.txids);
  });

  it("reorg returns both heads, and refuses solid blocks", async () => {
    const { head } = await info();
    expect((await devchain.post("/devchain/reorg", { depth: 2 })).body).toEqual({
      oldHead: head,
      newHead: head + 1,
    });
    const unknown = await devchain.post("/devchain/reorg", { depth: 1, drop: ["ab".repeat(32)] });
    expect(unknown).toMatchObject({ status: 400, body: { field: "drop" } });
  });

  it("reorg without a depth reaches down to the oldest named transaction", async () => {
    const { txids } = (
      await devchain.post("/devchain/faucet", { address: devchain.payer.address, usdt: "3" })
    ).body;
    const [value] = txids;
    const placeOf = async () =>
      (await devchain.post("/wallet/gettransactioninfobyid", { value })).body.blockNumber;
    expect((await devchain.post("/devchain/reorg", { move: txids })).body.field).toBe("move");
    await devchain.mine(1);
    const number = await placeOf();
    await devchain.mine(2);
    expect((await devchain.post("/devchain/reorg", { move: txids })).body).toEqual({
      oldHead: number + 2,
      newHead: number + 3,
    });
    expect(await placeOf()).toBe(number + 1);
    await devchain.mine(20);
    expect((await devchain.post("/devchain/reorg", { move: txids })).body.field).toBe("depth");
    expect((await devchain.post("/devchain/reorg", {})).body.field).toBe("depth");
  });

  it("time moves the next block on", async () => {
    const { timeMs } = await info();
    expect((await devchain.post("/devchain/time", { advanceMs: 3_600_000 })).body.timeMs).toBe(
      timeMs + 3_600_000,
    );
    await devchain.mine(1);
    expect((await info()).timeMs).toBeGreaterThanOrEqual(timeMs + 3_600_000);
  });

  it("config changes the pace and pauses the running chain", async () => {
    const before = await info();
    await devchain.post("/devchain/config", { blockTimeMs: 20, paused: false });
    await expect.poll(async () => (await info()).head).toBeGreaterThan(before.head + 2);
    const { body } = await devchain.post("/devchain/config", { paused: true });
    expect(body).toMatchObject({ blockTimeMs: 20, paused: true });
    const { head } = await info();
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect((await info()).head).toBe(head);
  });

  it.each([
    ["mine", {}, "blocks"],
    ["mine", { blocks: 0 }, "blocks"],
    ["mine", { blocks: 1.5 }, "blocks"],
    ["mine", { blocks: "1" }, "blocks"],
    ["mine", { blocks: 1, stepMs: 3001 }, "stepMs"],
    ["mine", { block: 1 }, "block"],
    ["faucet", { trx: "1" }, "address"],
    ["faucet", { address: "T1", trx: "1" }, "address"],
    ["faucet", { address: "TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4" }, "trx"],
    ["faucet", { address: "TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4", trx: 1 }, "trx"],
    ["faucet", { address: "TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4", trx: "0" }, "trx"],
    ["faucet", { address: "TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4", usdt: "0.0000001" }, "usdt"],
    ["faucet", { address: "TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4", trx: "999999999999" }, "address"],
    ["reorg", { depth: 19 }, "depth"],
    ["reorg", { depth: 1, move: "x" }, "move"],
    ["time", { advanceMs: -1 }, "advanceMs"],
    ["snapshot", { name: "a" }, "name"],
    ["revert", { id: "99" }, "id"],
    ["config", { automine: 1 }, "automine"],
    ["config", { paused: "yes" }, "paused"],
    ["config", { blockTimeMs: 1 }, "blockTimeMs"],
  ])("%s %j is a 400 that names %s", async (name, request, field) => {
    const { status, body } = await devchain.post(`/devchain/${name}`, request);
    expect(status).toBe(400);
    expect(body.field).toBe(field);
    expect(body.error).toContain(field);
  });

  it("an unknown path is 404, a wrong method 405, and a body that is no object 400", async () => {
    expect((await devchain.post("/devchain/miracles", {})).status).toBe(404);
    expect((await devchain.get("/devchain/mine")).status).toBe(405);
    expect((await devchain.post("/devchain/mine", "[]")).body.field).toBe("body");
  });
});

describe("a page in a browser", () => {
  const page = { origin: "https://evil.example" };
  const call = (path: string, init: RequestInit) => fetch(devchain.url + path, init);
  const mayRead = ({ headers }: Response) => headers.get("access-control-allow-origin");

  it("cannot control the chain, not even by a request without preflight", async () => {
    const { head } = await info();
    const simple = { method: "POST", headers: { ...page, "content-type": "text/plain" } };
    const refused = await call("/devchain/mine", { ...simple, body: '{"blocks": 1}' });
    expect([refused.status, mayRead(refused)]).toEqual([403, null]);
    const around = await call("/wallet/../devchain/mine", { ...simple, body: '{"blocks": 1}' });
    expect([around.status, mayRead(around)]).toEqual([403, null]);
    expect((await info()).head).toBe(head);
    for (const path of ["/devchain/info", "/devchain/mine"]) {
      const preflight = await call(path, { method: "OPTIONS", headers: page });
      expect([path, mayRead(preflight)]).toEqual([path, null]);
    }
    expect(mayRead(await call("/devchain/info", {}))).toBeNull();
  });

  it("can use the node's own API", async () => {
    for (const path of ["/wallet/getnowblock", "/walletsolidity/getnowblock", "/jsonrpc"]) {
      const answer = await call(path, { method: "POST", headers: page, body: "{}" });
      expect([path, answer.status, mayRead(answer)]).toEqual([path, 200, "*"]);
      expect(mayRead(await call(path, { method: "OPTIONS", headers: page }))).toBe("*");
    }
  });
});
