import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { blockAnswer, transactionAnswer } from "@daric/testing/block-answer";
import { nodeFaults, type RawAnswer } from "@daric/testing/node-faults";
import { usdtAt } from "@daric/testing/usdt";
import { addressToHex } from "@daric/tron/address";
import { afterEach, describe, expect, it } from "vitest";
import { NodeError, WrongChainError } from "../blocks/node-error.ts";
import type { TronClient } from "./chain-reader.ts";
import { createTronClient } from "./client.ts";

const genesisId = "0".repeat(16) + "c".repeat(48);
const TIME_MS = 1_735_689_600_000;
const TOKEN = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const ADDRESS = "TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf";

const transaction = transactionAnswer({
  type: "TriggerSmartContract",
  from: `41${"11".repeat(20)}`,
  contract: `41${"22".repeat(20)}`,
  data: "",
});
const block = blockAnswer({ number: 5, timeMs: TIME_MS, transactions: [transaction] });
const info = {
  id: transaction.txID,
  blockNumber: 5,
  blockTimeStamp: TIME_MS,
  receipt: { result: "SUCCESS" },
};
const call = { result: { result: true }, constant_result: ["6".padStart(64, "0")] };

/** An honest node's answers, by path. */
const expected: Readonly<Record<string, unknown>> = {
  "/wallet/getblockbynum": {
    blockID: genesisId,
    block_header: { raw_data: { parentHash: "9".repeat(64) } },
  },
  "/wallet/getblock": block,
  "/wallet/gettransactioninfobyblocknum": [info],
  "/walletsolidity/getblock": block,
  "/wallet/triggerconstantcontract": call,
  "/walletsolidity/triggerconstantcontract": call,
  "/wallet/getaccount": {},
  "/walletsolidity/getaccount": {},
  "/wallet/getaccountresource": {},
};

const atEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end();
});

/** A node with a faulty answer at one path, and the paths that were called. */
async function startNode(faulty?: { path: string; answer: RawAnswer }) {
  const requests: string[] = [];
  const server = createServer((request, response: ServerResponse) => {
    text(request).then(() => {
      const path = request.url ?? "";
      requests.push(path);
      const {
        status = 200,
        headers = {},
        body,
      } = path === faulty?.path ? faulty.answer : { body: JSON.stringify(expected[path]) };
      response.writeHead(status, { ...headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function connect(nodes: readonly { url: string }[], faults: string[] = []): TronClient {
  const client = createTronClient({
    nodes,
    genesisId,
    timeoutMs: 5_000,
    now: () => 0,
    onFailure: ({ fault }) => faults.push(fault),
  });
  atEnd.push(() => client.close());
  return client;
}

/** Every call of the service, and the path that answers with the fault. */
const questions: [string, string, (client: TronClient) => Promise<unknown>][] = [
  ["for its network", "/wallet/getblockbynum", (client) => client.getHeadBlock()],
  ["for its head", "/wallet/getblock", (client) => client.getHeadBlock()],
  ["for a block", "/wallet/getblock", (client) => client.fetchCompleteBlock(5)],
  ["for its infos", "/wallet/gettransactioninfobyblocknum", (client) => client.fetchCompleteBlock(5)],
  ["for a block by its id", "/wallet/getblock", (client) => client.getBlockById(block.blockID)],
  ["for its solid block", "/walletsolidity/getblock", (client) => client.getSolidBlock()],
  ["for a token", "/wallet/triggerconstantcontract", (client) => client.getTokenDecimals(TOKEN)],
  [
    "for the history of an address",
    "/wallet/triggerconstantcontract",
    (client) => client.query((node) => node.hasHistory(ADDRESS, usdtAt(addressToHex(TOKEN)))),
  ],
  [
    "for the balance of an address",
    "/walletsolidity/triggerconstantcontract",
    (client) => client.query((node) => node.getSolidBalance(ADDRESS, TOKEN)),
  ],
];

/** `{}` is a valid answer: the block is missing. */
const meansAbsent = (path: string, { body }: RawAnswer) => path.endsWith("/getblock") && body === "{}";

describe.each(Object.entries(nodeFaults))("a node that answers %s", (_name, answer) => {
  it.each(questions)("gives a NodeError when it is called %s", async (_question, path, callNode) => {
    const node = await startNode({ path, answer });
    const reported = await callNode(connect([node])).catch((error: unknown) => error);
    if (reported === undefined && meansAbsent(path, answer)) return;
    expect(reported).toBeInstanceOf(NodeError);
    expect(reported).not.toBeInstanceOf(WrongChainError);
  });

  it("fails over to an honest one for every call", async () => {
    for (const [, path, callNode] of questions) {
      const honest = connect([await startNode()]);
      const both = connect([await startNode({ path, answer }), await startNode()]);
      const reported = await callNode(both);
      // A missing block is an answer, so the next node is not called.
      if (reported !== undefined || !meansAbsent(path, answer))
        expect(reported).toEqual(await callNode(honest));
    }
  });

  it("is called again unless it requested a pause", async () => {
    const node = await startNode({ path: "/wallet/getblock", answer });
    const faults: string[] = [];
    const client = connect([node], faults);
    await client.getHeadBlock().catch(() => undefined);
    const requests = node.requests.length;
    await client.getHeadBlock().catch(() => undefined);
    const isPaused = faults[0] === "rate_limited" || answer.headers?.["retry-after"] !== undefined;
    expect(node.requests.length - requests).toBe(isPaused ? 0 : 1);
  });
});
