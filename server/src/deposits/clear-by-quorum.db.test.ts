import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { alarms, aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NodeError } from "../chain/node-error.ts";
import type { Charge } from "../charges/charge.ts";
import { readConfig } from "../config.ts";
import { examineBooks } from "../doctor/examine.ts";
import type { MerchantId } from "../domain/ids.ts";
import { setComparing } from "./compare-store.ts";
import { listDeposits } from "./list-store.ts";
import type { Scanner } from "./scanner.ts";

const TEN_MINUTES = 205;
let context: TestContext & { close(): Promise<void> };
let merchantId: MerchantId;
let chain: ForkChain;
let runs: ForkRuns;
let receive: Charge;
let scanner: Scanner | undefined;

const urls = (count: number) =>
  Array.from({ length: count }, (_, index) => `http://127.0.0.1:${index + 1}`).join(",");

beforeEach(async () => {
  context = await createTestContext({ TRON_NODE_URLS: urls(3), TRON_QUORUM: "2" });
  merchantId = (await aMerchant(context.db)).id;
  ({ chain, runs } = startForkRuns());
  receive = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  await scan(runs.reader);
});
afterEach(async () => {
  scanner = undefined;
  await context.close();
});

/** What one process remembers goes from scan to scan, but not which nodes rest. */
async function scan(...readers: readonly RunReader[]) {
  scanner = { ...(await aScanner(context, nodeGroup(...readers))), memory: scanner?.memory ?? {} };
  scanner.memory.cursor = undefined;
  scanner.memory.clearing?.restsUntilMs.clear();
  await scanToRest(context, scanner);
}

async function deposits() {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 100, offset: 0 });
  return rows.toSorted((a, b) => a.blockNumber - b.blockNumber);
}
const statuses = async () => (await deposits()).map(({ status }) => status);
const pay = (units: bigint) => runs.run({ to: receive.address, units });
const head = async () => (await chain.reader.getHeadBlock()).number;

async function coveredPayment() {
  const order = await aCharge(context.db, { merchantId, currency: "TRX", amount: "5" });
  chain.pay(order.address, 5_000_000n);
}

/** What is asked of nobody but for the quorum. */
type Asked = RunReader & { readonly getHeader?: (number: number) => Promise<never> };

/** Of our blocks it says what an honest node says, and to a quorum nothing. */
function away(): Asked {
  const refuse = () => Promise.reject(new NodeError("is away", { fault: "timeout", node: "node" }));
  return { ...runs.reader, getHeader: refuse, fetchCompleteBlock: refuse };
}

/** Has other blocks of the same heights. */
function elsewhere(): RunReader {
  return {
    ...runs.reader,
    getBlock: async (number) => {
      const block = await runs.reader.getBlock(number);
      return block && { ...block, header: { ...block.header, id: "f".repeat(64) } };
    },
  };
}

const short = () => scanner?.memory.clearing?.short ?? [];

describe("with a quorum of two", () => {
  it("a deposit is confirmed as fast as without one, where two nodes have its block", async () => {
    await coveredPayment();
    chain.mine(19);
    await scan(runs.reader, runs.reader, elsewhere());
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED", finalConfirmations: 19 }]);
    expect(short()).toEqual(["node 3 has another block than ours where ours is solid"]);
    const { values } = await context.metrics.quorumShort.get();
    expect(values.map(({ labels, value }) => [labels.node, value])).toEqual([
      ["node 1", 0],
      ["node 2", 0],
      ["node 3", 1],
    ]);
  });

  it("one that only the node has which it was read from waits, is STUCK for want of the quorum, and leaves it", async () => {
    await coveredPayment();
    pay(3_000_000n);
    chain.mine(30);
    await scan(runs.reader, elsewhere(), elsewhere());
    expect(await statuses()).toEqual(["CONFIRMING", "CONFIRMING"]);
    chain.mine(TEN_MINUTES);
    await scan(runs.reader, elsewhere(), elsewhere());
    expect(await deposits()).toMatchObject([
      { status: "STUCK", stuckReason: "quorum" },
      { status: "STUCK", stuckReason: "quorum" },
    ]);
    chain.mine(20);
    await scan(runs.reader, elsewhere(), runs.reader);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
  });

  it("nodes that are away only make it wait, and by no means is one enough then", async () => {
    await coveredPayment();
    chain.mine(TEN_MINUTES);
    await scan(runs.reader, away(), away());
    expect(await statuses()).toEqual(["CONFIRMING"]);
    expect(short()).toEqual(["node 2 does not answer", "node 3 does not answer"]);
    chain.mine(1);
    await scan(runs.reader, runs.reader, away());
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("a node that lags confirms what it has", async () => {
    await coveredPayment();
    chain.mine(25);
    const last = await head();
    const behind = {
      ...runs.reader,
      getBlock: async (number: number) => (number > last - 20 ? undefined : runs.reader.getBlock(number)),
    };
    await scan(runs.reader, behind, elsewhere());
    expect(await statuses()).toEqual(["CONFIRMED"]);
    await coveredPayment();
    chain.mine(19);
    await scan(runs.reader, behind, elsewhere());
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMING"]);
    expect(short()[0]).toBe("node 2 does not have our solid block yet");
  });

  it("an uncovered deposit is confirmed where two nodes show it, whatever lies on the address", async () => {
    pay(3_000_000n);
    chain.mine(19);
    const empty = { ...runs.reader, getSolidBalance: async () => 0n };
    await scan(empty, empty, elsewhere());
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED", finalConfirmations: 19 }]);
  });

  it("one that a single node has made up fails, and holds up no other of its block", async () => {
    pay(3_000_000n);
    chain.mine(1);
    const liar = runs.inventing(await head(), { to: receive.address, units: 9_000_000n });
    await scan(liar, runs.reader, runs.reader);
    chain.mine(TEN_MINUTES);
    await scan(liar, runs.reader, runs.reader);
    const found = (await deposits()).map(({ amount, status, failureReason }) => [
      amount,
      status,
      failureReason,
    ]);
    expect(found.toSorted()).toEqual([
      [3_000_000n, "CONFIRMED", null],
      [9_000_000n, "FAILED", "failed_on_chain"],
    ]);
  });
});

describe("what the node hides or bends that a block is read from", () => {
  const facts = async () =>
    (await deposits()).map(({ amount, eventIndex, status, stuckReason, failureReason }) =>
      [amount, eventIndex, status, stuckReason ?? failureReason].join(" "),
    );
  /** Reads a block from this liar first, whom two honest nodes stand beside, until it is final. */
  async function read(bend: Parameters<ForkRuns["bending"]>[1]) {
    chain.mine(1);
    const liar = runs.bending(await head(), bend);
    await scan(liar, runs.reader, runs.reader);
    const first = await facts();
    chain.mine(19);
    await scan(liar, runs.reader, runs.reader);
    return [first, await facts()];
  }
  afterEach(async () => {
    const broken = (await examineBooks(context.db, "devnet")).filter(({ breakages }) => breakages.length > 0);
    expect(broken).toEqual([]);
  });
  const alarm = async () => (await alarms(context)).hidden_transfer ?? 0;

  it("is found when its block is final, and confirmed at once", async () => {
    pay(3_000_000n);
    expect(await read(() => [])).toEqual([[], ["3000000 0 CONFIRMED "]]);
    expect(await alarm()).toBe(1);
  });

  it("at another place among the logs is confirmed at its own, and not at that one", async () => {
    pay(3_000_000n);
    const [first, last] = await read((moves) => [{ units: 1n }, ...moves]);
    expect(first).toEqual(["3000000 1 DETECTED "]);
    expect(last?.toSorted()).toEqual(["3000000 0 CONFIRMED ", "3000000 1 FAILED failed_on_chain"]);
  });

  it("as another amount is read again, and confirmed as what a quorum shows", async () => {
    pay(3_000_000n);
    const [first, last] = await read((moves) => moves.map((move) => ({ ...move, units: 9_000_000n })));
    expect(first).toEqual(["9000000 0 DETECTED "]);
    expect(last).toEqual(["3000000 0 CONFIRMED "]);
    expect(await alarm()).toBe(1);
  });

  it("as a payment to another charge fails there, and is confirmed where it is", async () => {
    const other = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
    pay(3_000_000n);
    const [first] = await read((moves) => moves.map((move) => ({ ...move, to: other.address })));
    expect(first).toEqual(["3000000 0 DETECTED "]);
    await scan(runs.reader, runs.reader, runs.reader);
    const found = (await deposits()).map(({ address, status, failureReason }) => [
      address === receive.address,
      status,
      failureReason,
    ]);
    expect(found).toContainEqual([true, "CONFIRMED", null]);
    expect(found).toContainEqual([false, "FAILED", "failed_on_chain"]);
  });

  it("is also found where the liar is one of those that are asked, and one honest node is away for a while", async () => {
    pay(3_000_000n);
    chain.mine(1);
    const liar = runs.bending(await head(), (moves) => moves.map((move) => ({ ...move, units: 9_000_000n })));
    chain.mine(19);
    await scan(liar, runs.reader, away());
    expect(await facts()).toEqual(["9000000 0 CONFIRMING "]);
    chain.mine(1);
    await scan(liar, runs.reader, runs.reader);
    expect(await facts()).toEqual(["3000000 0 CONFIRMED "]);
  });

  it("is found however long no quorum answered, also where blocks became final meanwhile", async () => {
    await setComparing(context.db, { network: "devnet", isComparing: false });
    scanner = undefined;
    pay(3_000_000n);
    chain.mine(1);
    const liar = runs.bending(await head(), () => []);
    chain.mine(TEN_MINUTES);
    await scan(liar, away(), away());
    expect(await facts()).toEqual([]);
    chain.mine(1);
    await scan(liar, runs.reader, runs.reader);
    expect(await facts()).toEqual(["3000000 0 CONFIRMED "]);
  });

  it("is found from then on where a watcher without a quorum was between", async () => {
    await setComparing(context.db, { network: "devnet", isComparing: false });
    chain.mine(1);
    await scan(runs.reader, runs.reader, runs.reader);
    pay(3_000_000n);
    expect(await read(() => [])).toEqual([[], ["3000000 0 CONFIRMED "]]);
  });

  it("costs no call where nothing happened, and on an honest chain asks as many nodes as the quorum, once a block", async () => {
    const asked: number[] = [];
    const counting = (place: number): RunReader => ({
      ...runs.reader,
      fetchCompleteBlock: (number, parent, latestMs) => {
        asked.push(place);
        return runs.reader.fetchCompleteBlock(number, parent, latestMs);
      },
    });
    const nodes = [counting(1), counting(2), counting(3)];
    chain.mine(40);
    await scan(...nodes);
    expect(asked).toEqual(Array(40).fill(1));
    runs.run({ units: 5n });
    chain.mine(1);
    await scan(...nodes);
    asked.length = 0;
    chain.mine(30);
    await scan(...nodes);
    expect(asked.toSorted()).toEqual([...Array(31).fill(1), 2]);
  });
});

it("a quorum of more nodes than there are is a fault of the configuration, and the same URL twice is one node", () => {
  const env = (TRON_NODE_URLS: string, TRON_QUORUM: string) => ({
    DATABASE_URL: "postgres://nowhere",
    DARIC_INTEGRITY_KEY: "11".repeat(32),
    TRON_NODE_URLS,
    TRON_QUORUM,
  });
  expect(readConfig(env(urls(2), "2"), ["watcher"]).deposits.quorum).toBe(2);
  expect(() => readConfig(env(urls(2), "3"), ["watcher"])).toThrow("TRON_QUORUM is 3, but there are only 2");
  expect(() => readConfig(env(`${urls(1)},${urls(1)}`, "2"), ["watcher"])).toThrow("only 1 different");
});
