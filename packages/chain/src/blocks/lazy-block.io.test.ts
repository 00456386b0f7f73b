import { createLogger } from "@daric/runtime/logger";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, startFaultyNode } from "@daric/testing/faulty-node";
import type { RawAnswer } from "@daric/testing/node-faults";
import { addressToHex } from "@daric/tron/address";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { TronClient, WantedBlock } from "../nodes/chain-reader.ts";
import { createTronClient, type TronClientOptions } from "../nodes/client.ts";
import { type Network, readDevnet } from "../nodes/networks.ts";
import { type BlockDecoder, createBlockDecoder } from "./block-decoder.ts";
import type { LazyBlock } from "./lazy-block.ts";

const payee = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH";
const log = createLogger({ level: "silent", role: "test" });
const BLOCK = "/wallet/getblock";
const INFOS = "/wallet/gettransactioninfobyblocknum";

let chain: TestDevchain;
let network: Network;
let node: FaultyNode;
/** the block with payments; all others are empty */
let paid: number;

beforeAll(async () => {
  chain = await aDevchain();
  network = await readDevnet(chain.url);
  node = await startFaultyNode(chain.url);
  await chain.mine(2);
  await chain.control("faucet", { address: payee, trx: "12.5", usdt: "3" });
  paid = (await chain.control<{ head: number }>("mine", { blocks: 1 })).head;
  await chain.mine(2);
});
afterAll(async () => {
  await node?.stop();
  await chain?.stop();
});

const clients: TronClient[] = [];
afterEach(async () => {
  node.heal();
  node.calls.length = 0;
  for (const client of clients.splice(0)) await client.close();
});

function connect(options: Partial<TronClientOptions> = {}): TronClient {
  const { genesisId, tokens } = network;
  const decoder = createBlockDecoder({ log });
  const nodes = [{ url: node.url }];
  const client = createTronClient({
    nodes,
    genesisId,
    tokens,
    decoder,
    now: () => 0,
    ...options,
  });
  clients.push(client);
  return client;
}

type Wanted = Omit<WantedBlock, "tokens">;
const fetchBlock = (client: TronClient, wanted: Wanted): Promise<LazyBlock> =>
  client.fetchBlock({ ...wanted, tokens: network.tokens });

/** Everything about a block. */
async function contentsOf(client: TronClient, wanted: Wanted) {
  const { summary, decode: open } = await fetchBlock(client, wanted);
  return { ...summary, involved: Buffer.from(summary.involved).toString("hex"), ...open() };
}

const failureOf = async (client: TronClient, wanted: Wanted): Promise<unknown> =>
  fetchBlock(client, wanted).then(
    () => "none",
    (error: Error) => `${error.name}: ${error.message}`,
  );

it("an old block from the decoder thread equals the same block read on the main thread", async () => {
  const [threaded, inParts] = [connect(), connect({ decoder: undefined })];
  for (let number = 1; number <= paid + 2; number += 1) {
    const wanted = { number, isOld: true };
    const decoded = await contentsOf(threaded, wanted);
    const { transactions: inOne, ...rest } = decoded;
    const { transactions, ...expected } = await contentsOf(inParts, wanted);
    expect(rest).toEqual(expected);
    expect(inOne.map(({ txId }) => txId)).toEqual(transactions.map(({ txId }) => txId));
  }
  const { involved, transactionCount, decoded } = await contentsOf(threaded, {
    number: paid,
    isOld: true,
  });
  expect(decoded.transfers.map(({ currency, units }) => `${units} ${currency}`)).toEqual([
    "12500000 TRX",
    "3000000 USDT",
  ]);
  expect(involved.split(addressToHex(payee)).length - 1).toBe(2);
  expect(transactionCount).toBe(2);
});

it("the infos of an old block are fetched with it, those of a new one only if it needs them", async () => {
  const client = connect();
  await client.getHeadBlock();
  node.calls.length = 0;
  await fetchBlock(client, { number: paid, isOld: true });
  await fetchBlock(client, { number: paid + 1, isOld: true });
  expect(node.calls.map(({ path }) => path)).toEqual([BLOCK, INFOS, BLOCK, INFOS]);
  node.calls.length = 0;
  await fetchBlock(client, { number: paid, isOld: false });
  await fetchBlock(client, { number: paid + 1, isOld: false });
  expect(node.calls.map(({ path }) => path)).toEqual([BLOCK, INFOS, BLOCK]);
});

const json = (body: unknown): RawAnswer => ({ body: JSON.stringify(body) });

it.each<[string, string, RawAnswer]>([
  ["has no infos", INFOS, json([])],
  ["is not there", BLOCK, json({})],
  ["is refused with status 200", BLOCK, json({ Error: "lack of computing resources" })],
  ["has infos that are refused", INFOS, json({ Error: "class java.lang.NullPointerException : null" })],
  ["is a page of a gateway", BLOCK, { status: 502, body: "<html>Bad Gateway</html>" }],
  ["has infos that are no JSON", INFOS, { body: "this API is closed because this node is a lite fullnode" }],
  ["has no answer with status 200", INFOS, { body: "" }],
])("an old block that %s fails like a new one", async (_, path, answer) => {
  const failures: unknown[] = [];
  for (const isOld of [true, false]) {
    const client = connect();
    await client.getHeadBlock();
    node.fail((call) => (call.path === path ? answer : undefined));
    failures.push(await failureOf(client, { number: paid, isOld }));
    node.heal();
  }
  expect(failures[0]).not.toBe("none");
  expect(failures[0]).toBe(failures[1]);
});

it("an old block with changed transactions is refused, and the next node is called", async () => {
  const honest = connect({ decoder: undefined });
  const actual = await honest.getBlock(paid);
  const decoded = JSON.parse(await responseOf(BLOCK, { id_or_num: String(paid), detail: true }));
  decoded.transactions[0].ret = [{ contractRet: "REVERT" }];
  node.fail(({ path }) => (path === BLOCK ? json(decoded) : undefined));
  expect(await failureOf(connect(), { number: paid, isOld: true })).toMatch(/txTrieRoot/);
  const both = connect({ nodes: [{ url: node.url }, { url: chain.url }] });
  const { summary } = await fetchBlock(both, { number: paid, isOld: true });
  expect(summary.header.id).toBe(actual?.header.id);
});

it("a block of another number is refused", async () => {
  const client = connect();
  const other = await responseOf(BLOCK, { id_or_num: String(paid + 1), detail: true });
  node.fail(({ path, question }) =>
    path === BLOCK && question.detail === true ? { body: other } : path === INFOS ? json([]) : undefined,
  );
  expect(await failureOf(client, { number: paid, isOld: true })).toContain(
    `block ${paid + 1} instead of ${paid}`,
  );
});

/** The node's answer as text. */
async function responseOf(path: string, question: object): Promise<string> {
  const body = JSON.stringify({ ...question, visible: false });
  return (await fetch(`${chain.url}${path}`, { method: "POST", body })).text();
}

it("an answer nested too deep for one thread is refused by both", async () => {
  const infos = JSON.parse(await responseOf(INFOS, { num: paid }));
  const [first, ...others] = infos.map((info: object) => JSON.stringify(info));
  const deep = `"unfreeze_amount":9007199254740993,"deep":${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  const body = `[${[`${first.slice(0, -1)},${deep}}`, ...others].join()}]`;
  node.fail(({ path }) => (path === INFOS ? { body } : undefined));
  for (const isOld of [true, false])
    expect(await failureOf(connect(), { number: paid, isOld })).toContain("nested too deep");
});

it("an old block that needs no infos is read without them", async () => {
  node.fail(({ path }) => (path === INFOS ? { status: 500, body: "" } : undefined));
  const { summary } = await fetchBlock(connect(), { number: paid + 1, isOld: true });
  expect(summary.transactionCount).toBe(0);
  expect(await failureOf(connect(), { number: paid, isOld: true })).toContain("HTTP 500");
});

it("a node that reports its limiter is called once for an old block", async () => {
  const client = connect();
  await client.getHeadBlock();
  node.calls.length = 0;
  node.fail(() => json({ Error: "lack of computing resources" }));
  expect(await failureOf(client, { number: paid, isOld: true })).toContain("lack of computing resources");
  expect(node.calls.map(({ path }) => path)).toEqual([BLOCK, INFOS]);
});

it("an old block of another network is refused", async () => {
  const client = connect({ genesisId: "0".repeat(64) });
  expect(await failureOf(client, { number: paid, isOld: true })).toContain("another network");
});

it("a block that cannot be decoded fails once, and is then read on the main thread", async () => {
  const thread = createBlockDecoder({ log });
  const forgetful: BlockDecoder = {
    decode: async (response) => {
      const { answers, ...validated } = await thread.decode(response);
      return { ...validated, answers: { ...answers, block: new Uint8Array(0) } };
    },
    stop: thread.stop,
  };
  const client = connect({ decoder: forgetful });
  const { decode: open } = await fetchBlock(client, { number: paid, isOld: true });
  expect(open).toThrow(/cannot be decoded now/);
  const again = await fetchBlock(client, { number: paid, isOld: true });
  expect(again.decode().transactions).toHaveLength(2);
});

it("closing the client stops its decoder", async () => {
  const decoder = createBlockDecoder({ log });
  const client = connect({ decoder });
  await fetchBlock(client, { number: paid, isOld: true });
  await client.close();
  const none = new Uint8Array(0);
  await expect(decoder.decode({ block: none, infos: none, tokens: [] })).rejects.toThrow("stopped");
});

it("an old block not later than its parent, or in the future by our clock, is refused", async () => {
  const { header } = (await fetchBlock(connect(), { number: paid, isOld: true })).summary;
  const parent = { id: header.parentId, timeMs: header.timeMs };
  expect(await failureOf(connect(), { number: paid, isOld: true, parent })).toContain(
    "not after its parent's",
  );
  const early = connect({ latestTimeMs: () => header.timeMs - 1_000 });
  expect(await failureOf(early, { number: paid, isOld: true })).toContain(
    "1 s later than this machine's clock",
  );
});

it("without a thread old blocks are read on the main thread", async () => {
  const dead: BlockDecoder = { decode: () => Promise.reject(new Error("it died")), stop: async () => {} };
  const { summary } = await fetchBlock(connect({ decoder: dead }), { number: paid, isOld: true });
  expect(summary.header.number).toBe(paid);
});
