import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import { publicNetworks } from "@daric/chain/nodes/networks";
import type { Logger } from "@daric/runtime/logger";
import { blockAnswer } from "@daric/testing/block-answer";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { alarms } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { variableOf } from "../process/config.ts";
import { claimDeployment } from "./claim-deployment.ts";
import { type Chain, connectNetwork } from "./connect-network.ts";
import { readinessChecks } from "./readiness.ts";

/** A java-tron of nile of our own, with separate ports for /wallet and /walletsolidity. */
const node = { url: "", solidStatus: 200, genesisStatus: 200, headTimeMs: 0 };
let monotonicMs: number;
const atEnd: (() => unknown)[] = [];
let context: TestContext & { close(): Promise<void> };
let errors: unknown[];
let warnings: { event?: string }[];

beforeEach(async () => {
  Object.assign(node, { solidStatus: 200, genesisStatus: 200, headTimeMs: Date.now() });
  const server = createServer((request, response) => {
    text(request).then((question) => {
      const isSolid = request.url?.startsWith("/walletsolidity/") ?? false;
      if (isSolid && node.solidStatus !== 200) {
        response.writeHead(node.solidStatus, { "content-type": "text/html" });
        return response.end("<html><body><h2>HTTP ERROR 405</h2></body></html>");
      }
      if (request.url === "/wallet/getblockbynum") response.statusCode = node.genesisStatus;
      return response.end(JSON.stringify(answerTo(request.url ?? "", question)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const created = await createTestContext({ TRON_NETWORK: "nile", TRON_NODE_URLS: node.url });
  await claimDeployment({ ...created, variableOf });
  errors = [];
  warnings = [];
  monotonicMs = 0;
  const log = {
    ...created.log,
    debug() {},
    info() {},
    warn: (line: object) => warnings.push(line),
    error: (line: unknown) => errors.push(line),
  };
  const clock = { now: () => new Date(), monotonicMs: () => monotonicMs };
  context = { ...created, clock, log: log as unknown as Logger };
  atEnd.push(
    () => created.close(),
    () => server.close(),
    () => server.closeAllConnections(),
  );
});
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
});

function answerTo(path: string, question: string): object {
  if (path === "/wallet/getblockbynum") {
    const raw_data = { parentHash: "9".repeat(64) };
    return { blockID: publicNetworks.nile.genesisId, block_header: { raw_data } };
  }
  if (path === "/wallet/triggerconstantcontract") {
    const isBalance = question.includes("balanceOf");
    return { result: { result: true }, constant_result: [(isBalance ? "0" : "6").padStart(64, "0")] };
  }
  if (path === "/wallet/getaccount") return {};
  return blockAnswer({ number: 1_000, timeMs: node.headTimeMs });
}

async function connected(): Promise<Chain> {
  let chain: Chain | undefined;
  const connection = await connectNetwork(context, {
    onVerified: (verified) => {
      chain = verified;
    },
    onRefused: (error) => {
      throw error;
    },
  });
  atEnd.push(() => connection.close());
  for (let waited = 0; chain === undefined && waited < 5_000; waited += 20) await sleep(20);
  if (chain === undefined) throw new Error("the network was not verified");
  return chain;
}

it("a node without solid blocks starts, is ready, and is named with the setting", async () => {
  node.solidStatus = 405;
  const chain = await connected();
  expect(errors).toMatchObject([{ reason: expect.stringMatching(/TRON_SOLIDITY_URLS .*8091/) }]);
  const checks = readinessChecks(context, { chain: () => chain, isScannerFailing: () => false });
  const nodeCheck = () => checks.find(({ name }) => name === "node")?.check();
  expect(await nodeCheck()).toEqual({
    ok: true,
    detail: expect.stringMatching(/^head block 1000; .*TRON_SOLIDITY_URLS.*only a balance proves.*wait$/),
  });
  node.solidStatus = 200;
  monotonicMs += 9_000;
  expect(await nodeCheck()).toEqual({ ok: true, detail: "head block 1000" });
});

it("a node with an unreachable port for solid blocks starts, and is named", async () => {
  node.solidStatus = 503;
  await connected();
  expect(errors).toMatchObject([{ reason: expect.stringMatching(/answered HTTP 503/) }]);
});

it("a failed node is named in readiness for a minute, even if another one answers", async () => {
  const chain = await connected();
  const away = new NodeError("did not answer in time", { fault: "timeout", node: "b.example" });
  await chain.client.query(() => Promise.reject(away)).catch(() => {});
  const checks = readinessChecks(context, { chain: () => chain, isScannerFailing: () => false });
  const nodeCheck = () => checks.find(({ name }) => name === "node")?.check();
  expect(await nodeCheck()).toEqual({
    ok: true,
    detail: "head block 1000; failed within the last minute: b.example: did not answer in time",
  });
  monotonicMs += 60_000;
  expect(await nodeCheck()).toEqual({ ok: true, detail: "head block 1000" });
});

it("without a usable node the reason of each is known, and logged once for any number of attempts", async () => {
  const { nodeUrls } = context.config.chain;
  const urls = [...nodeUrls, "http://127.0.0.1:1"];
  node.genesisStatus = 503;
  const connection = await connectNetwork(
    { ...context, config: { ...context.config, chain: { ...context.config.chain, nodeUrls: urls } } },
    { onVerified: () => {}, onRefused: () => {} },
  );
  atEnd.push(() => connection.close());
  expect(connection.fault()).toMatch(
    /^127\.0\.0\.1:\d+: answered HTTP 503; 127\.0\.0\.1:1: cannot be reached \(ECONNREFUSED\): no node can be used$/,
  );
  const away = () => warnings.filter(({ event }) => event === "node_unreachable");
  await expect.poll(away, { timeout: 10_000 }).toHaveLength(2);
  node.genesisStatus = 200;
  await expect.poll(() => connection.fault(), { timeout: 10_000 }).toBeUndefined();
  expect(warnings.filter(({ event }) => event === "network_unverified")).toHaveLength(1);
});

it("a block from the future is logged as an error with an alarm once a minute, and counted", async () => {
  const { client } = await connected();
  node.headTimeMs = Date.now() + 300_000;
  const reported = { event: "ahead_of_clock", detail: expect.stringMatching(/this machine's clock/) };
  for (const [atMs, expected] of [
    [0, [reported]],
    [59_999, [reported]],
    [60_000, [reported, reported]],
  ] as const) {
    monotonicMs = atMs;
    await expect(client.fetchCompleteBlock(1_000)).rejects.toMatchObject({ fault: "ahead_of_clock" });
    expect(errors).toMatchObject(expected);
  }
  const { values } = await context.metrics.nodeFailures.get();
  expect(values).toMatchObject([{ labels: { reason: "ahead_of_clock" }, value: 3 }]);
  expect(await alarms(context)).toEqual({ ahead_of_clock: 2 });
});

it("a block a little ahead of our clock is accepted", async () => {
  const { client } = await connected();
  node.headTimeMs = Date.now() + 50_000;
  await expect(client.fetchCompleteBlock(1_000)).resolves.toBeDefined();
  expect(errors).toEqual([]);
});
