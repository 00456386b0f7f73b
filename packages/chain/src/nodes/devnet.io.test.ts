import { type Devchain, startDevchain } from "@daric/devchain";
import { usdtOn } from "@daric/testing/usdt";
import { addressToHex } from "@daric/tron/address";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeTransfers, type Transfer } from "../blocks/decode-transfers.ts";
import type { TronClient } from "./chain-reader.ts";
import { createTronClient } from "./client.ts";
import { type Network, readDevnet } from "./networks.ts";
import { verifyNetwork } from "./verify-network.ts";

const payee = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH";

let chain: Devchain;
let network: Network;
let client: TronClient;

beforeAll(async () => {
  chain = await startDevchain({ paused: true });
  network = await readDevnet(chain.url);
  client = createTronClient({ nodes: [{ url: chain.url }], genesisId: network.genesisId });
});

afterAll(async () => {
  await client?.close();
  await chain?.stop();
});

async function control<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`${chain.url}/devchain/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const mine = (blocks: number) => control<{ head: number; solid: number }>("mine", { blocks });

async function transfersBetween(
  first: number,
  last: number,
): Promise<(Transfer & { blockNumber: number })[]> {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const blocks = await Promise.all(numbers.map((number) => client.fetchCompleteBlock(number)));
  return blocks.flatMap((block) =>
    decodeTransfers(block, network.tokens).transfers.map((transfer) => ({
      ...transfer,
      blockNumber: block.header.number,
    })),
  );
}

describe("a local chain", () => {
  it("reports its own network", async () => {
    expect(network).toMatchObject({
      genesisId: chain.genesisId,
      tokens: [{ currency: "USDT", contract: chain.usdtContract }],
    });
    await expect(verifyNetwork(client, network)).resolves.toEqual({
      unusable: [],
      withoutSolidBlocks: [],
    });
  });

  it("shows every transfer on it once, with its amount", async () => {
    const before = (await client.getHeadBlock()).number;
    const { txids } = await control<{ txids: string[] }>("faucet", {
      address: payee,
      trx: "12.5",
      usdt: "3",
    });
    const { head } = await mine(2);
    const transfers = await transfersBetween(before + 1, head);
    const common = { eventIndex: 0, toHex: addressToHex(payee) };
    expect(transfers).toMatchObject([
      { ...common, txId: txids[0], source: "transfer", currency: "TRX", units: 12_500_000n },
      { ...common, txId: txids[1], source: "log", currency: "USDT", units: 3_000_000n },
    ]);
  });

  it("reports the solid balances of an address in TRX and USDT, and the header of a height", async () => {
    const fresh = "TDGSR64oU4QDpViKfdwawSiqwyqpUB6JUD";
    const usdtContract = usdtOn(network).contract;
    const balances = () =>
      Promise.all([undefined, usdtContract].map((token) => client.getSolidBalance(fresh, token)));
    await control("faucet", { address: fresh, trx: "12.5", usdt: "3" });
    const { head } = await mine(1);
    expect(await balances()).toEqual([0n, 0n]);
    await mine(18);
    expect(await balances()).toEqual([12_500_000n, 3_000_000n]);
    const [node] = client.nodes;
    expect(await node?.getHeader(head)).toEqual((await client.getBlock(head))?.header);
    expect(await node?.getHeader(head + 1_000)).toBeUndefined();
  });

  it("links its blocks by parent, and finds each by number and by id", async () => {
    const { head } = await mine(3);
    const tip = await client.fetchCompleteBlock(head);
    const below = await client.fetchCompleteBlock(head - 1);
    expect(tip.header.parentId).toBe(below.header.id);
    expect((await client.getBlockById(below.header.id))?.header).toEqual(below.header);
    expect((await client.getHeadBlock()).id).toBe(tip.header.id);
  });

  it("distinguishes solid blocks from those above them", async () => {
    const { head } = await mine(30);
    const solid = await client.getSolidBlock();
    expect(solid.number).toBeLessThan(head);
  });

  it("has no block above its head", async () => {
    const { number } = await client.getHeadBlock();
    await expect(client.getBlock(number + 1)).resolves.toBeUndefined();
    await expect(client.fetchCompleteBlock(number + 1)).rejects.toMatchObject({ reason: undefined });
  });

  it("shows another block of the same height after a reorganization", async () => {
    const { head } = await mine(3);
    const before = await client.fetchCompleteBlock(head);
    await control("reorg", { depth: 2 });
    const after = await client.fetchCompleteBlock(head);
    expect(after.header.id).not.toBe(before.header.id);
  });
});

describe("several nodes", () => {
  it("replace each other, and each failure is reported", async () => {
    const faults: string[] = [];
    const nodes = [{ url: "http://127.0.0.1:1" }, { url: chain.url }];
    const both = createTronClient({ nodes, onFailure: ({ fault }) => faults.push(fault) });
    try {
      expect((await both.getHeadBlock()).number).toBeGreaterThan(0);
      expect(faults).toEqual(["unreachable"]);
    } finally {
      await both.close();
    }
  });

  it("are followed at the newest head, even if the first one stalls", async () => {
    const stalled = await startDevchain({ paused: true });
    let nowMs = 0;
    const both = createTronClient({ nodes: [{ url: stalled.url }, { url: chain.url }], now: () => nowMs });
    try {
      const old = await both.getHeadBlock();
      const { head } = await mine(60);
      nowMs += 31_000;
      expect((await both.getHeadBlock()).number).toBe(head);
      expect(old.number).toBeLessThan(head);
    } finally {
      await both.close();
      await stalled.stop();
    }
  });
});
