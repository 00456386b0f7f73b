import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { readRangeAgain } from "@daric/testing/rescans";
import { aScanner, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { IncompleteBlockError, NodeError } from "../chain/node-error.ts";
import type { Charge } from "../charges/charge.ts";
import type { MerchantId } from "../domain/ids.ts";
import { listDeposits } from "./list-store.ts";
import type { Scanner } from "./scanner.ts";

const TEN_MINUTES = 205;
let context: TestContext & { close(): Promise<void> };
let merchantId: MerchantId;
let chain: ForkChain;
let runs: ForkRuns;
let receive: Charge;
let memory: Scanner["memory"];

async function begin(settings?: Record<string, string>) {
  context = await createTestContext(settings);
  merchantId = (await aMerchant(context.db)).id;
  receive = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  memory = {};
  await scan(runs.reader);
}
beforeEach(() => {
  ({ chain, runs } = startForkRuns());
});
afterEach(() => context.close());

/** What one process remembers goes from scan to scan, but not which nodes rest. */
async function scan(...readers: readonly RunReader[]) {
  const scanner = { ...(await aScanner(context, nodeGroup(...readers))), memory };
  memory.cursor = undefined;
  memory.clearing?.restsUntilMs.clear();
  await scanToRest(context, scanner);
  return scanner;
}

const QUORUM = {
  TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3",
  TRON_QUORUM: "2",
};
const head = async () => (await chain.reader.getHeadBlock()).number;

async function statuses() {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 100, offset: 0 });
  return rows.toSorted((a, b) => a.blockNumber - b.blockNumber).map(({ status }) => status);
}

/** A node that tells one block in its own way, and how often it and the balances were asked for. */
function tellingOtherwise(at: number, tell: RunReader["fetchCompleteBlock"]) {
  const asked = { block: 0, balance: 0 };
  const reader: RunReader = {
    ...runs.reader,
    fetchCompleteBlock: async (number, ...of) => {
      if (number !== at) return runs.reader.fetchCompleteBlock(number, ...of);
      asked.block += 1;
      return tell(number, ...of);
    },
    getSolidBalance: (...of) => {
      asked.balance += 1;
      return runs.reader.getSolidBalance(...of);
    },
  };
  return { reader, asked };
}

const missing: RunReader["fetchCompleteBlock"] = (number) =>
  Promise.reject(new IncompleteBlockError("node", number));

/** Another block of that height. */
const other: RunReader["fetchCompleteBlock"] = async (...of) => {
  const block = await runs.reader.fetchCompleteBlock(...of);
  return { ...block, header: { ...block.header, id: "e".repeat(64) } };
};

/** A real payment, and behind it one that was made up in a block which no node tells: neither can be told from the other. */
async function stuckBesideAnUntold() {
  await begin();
  runs.run({ to: receive.address, units: 5_000_000n });
  chain.mine(1);
  runs.run({ units: 1n });
  chain.mine(1);
  const untold = await head();
  await scan(runs.inventing(untold, { to: receive.address, units: 7_000_000n }));
  chain.mine(TEN_MINUTES);
  const node = tellingOtherwise(untold, missing);
  await scan(node.reader);
  chain.mine(1);
  await scan(node.reader);
  expect(await statuses()).toEqual(["STUCK", "STUCK"]);
  return { untold, ...node };
}

it("a STUCK deposit whose block no node tells is asked about once a minute of blocks, and found within one once it is told", async () => {
  const { reader, asked } = await stuckBesideAnUntold();
  Object.assign(asked, { block: 0, balance: 0 });
  for (let block = 0; block < 60; block += 1) {
    chain.mine(1);
    await scan(reader);
  }
  expect(asked.block).toBeLessThanOrEqual(3);
  expect(asked.balance).toBeLessThanOrEqual(6);
  let waited = 0;
  while ((await statuses())[0] === "STUCK" && waited < 25) {
    chain.mine(1);
    waited += 1;
    await scan(runs.reader);
  }
  expect(waited).toBeLessThanOrEqual(20);
  expect(await statuses()).toEqual(["CONFIRMED", "STUCK"]);
});

it("what was made up is FAILED where an operator has its block read again, and the payment is found within a minute of blocks", async () => {
  const { untold, reader } = await stuckBesideAnUntold();
  chain.mine(20);
  await scan(reader);
  const scanner = await scan(reader);
  await readRangeAgain(context, { ...scanner, client: nodeGroup(runs.reader) }, { from: untold, to: untold });
  chain.mine(20);
  await scan(runs.reader);
  expect(await statuses()).toEqual(["CONFIRMED", "FAILED"]);
});

it("a block that the first node tells otherwise is asked of the next one", async () => {
  const { untold } = await stuckBesideAnUntold();
  chain.mine(20);
  await scan(tellingOtherwise(untold, other).reader, runs.reader);
  expect(await statuses()).toEqual(["CONFIRMED", "STUCK"]);
});

it("a node of a quorum that names our solid block and tells another below it is asked once a look, named once, and holds up nobody", async () => {
  await begin({
    TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3",
    TRON_QUORUM: "2",
  });
  const { context: heard, lines } = listening(context);
  context = heard;
  runs.run({ to: receive.address, units: 3_000_000n });
  chain.mine(1);
  const paid = await head();
  chain.mine(19);
  const bent = tellingOtherwise(paid, other);
  const refuse = () => Promise.reject(new NodeError("is away", { fault: "timeout", node: "node" }));
  const away = { ...runs.reader, getHeader: refuse, fetchCompleteBlock: refuse };
  await scan(runs.reader, bent.reader, away);
  expect(await statuses()).toEqual(["CONFIRMING"]);
  expect(memory.clearing?.short).toEqual([
    "node 2 names our solid block, and tells another block than ours below it",
    "node 3 does not answer",
  ]);
  expect(memory.settledAt).toBe((await chain.reader.getHeadBlock()).id);
  const askedByThen = bent.asked.block;
  for (let look = 0; look < 5; look += 1) await scan(runs.reader, bent.reader, away);
  expect(bent.asked.block).toBe(askedByThen);

  chain.mine(1);
  await scan(runs.reader, bent.reader, runs.reader);
  expect(await statuses()).toEqual(["CONFIRMED"]);
  const { values } = await context.metrics.quorumShort.get();
  expect(values.map(({ labels, value }) => [labels.node, value])).toEqual([
    ["node 1", 0],
    ["node 2", 1],
    ["node 3", 0],
  ]);
  const said = lines.filter(
    ({ msg }) => msg === "a node names our solid block and tells another block below it",
  );
  expect(said).toMatchObject([{ node: "node 2" }]);
});

it("where the others differ about a payment a node that tells another block is waited for ten minutes of blocks, and nothing waits longer", async () => {
  await begin(QUORUM);
  runs.run({ to: receive.address, units: 3_000_000n });
  chain.mine(1);
  const differing = await head();
  const order = await aCharge(context.db, { merchantId, currency: "TRX", amount: "5" });
  chain.pay(order.address, 5_000_000n);
  const hiding = runs.bending(differing, () => []);
  const nodes = [hiding, runs.reader, tellingOtherwise(differing, other).reader];
  chain.mine(100);
  await scan(...nodes);
  expect(await statuses()).toEqual(["CONFIRMING"]);
  chain.mine(120);
  await scan(...nodes);
  expect(await statuses()).toEqual(["CONFIRMING", "CONFIRMED"]);
});
