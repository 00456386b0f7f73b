import { captureDaric } from "@daric/testing/daric";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, type NodeCall, startFaultyNode } from "@daric/testing/faulty-node";
import type { RawAnswer } from "@daric/testing/node-faults";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";

/** Long enough ago that no block is in the future. */
const BEGAN_MS = 20_000;

let chain: TestDevchain;
let node: FaultyNode;

beforeAll(async () => {
  const startMs = Date.now() - BEGAN_MS;
  chain = await aDevchain({ now: () => startMs });
  node = await startFaultyNode(chain.url);
  await chain.control("faucet", { address: chain.payer.address, usdt: "1" });
  await chain.mine(5);
});
afterAll(async () => {
  await node.stop();
  await chain.stop();
});
beforeEach(() => node.heal());

const check = (...options: string[]) =>
  captureDaric(["network", "check", ...options], {
    TRON_NETWORK: "private",
    TRON_GENESIS_ID: chain.genesisId,
    USDT_CONTRACT: chain.usdtContract,
    TRON_NODE_URLS: node.url,
    TRON_API_KEY: "key-of-the-gateway",
  });

/** The findings of the command, by need. */
async function findings(): Promise<
  Record<string, { verdict: string; detail: string; advice: string | null }>
> {
  const { out } = await check("--json");
  const views = JSON.parse(out) as {
    need: string;
    verdict: string;
    detail: string;
    advice: string | null;
  }[];
  return Object.fromEntries(views.map((view) => [view.need, view]));
}

it("a complete node passes with 0, and no line has the API key", async () => {
  const { code, out, err } = await check();
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n")[0]).toMatch(/^NODE +NEED +VERDICT +DETAIL +ADVICE$/);
  expect(out).toMatch(/ head +ok +block 25, \d+ s old/);
  expect(out).not.toMatch(/missing|key-of-the-gateway/);
});

it("a young chain with few calls leaves open whether internal transactions are saved", async () => {
  const found = await findings();
  expect(found["internal transactions"]).toMatchObject({
    verdict: "unknown",
    advice: expect.stringContaining("vm.saveInternalTx"),
  });
  expect(found["old blocks"]).toMatchObject({ verdict: "ok", detail: "all of them", advice: null });
  expect(found["solid blocks"]).toMatchObject({ verdict: "ok", detail: "block 7, 18 behind the head" });
});

const page: RawAnswer = { status: 405, body: "<html>" };
const notServed = (path: string) => (call: NodeCall) => (call.path === path ? page : undefined);
const answering = (path: string, body: unknown) => (call: NodeCall) =>
  call.path === path ? { body: JSON.stringify(body) } : undefined;

it.each<[string, string, (call: NodeCall) => RawAnswer | undefined, RegExp]>([
  ["network", "is of another network", answering("/wallet/getblockbynum", {}), /block 0/],
  ["USDT", "has no such contract", answering("/wallet/triggerconstantcontract", { result: {} }), /refused/],
  ["solid blocks", "serves them elsewhere", notServed("/walletsolidity/getblock"), /TRON_SOLIDITY_URLS/],
  [
    "infos of contract calls",
    "keeps no infos",
    answering("/wallet/gettransactioninfobyblocknum", []),
    /but 0 infos/,
  ],
  ["solid accounts", "does not show them", answering("/walletsolidity/getaccount", {}), /no account there/],
  [
    "solid balances",
    "does not call contracts there",
    notServed("/walletsolidity/triggerconstantcontract"),
    /HTTP 405/,
  ],
  [
    "old blocks",
    "is pruned",
    (call) => (call.question.id_or_num === "1" ? { body: "{}" } : undefined),
    /not an hour: .* block 1: the node does not have it/,
  ],
])(
  "%s: a node that %s lacks it, with 1 and its host in the last line",
  async (need, _lack, fault, detail) => {
    node.fail(fault);
    expect(await findings()).toMatchObject({
      [need]: { verdict: "missing", detail: expect.stringMatching(detail), advice: expect.any(String) },
    });
    const { code, err } = await check();
    expect(code).toBe(1);
    expect(err).toContain(`${need} at ${new URL(node.url).host}`);
  },
);

it("an unreachable node is one finding, which names the checks that could not run", async () => {
  const { code, out, err } = await captureDaric(["network", "check", "--json"], {
    TRON_NETWORK: "private",
    TRON_GENESIS_ID: chain.genesisId,
    USDT_CONTRACT: chain.usdtContract,
    TRON_NODE_URLS: "http://127.0.0.1:1",
  });
  const found = JSON.parse(out) as { need: string; verdict: string; detail: string; advice: string }[];
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ need: "network", verdict: "missing" });
  expect(found[0]?.detail).toMatch(
    /^127\.0\.0\.1:1: cannot be reached \(ECONNREFUSED\); not checked because of it: USDT, head, .*, speed$/,
  );
  expect(found[0]?.advice).toMatch(/^start the node, or correct TRON_NODE_URLS/);
  expect([code, err.match(/missing/g)?.length]).toEqual([1, 1]);
});

it("a wrong host for solid blocks is one finding, and its advice names the setting of that host", async () => {
  const other = await startFaultyNode(chain.url);
  try {
    other.fail(() => page);
    const { out } = await captureDaric(["network", "check", "--json"], {
      TRON_NETWORK: "private",
      TRON_GENESIS_ID: chain.genesisId,
      USDT_CONTRACT: chain.usdtContract,
      TRON_NODE_URLS: node.url,
      TRON_SOLIDITY_URLS: other.url,
    });
    const found = JSON.parse(out) as { need: string; verdict: string; detail: string; advice: string }[];
    const lacking = found.filter(({ verdict }) => verdict === "missing");
    expect(lacking.map(({ need }) => need)).toEqual(["solid blocks"]);
    expect(lacking[0]?.detail).toMatch(
      /does not serve .*; not checked because of it: solid accounts, solid balances$/,
    );
    expect(lacking[0]?.advice).toContain("TRON_SOLIDITY_URLS");
  } finally {
    await other.stop();
  }
});

it("a token that is in no solid block yet is no fault of the node, and the exit code is 0", async () => {
  const address = { contract: "", account: {} };
  node.fail(({ path, question }) => {
    if (path !== "/walletsolidity/getaccount") return undefined;
    address.contract ||= String(question.address);
    return question.address === address.contract ? { body: JSON.stringify(address.account) } : undefined;
  });
  expect(await findings()).toMatchObject({
    "solid accounts": { verdict: "ok" },
    "solid balances": { verdict: "unknown", advice: "check again in a minute or two" },
  });
  expect((await check()).code).toBe(0);
});

it("an answer of any length is a short detail", async () => {
  node.fail(({ path }) =>
    path === "/walletsolidity/triggerconstantcontract" ? { status: 405, body: "<".repeat(5_000) } : undefined,
  );
  expect((await findings())["solid balances"]?.detail.length).toBeLessThanOrEqual(161);
});

it("a stopped chain and a slow clock are distinguished", async () => {
  const [old, future] = [await aDevchain({ now: () => 1_700_000_000_000 }), await aDevchain()];
  try {
    for (const [reported, need] of [
      [old, "head"],
      [future, "clock"],
    ] as const) {
      await reported.mine(60);
      const { body } = await reported.post("/wallet/getblock", {});
      node.fail(({ path, question }) =>
        path === "/wallet/getblock" && question.id_or_num === undefined
          ? { body: JSON.stringify(body) }
          : undefined,
      );
      const found = await findings();
      expect([found.head?.verdict, found.clock?.verdict]).toEqual(
        need === "head" ? ["missing", "ok"] : ["ok", "missing"],
      );
    }
  } finally {
    await Promise.all([old.stop(), future.stop()]);
  }
});

it("a private chain without its genesis is refused before any request", async () => {
  node.calls.length = 0;
  const { code, err } = await captureDaric(["network", "check"], {
    TRON_NETWORK: "private",
    TRON_NODE_URLS: node.url,
  });
  expect(err).toContain("TRON_GENESIS_ID is required");
  expect([code, node.calls]).toEqual([1, []]);
});
