import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { blockAnswer, transactionAnswer } from "@daric/testing/block-answer";
import { usdtAt } from "@daric/testing/usdt";
import { hexToAddress } from "@daric/tron/address";
import { afterEach, describe, expect, it } from "vitest";
import { decodeTransfers } from "../blocks/decode-transfers.ts";
import { NodeError, WrongChainError } from "../blocks/node-error.ts";
import type { TronClient } from "./chain-reader.ts";
import { createTronClient, type TronClientOptions } from "./client.ts";

const USDT = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const payer = `41${"11".repeat(20)}`;
const payee = `41${"22".repeat(20)}`;
const genesisId = "0".repeat(16) + "c".repeat(48);
const timeMs = 1_735_689_600_000;

/** A contract call that sends TRX on. */
const callOf = (number: number) =>
  transactionAnswer(
    { type: "TriggerSmartContract", from: payer, contract: `41${"33".repeat(20)}`, data: "" },
    { expirationMs: timeMs, timestampMs: number },
  );

/** One USDT transfer of `number` units in each block. */
function honestBlock(number: number): ReturnType<typeof blockAnswer> {
  return blockAnswer({ number, timeMs: timeMs + number * 3_000, transactions: [callOf(number)] });
}

function honestInfos(number: number): object[] {
  const topics = [TRANSFER, payer.slice(2).padStart(64, "0"), payee.slice(2).padStart(64, "0")];
  return [
    {
      id: callOf(number).txID,
      blockNumber: number,
      blockTimeStamp: timeMs + number * 3_000,
      receipt: { result: "SUCCESS" },
      log: [{ address: USDT.slice(2), topics, data: number.toString(16).padStart(64, "0") }],
    },
  ];
}

type Question = { path: string; body: Record<string, unknown>; headers: IncomingMessage["headers"] };
type Answer = (question: Question, response: ServerResponse) => unknown;

const answerHonestly: Answer = ({ path, body }) => {
  if (path === "/wallet/getblockbynum") {
    return { blockID: genesisId, block_header: { raw_data: { parentHash: "9".repeat(64) } } };
  }
  if (path.endsWith("/getblock")) return honestBlock(Number(body.id_or_num ?? 100));
  return path === "/wallet/gettransactioninfobyblocknum" ? honestInfos(Number(body.num)) : {};
};

const atEnd: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end();
});

type Node = { url: string; requests: Question[]; answer: Answer };

/** A node on 127.0.0.1. An answer of undefined means that the handler answers by itself, or never. */
async function startNode(answer: Answer = answerHonestly): Promise<Node> {
  const node: Node = { url: "", requests: [], answer };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || "{}");
      const question = { path: request.url ?? "", body, headers: request.headers };
      node.requests.push(question);
      const reported = node.answer(question, response);
      if (reported !== undefined)
        response.end(typeof reported === "string" ? reported : JSON.stringify(reported));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  atEnd.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return node;
}

function connect(nodes: readonly Node[], options: Partial<TronClientOptions> = {}): TronClient {
  const client = createTronClient({ nodes: nodes.map(({ url }) => ({ url })), timeoutMs: 2_000, ...options });
  atEnd.push(() => client.close());
  return client;
}

async function failureOf(promise: Promise<unknown>): Promise<NodeError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof NodeError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

it("a host watch is called when a node does not answer, and when it does, even with an error", async () => {
  const reported: string[] = [];
  const watch = {
    answered: () => reported.push("answered"),
    away: ({ fault }: NodeError) => reported.push(fault),
  };
  const node = await startNode();
  const client = connect([node], { watch });
  await client.getHeadBlock();
  node.answer = (_question, response) => void response.writeHead(503).end();
  await failureOf(client.getHeadBlock());
  node.answer = () => ({ Error: "class java.lang.NullPointerException : null" });
  await failureOf(client.getHeadBlock());
  expect([...new Set(reported)]).toEqual(["answered", "http_status"]);
  expect(reported.at(-1)).toBe("answered");
});

describe("a client of one honest node", () => {
  it("fetches complete blocks, also in parallel", async () => {
    const client = connect([await startNode()]);
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const blocks = await Promise.all(numbers.map((number) => client.fetchCompleteBlock(number)));
    expect(blocks.map((block) => block.header.number)).toEqual(numbers);
    const units = blocks.flatMap((block) =>
      decodeTransfers(block, usdtAt(USDT)).transfers.map((transfer) => transfer.units),
    );
    expect(units).toEqual(numbers.map(BigInt));
  });

  it("calls as nodes expect it, under the path of the URL, with the key", async () => {
    const node = await startNode((question, response) =>
      answerHonestly({ ...question, path: question.path.replace("/some-access-key", "") }, response),
    );
    const client = connect([{ ...node, url: `${node.url}/some-access-key/` }], { apiKey: "the-key" });
    await client.getHeadBlock();
    await client.fetchCompleteBlock(7);
    expect(node.requests.map(({ path, body }) => [path, body])).toEqual([
      ["/some-access-key/wallet/getblock", { detail: false, visible: false }],
      ["/some-access-key/wallet/getblock", { id_or_num: "7", detail: true, visible: false }],
      ["/some-access-key/wallet/gettransactioninfobyblocknum", { num: 7, visible: false }],
    ]);
    expect(node.requests[0]?.headers).toMatchObject({
      "tron-pro-api-key": "the-key",
      "accept-encoding": "gzip",
    });
  });

  it("reads solid blocks at their own URL", async () => {
    const full = await startNode();
    const solidity = await startNode();
    const client = connect([], { nodes: [{ url: full.url, solidityUrl: solidity.url }] });
    await client.getSolidBlock();
    await client.getSolidBlock();
    await client.getHeadBlock();
    expect(full.requests).toHaveLength(1);
    expect(solidity.requests.map(({ path }) => path)).toEqual(Array(2).fill("/walletsolidity/getblock"));
  });

  it.each(["gzip", "GZIP", "GZip"])("reads compressed answers, also by the name %s", async (name) => {
    const node = await startNode((question, response) => {
      response.setHeader("content-encoding", name);
      response.end(gzipSync(JSON.stringify(answerHonestly(question, response))));
    });
    await expect(connect([node]).fetchCompleteBlock(5)).resolves.toMatchObject({ header: { number: 5 } });
  });

  it("reads answers behind a byte order mark, compressed ones too", async () => {
    for (const pack of [Buffer.from, gzipSync] as const) {
      const node = await startNode((question, response) => {
        if (pack === gzipSync) response.setHeader("content-encoding", "gzip");
        response.end(pack(`\ufeff${JSON.stringify(answerHonestly(question, response))}`));
      });
      await expect(connect([node]).fetchCompleteBlock(5)).resolves.toMatchObject({ header: { number: 5 } });
    }
  });

  it("reads amounts beyond 2^53 exactly", async () => {
    const sent = { note: "63616c6c", caller_address: payer, transferTo_address: payee };
    const node = await startNode((question, response) => {
      const reported = answerHonestly(question, response);
      if (!Array.isArray(reported)) return reported;
      const internal_transactions = [{ ...sent, callValueInfo: [{ callValue: "HERE" }] }];
      return JSON.stringify([{ ...reported[0], internal_transactions }]).replace(
        '"HERE"',
        "9007199254740993",
      );
    });
    const block = await connect([node]).fetchCompleteBlock(5);
    const { transfers } = decodeTransfers(block, usdtAt(USDT));
    expect(transfers).toMatchObject([
      { source: "log", units: 5n },
      { source: "internal", units: 9_007_199_254_740_993n },
    ]);
  });
});

/** Made once, because packing 50 MB takes longer than the client's timeout. */
const GZIP_BOMB = gzipSync(Buffer.alloc(50_000_000, "["));
const MAX_BODY_BYTES = 100_000;

/** The faults of a node, and the expected error. */
const faultyAnswers: [string, Answer, Partial<NodeError>][] = [
  ["{}", () => ({}), { fault: "incomplete_block", retryable: true }],
  ["[]", () => [], { fault: "unexpected_answer", retryable: true }],
  ["null", () => "null", { fault: "unexpected_answer" }],
  ["a number", () => "5", { fault: "unexpected_answer" }],
  ["an HTML page", () => "<html><body>502 Bad Gateway</body></html>", { fault: "not_json", retryable: true }],
  ["nothing", () => "", { fault: "not_json" }],
  ["half of the JSON", () => JSON.stringify(honestBlock(5)).slice(0, 200), { fault: "not_json" }],
  [
    "a lite node's refusal",
    () => "this API is closed because this node is a lite fullnode",
    { fault: "not_json" },
  ],
  ["the next block", () => honestBlock(6), { fault: "unexpected_answer", retryable: true }],
  [
    "the next block's infos",
    (question, response) =>
      question.path.endsWith("blocknum") ? honestInfos(6) : answerHonestly(question, response),
    { fault: "incomplete_block", retryable: true },
  ],
  [
    "[] for the infos",
    (question, response) => (question.path.endsWith("blocknum") ? [] : answerHonestly(question, response)),
    { fault: "incomplete_block", retryable: true },
  ],
  ["an error with status 200", () => ({ Error: "class X : bad" }), { fault: "node_error", retryable: true }],
  [
    "the node's own limiter",
    () => ({ Error: "class java.lang.IllegalAccessException : lack of computing resources" }),
    { fault: "rate_limited", retryable: true },
  ],
  [
    "a suspension with status 403",
    (_question, response) => {
      response.statusCode = 403;
      return { Success: false, Error: "exceeds the limit, suspended for 30s", StatusCode: 403 };
    },
    { fault: "rate_limited", retryable: true, retryAfterMs: 30_000 },
  ],
  [
    "status 429 with a time",
    (_question, response) => response.writeHead(429, { "retry-after": "7" }) && "slow down",
    { fault: "rate_limited", retryable: true, retryAfterMs: 7_000 },
  ],
  [
    "status 429 with an absurd time",
    (_question, response) => response.writeHead(429, { "retry-after": "999999999" }) && "slow down",
    { fault: "rate_limited", retryAfterMs: 60_000 },
  ],
  [
    "status 500",
    (_question, response) => response.writeHead(500) && "{}",
    { fault: "http_status", retryable: true },
  ],
  [
    "status 404",
    (_question, response) => response.writeHead(404) && "{}",
    { fault: "http_status", retryable: false },
  ],
  [
    "a redirect",
    (_question, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }) && "",
    { fault: "http_status", retryable: false },
  ],
  ["silence", () => undefined, { fault: "timeout", retryable: true }],
  [
    "one byte every 50 ms",
    (_question, response) => {
      const drip = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(drip));
    },
    { fault: "timeout", retryable: true },
  ],
  [
    "an endless answer",
    (_question, response) => {
      const pour = () => {
        while (!response.destroyed && response.write("[".repeat(60_000)));
      };
      response.on("drain", pour);
      pour();
    },
    { fault: "too_large", retryable: true },
  ],
  [
    "a gzip bomb",
    (_question, response) => void response.setHeader("content-encoding", "gzip").end(GZIP_BOMB),
    { fault: "too_large", retryable: true },
  ],
  [
    "damaged gzip",
    (_question, response) => void response.setHeader("content-encoding", "gzip").end("no gzip"),
    { fault: "not_json" },
  ],
  [
    "an unknown encoding",
    (_question, response) => void response.setHeader("content-encoding", "br").end("x"),
    { fault: "not_json" },
  ],
  [
    "a connection cut in the body",
    (_question, response) => {
      response.writeHead(200, { "content-length": "5000" });
      response.write('{"blockID":', () => response.destroy());
    },
    { fault: "unreachable", retryable: true },
  ],
  [
    "a reset connection",
    (_question, response) => void response.destroy(),
    { fault: "unreachable", retryable: true },
  ],
];

/** An honest node's infos with an extra field. */
const answerWith =
  (text: string): Answer =>
  (question, response) =>
    question.path.endsWith("blocknum")
      ? JSON.stringify(honestInfos(5)).replace('"receipt"', `${text},"receipt"`)
      : answerHonestly(question, response);

faultyAnswers.push(
  [
    "a log with an invalid contract address",
    (question, response) =>
      question.path.endsWith("blocknum")
        ? [{ ...honestInfos(5)[0], log: [{ address: "\u0000".repeat(40), topics: [], data: "" }] }]
        : answerHonestly(question, response),
    { fault: "unexpected_answer" },
  ],
  [
    "a malformed verdict",
    (question, response) =>
      question.path.endsWith("blocknum")
        ? [{ ...honestInfos(5)[0], receipt: { result: `SUCCESS\u0000${"x".repeat(5_000)}` } }]
        : answerHonestly(question, response),
    { fault: "unexpected_answer" },
  ],
  [
    "JSON with a long integer that is nested too deep to be read exactly",
    answerWith(`"unfreeze_amount":9007199254740993,"deep":${"[".repeat(40_000)}${"]".repeat(40_000)}`),
    { fault: "unexpected_answer" },
  ],
);

describe("a misbehaving node", () => {
  it.each(faultyAnswers)("that answers %s gives no block", async (_name, answer, expected) => {
    const node = await startNode(answer);
    const failure = await failureOf(
      connect([node], { timeoutMs: 300, maxBodyBytes: MAX_BODY_BYTES }).fetchCompleteBlock(5),
    );
    expect(failure).toMatchObject(expected);
    expect(failure.node).toBe(new URL(node.url).host);
  });

  it.each(faultyAnswers)("that answers %s fails over to an honest one", async (_name, answer) => {
    const nodes = [await startNode(answer), await startNode()];
    const client = connect(nodes, { timeoutMs: 600, maxBodyBytes: MAX_BODY_BYTES });
    await expect(client.fetchCompleteBlock(5)).resolves.toMatchObject({
      header: { id: honestBlock(5).blockID },
    });
  });

  it.each(["plainly", "in gzip"])("may send one answer above the usual size at a time: %s", async (how) => {
    const large = () => JSON.stringify({ ...honestBlock(5), padding: "x".repeat(2 * MAX_BODY_BYTES) });
    const waiting: (() => void)[] = [];
    const node = await startNode((question, response) => {
      if (how === "in gzip")
        return void response.setHeader("content-encoding", "gzip").end(gzipSync(large()));
      response.write(large().slice(0, -1));
      const end = () => void response.end("}");
      if (question.body.id_or_num === "5") waiting.push(end);
      else end();
    });
    const client = connect([node], { maxBodyBytes: MAX_BODY_BYTES });
    const first = client.getBlock(5);
    if (how === "plainly") {
      await expect.poll(() => waiting.length).toBe(1);
      await expect.poll(async () => (await failureOf(client.getHeadBlock())).fault).toBe("too_large");
      for (const end of waiting) end();
    }
    await expect(first).resolves.toMatchObject({ header: { number: 5 } });
    await expect(client.getHeadBlock()).resolves.toMatchObject({ number: 5 });
  });

  it("that is down is unreachable", async () => {
    const node = await startNode();
    await atEnd.pop()?.();
    expect(await failureOf(connect([node]).getHeadBlock())).toMatchObject({
      fault: "unreachable",
      retryable: true,
    });
  });

  it("that redirects is refused with the URL to set, which only the operator reads", async () => {
    const node = await startNode((question, response) => {
      const location = `https://node.example/key-1234${question.path}`;
      return response.writeHead(301, { location }) && "";
    });
    const failure = await failureOf(connect([node]).getHeadBlock());
    expect(failure).toMatchObject({
      fault: "http_status",
      retryable: false,
      message: expect.stringMatching(
        /: answered HTTP 301, a redirect, .*: set "https:\/\/node\.example\/key-1234" if you trust it$/,
      ),
      safeMessage: expect.stringMatching(/: answered HTTP 301, a redirect, which is not followed$/),
    });
  });

  it("cannot put control characters or whole pages into a message", async () => {
    const node = await startNode(() => `\r\nforged log line ${"x".repeat(5_000)}`);
    const { message } = await failureOf(connect([node]).getHeadBlock());
    expect(message).not.toMatch(/[\r\n]/);
    expect(message.length).toBeLessThan(400);
    const named = "\r\n\u0000".repeat(21).padEnd(64, "x");
    node.answer = () => ({ ...honestBlock(5), transactions: [{ txID: named }] });
    const { message: transactionFault, safeMessage: expected } = await failureOf(connect([node]).getBlock(5));
    expect(transactionFault).toMatch(/transaction .*x: raw_data_hex is not a text/);
    for (const text of [transactionFault, expected]) expect(text).not.toMatch(/\p{Cc}/u);
  });

  it("leaves no trace in the safe message, because a gateway may repeat the key", async () => {
    for (const [answer, expected] of [
      [() => "the key 1234 is too fast", "answered no JSON"],
      [() => ({ Error: "the key 1234 is suspended" }), "refused"],
      [
        (_question, response) => response.writeHead(403) && "the key 1234 is not allowed",
        "answered HTTP 403",
      ],
    ] as [Answer, string][]) {
      const node = await startNode(answer);
      const failure = await failureOf(connect([node]).getHeadBlock());
      expect(failure.message).toContain("1234");
      expect(failure.safeMessage).toBe(`${new URL(node.url).host}: ${expected}`);
    }
  });

  it("leaves no path of its URL, which may be a key, in a message", async () => {
    const node = await startNode(() => "<html>");
    const failure = await failureOf(connect([{ ...node, url: `${node.url}/secret-key` }]).getHeadBlock());
    expect(failure.message).not.toContain("secret-key");
  });
});

describe("a client of several nodes", () => {
  it("reads block and infos of one fetch from one node", async () => {
    const lossy = await startNode((question, response) =>
      question.path.endsWith("blocknum") ? [] : answerHonestly(question, response),
    );
    const honest = await startNode();
    await connect([lossy, honest]).fetchCompleteBlock(5);
    expect(honest.requests.map(({ path }) => path)).toEqual([
      "/wallet/getblock",
      "/wallet/gettransactioninfobyblocknum",
    ]);
  });

  it("calls another node for a block ahead of our clock", async () => {
    const hasty = await startNode((question, response) =>
      question.body.id_or_num === "5"
        ? blockAnswer({ number: 5, timeMs: timeMs + 10 ** 9 })
        : answerHonestly(question, response),
    );
    const faults: string[] = [];
    const client = connect([hasty, await startNode()], {
      latestTimeMs: () => timeMs + 60_000,
      onFailure: ({ fault }) => faults.push(fault),
    });
    await expect(client.fetchCompleteBlock(5)).resolves.toMatchObject({
      header: { id: honestBlock(5).blockID },
    });
    expect(faults).toEqual(["ahead_of_clock"]);
  });

  it("calls another node for a block not later than its parent", async () => {
    const wrong = await startNode((question, response) =>
      question.body.id_or_num === "5"
        ? blockAnswer({ number: 5, timeMs, parentId: honestBlock(4).blockID })
        : answerHonestly(question, response),
    );
    const right = blockAnswer({ number: 5, timeMs: timeMs + 15_000, parentId: honestBlock(4).blockID });
    const client = connect([wrong, await startNode(() => right)]);
    const parent = { id: honestBlock(4).blockID, timeMs: timeMs + 12_000 };
    await expect(client.fetchCompleteBlock(5, parent)).resolves.toMatchObject({
      header: { id: right.blockID },
    });
  });

  it("follows the highest of the implausible heads if no node has a better one", async () => {
    let now = 0;
    const head = (number: number) => blockAnswer({ number, timeMs: timeMs + number * 3_000 });
    const [first, second] = [await startNode(() => head(100)), await startNode(() => head(100))];
    const faults: string[] = [];
    const client = connect([first, second], {
      now: () => now,
      latestTimeMs: () => timeMs,
      onFailure: ({ fault }) => faults.push(fault),
    });
    await client.getHeadBlock();
    now = 3_000;
    first.answer = () => head(5_000);
    second.answer = () => head(5_001);
    await expect(client.getHeadBlock()).resolves.toMatchObject({ number: 5_001 });
    expect(faults).toEqual(["unexpected_answer", "unexpected_answer"]);
  });

  it("calls a failed node last until its time is up, and first again afterwards", async () => {
    let now = 0;
    const first = await startNode((_question, response) => response.writeHead(500) && "{}");
    const second = await startNode();
    const client = connect([first, second], { now: () => now });
    await client.getHeadBlock();
    first.answer = answerHonestly;
    await client.getHeadBlock();
    expect([first.requests.length, second.requests.length]).toEqual([1, 2]);
    now = 250;
    await client.getHeadBlock();
    expect([first.requests.length, second.requests.length]).toEqual([2, 2]);
  });

  it("leaves a rate-limited node alone, and reports for how long if it is the only one", async () => {
    let now = 0;
    const node = await startNode(
      (_question, response) => response.writeHead(429, { "retry-after": "5" }) && "",
    );
    const client = connect([node], { now: () => now });
    await failureOf(client.getHeadBlock());
    now = 2_000;
    node.answer = answerHonestly;
    expect(await failureOf(client.getHeadBlock())).toMatchObject({
      fault: "rate_limited",
      retryAfterMs: 3_000,
    });
    expect(node.requests).toHaveLength(1);
    now = 5_000;
    await expect(client.getHeadBlock()).resolves.toMatchObject({ number: 100 });
  });

  it("still calls the only node after it failed", async () => {
    const node = await startNode((_question, response) => response.writeHead(500) && "");
    const client = connect([node], { now: () => 0 });
    await failureOf(client.getHeadBlock());
    node.answer = answerHonestly;
    await expect(client.getHeadBlock()).resolves.toMatchObject({ number: 100 });
  });

  it("does not count a block above its head against a node", async () => {
    const behind = await startNode((question, response) =>
      question.body.id_or_num === "101" ? {} : answerHonestly(question, response),
    );
    const ahead = await startNode();
    const client = connect([behind, ahead], { now: () => 0 });
    await expect(client.fetchCompleteBlock(101)).resolves.toMatchObject({ header: { number: 101 } });
    await client.getHeadBlock();
    expect(behind.requests.at(-1)?.body).toEqual({ detail: false, visible: false });
  });

  it("fails with a retryable error if one of the failures is", async () => {
    const busy = await startNode((_question, response) => response.writeHead(503) && "");
    const closed = await startNode((_question, response) => response.writeHead(404) && "");
    expect(await failureOf(connect([busy, closed]).getHeadBlock())).toMatchObject({ retryable: true });
    expect(await failureOf(connect([closed, closed]).getHeadBlock())).toMatchObject({ retryable: false });
  });

  it("reports a missing block only if every node lacks it, and else its fault", async () => {
    const missing: Answer = (question, response) =>
      question.path === "/wallet/getblock" ? {} : answerHonestly(question, response);
    const away: Answer = (_question, response) => response.writeHead(503) && "";
    const incomplete: Answer = (question, response) =>
      question.path.endsWith("blocknum") ? [] : answerHonestly(question, response);
    for (const [answers, message] of [
      [[missing, missing], /block 5: the node does not have it/],
      [[missing, away], /HTTP 503/],
      [[away, missing], /HTTP 503/],
      [[incomplete, missing, away], /1 transactions but 0 infos/],
    ] as const) {
      const nodes = await Promise.all(answers.map((answer) => startNode(answer)));
      expect((await failureOf(connect(nodes).fetchCompleteBlock(5))).message).toMatch(message);
    }
  });

  it("trusts nothing of a node of another network, and still uses the others", async () => {
    const elsewhere: Answer = (question, response) =>
      question.path === "/wallet/getblockbynum"
        ? {
            blockID: `${"0".repeat(16)}${"d".repeat(48)}`,
            block_header: { raw_data: { parentHash: "9".repeat(64) } },
          }
        : answerHonestly(question, response);
    const nodes = [await startNode(elsewhere), await startNode()];
    const reported: NodeError[] = [];
    const client = connect(nodes, { genesisId, onFailure: (error) => reported.push(error) });
    await expect(client.getHeadBlock()).resolves.toMatchObject({ number: 100 });
    await expect(client.fetchCompleteBlock(5)).resolves.toMatchObject({ header: { number: 5 } });
    expect(reported[0]).toBeInstanceOf(WrongChainError);
    expect([...new Set(nodes[0]?.requests.map(({ path }) => path))]).toEqual(["/wallet/getblockbynum"]);
  });

  it("reports WrongChainError if all nodes are of another network", async () => {
    const nodes = [await startNode(), await startNode()];
    const client = connect(nodes, { genesisId: "0".repeat(16) + "d".repeat(48) });
    const failure = await failureOf(client.fetchCompleteBlock(5));
    expect(failure).toBeInstanceOf(WrongChainError);
    expect(failure.retryable).toBe(false);
  });

  it("calls the next node if the caller refuses the first one's answer", async () => {
    const nodes = [await startNode(), await startNode()];
    const reported: string[] = [];
    const client = connect(nodes, { now: () => 0, onFailure: ({ message }) => reported.push(message) });
    const answer = await client.query(async (node) => {
      await node.getSolidBlock();
      if (node.label === client.nodes[1]?.label) return "believed";
      throw new NodeError("refused", { fault: "behind", node: node.label });
    });
    expect(answer).toBe("believed");
    expect(reported).toEqual([`${client.nodes[0]?.label}: refused`]);
    await client.getBlock(5);
    expect(nodes.map(({ requests }) => requests.length)).toEqual([1, 2]);
  });

  it("lets another node lead for half a minute after demoteLead", async () => {
    let now = 0;
    const nodes = [await startNode(), await startNode()];
    const client = connect(nodes, { now: () => now });
    client.demoteLead();
    for (const [atMs, requests] of [
      [29_999, [0, 1]],
      [30_000, [1, 1]],
    ] as const) {
      now = atMs;
      await client.getBlock(5);
      expect(nodes.map((node) => node.requests.length)).toEqual(requests);
    }
  });

  it.each([
    ["answers", (response: ServerResponse) => void response.end("{}")],
    ["fails", (response: ServerResponse) => void response.writeHead(503).end()],
  ])("keeps a demotion that came during a call, when the call %s", async (_how, end) => {
    let now = 0;
    const nodes = [await startNode(), await startNode()];
    const client = connect(nodes, { now: () => now });
    const [slow, quick] = client.nodes;
    const requests = (): Promise<string> => client.query(async ({ label }) => label);
    let begun: (response: ServerResponse) => void = () => {};
    const pending = new Promise<ServerResponse>((resolve) => {
      begun = resolve;
    });
    if (nodes[0] !== undefined) nodes[0].answer = (_question, response) => begun(response);
    const late = client.query((node) => node.getSolidBalance(hexToAddress(payee), undefined));
    const response = await pending;
    client.demoteLead();
    end(response);
    await late.catch(() => {});
    now = 29_999;
    expect(await requests()).toBe(quick?.label);
    now = 30_000;
    expect(await requests()).toBe(slow?.label);
  });

  it("offers each node separately", async () => {
    const nodes = [await startNode(), await startNode()];
    const client = connect(nodes, { genesisId });
    expect(client.nodes.map((node) => node.label)).toEqual(nodes.map(({ url }) => new URL(url).host));
    await client.nodes[1]?.getSolidBlock();
    expect(nodes.map(({ requests }) => requests.length)).toEqual([0, 2]);
  });

  it("needs a URL, and every URL to be http or https", () => {
    for (const nodes of [[], [{ url: "ftp://127.0.0.1" }], [{ url: "not a url" }], [{ url: "" }]]) {
      expect(() => createTronClient({ nodes })).toThrow(TypeError);
    }
  });

  it("fails running calls when it is closed", async () => {
    const client = connect([await startNode(() => undefined)]);
    const call = failureOf(client.getHeadBlock());
    await new Promise((resolve) => setTimeout(resolve, 50));
    await client.close();
    expect(await call).toMatchObject({ fault: "unreachable" });
  });
});
