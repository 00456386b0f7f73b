import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IncompleteBlockError, NodeError } from "../chain/node-error.ts";
import type { Charge } from "../charges/charge.ts";
import type { MerchantId } from "../domain/ids.ts";
import { findCursor } from "./block-store.ts";
import { listDeposits } from "./list-store.ts";
import type { Scanner } from "./scanner.ts";

const TEN_MINUTES = 205;
let context: TestContext & { close(): Promise<void> };
let merchantId: MerchantId;
let chain: ForkChain;
let runs: ForkRuns;
let receive: Charge;

beforeEach(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  ({ chain, runs } = startForkRuns());
  receive = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  await scan();
});
afterEach(() => context.close());

/** What one process remembers goes from scan to scan. */
let scanner: Scanner | undefined;
async function scan(reader: RunReader = runs.reader) {
  scanner = { ...(await aScanner(context, nodeGroup(reader))), memory: scanner?.memory ?? {} };
  scanner.memory.cursor = undefined;
  await scanToRest(context, scanner);
}
afterEach(() => {
  scanner = undefined;
});

const pay = (units: bigint) => runs.run({ to: receive.address, units });
const head = async () => (await chain.reader.getHeadBlock()).number;

async function deposits() {
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 100, offset: 0 });
  return rows.toSorted((a, b) => a.blockNumber - b.blockNumber);
}

const statuses = async () => (await deposits()).map(({ status }) => status);

/** A node, and how often its balances were asked for. */
function counting(reader: RunReader): { reader: RunReader; asked: () => number } {
  let times = 0;
  const getSolidBalance: RunReader["getSolidBalance"] = (...of) => {
    times += 1;
    return reader.getSolidBalance(...of);
  };
  return { reader: { ...reader, getSolidBalance }, asked: () => times };
}

describe("a deposit that no root covers", () => {
  it("is confirmed with the block that makes it final, once its address is seen to hold it", async () => {
    pay(5_000_000n);
    chain.mine(18);
    const { reader, asked } = counting(runs.reader);
    await scan(reader);
    expect([await statuses(), asked()]).toEqual([["CONFIRMING"], 0]);
    chain.mine(1);
    await scan(reader);
    expect(await deposits()).toMatchObject([
      { status: "CONFIRMED", finalConfirmations: 19, isCovered: false },
    ]);
    expect(asked()).toBe(1);
  });

  it("is confirmed beside a node that leads and never says what lies on the address", async () => {
    pay(5_000_000n);
    chain.mine(20);
    const silent = { ...runs.reader, getSolidBalance: () => new Promise<never>(() => {}) };
    scanner = await aScanner(context, nodeGroup(silent, runs.reader));
    await scanToRest(context, scanner);
    chain.mine(1);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("is asked about once per solid block, however many deposits wait on its address", async () => {
    for (let payment = 0; payment < 5; payment += 1) pay(1_000_000n);
    chain.mine(19);
    const { reader, asked } = counting({ ...runs.reader, getSolidBalance: async () => 0n });
    await scan(reader);
    await scan(reader);
    expect(asked()).toBe(1);
  });

  it("and of the others none asks anything", async () => {
    const order = await aCharge(context.db, { merchantId, currency: "TRX", amount: "5" });
    chain.pay(order.address, 5_000_000n);
    chain.mine(30);
    const { reader, asked } = counting(runs.reader);
    await scan(reader);
    expect([await statuses(), asked()]).toEqual([["CONFIRMED"], 0]);
  });
});

describe("a receive address that is emptied by hand", () => {
  /** The height at which each of 20 payments was confirmed, above the height of its block; one a block, 40 scanned. */
  async function depths(between: (payment: number) => void): Promise<number[]> {
    const found = new Map<string, number>();
    for (let step = 0; step < 45; step += 1) {
      if (step < 20) {
        pay(1_000_000n + BigInt(step));
        between(step);
      }
      chain.mine(1);
      await scan();
      for (const { id, status, blockNumber } of await deposits())
        if (status === "CONFIRMED" && !found.has(id)) found.set(id, (await head()) - blockNumber);
    }
    return [...found.values()];
  }
  const sumUpTo = (payment: number) =>
    Array.from({ length: payment }, (_, step) => 1_000_000n + BigInt(step));
  const total = (amounts: bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
  const asFast = Array.from({ length: 20 }, () => 18);

  it.each<[string, (payment: number) => void]>([
    ["by nobody", () => {}],
    [
      "of all it holds",
      (payment) => {
        if (payment === 10) runs.run({ from: receive.address, units: total(sumUpTo(10)) });
      },
    ],
    [
      "of what came in the same block too",
      (payment) => {
        if (payment === 10) runs.run({ from: receive.address, units: total(sumUpTo(11)) });
      },
    ],
    [
      "of a part, twice",
      (payment) => {
        if (payment === 7 || payment === 12) runs.run({ from: receive.address, units: 3_000_000n });
      },
    ],
    [
      "at every payment",
      (payment) => {
        if (payment > 0) runs.run({ from: receive.address, units: 1_000_000n + BigInt(payment - 1) });
      },
    ],
  ])(
    "%s, in the middle of 20 payments, confirms the others as fast as before",
    async (_how, between) => {
      expect(await depths(between)).toEqual(asFast);
    },
    60_000,
  );

  it("in a block above the solid one confirms what came before", async () => {
    pay(9_000_000n);
    chain.mine(10);
    runs.run({ from: receive.address, units: 9_000_000n });
    chain.mine(9);
    await scan();
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("on a branch that was left counts for nothing", async () => {
    pay(4_000_000n);
    chain.mine(2);
    runs.run({ from: receive.address, units: 4_000_000n });
    chain.mine(1);
    await scan();
    chain.fork(2, ["dropped"]);
    chain.mine(25);
    await scan({ ...runs.reader, getSolidBalance: async () => 0n });
    expect(await statuses()).toEqual(["CONFIRMING"]);
    await scan();
    chain.mine(1);
    await scan();
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });
});

describe("a deposit that one node has made up", () => {
  /** Of a block in which a contract runs for somebody else. */
  async function invent(units: bigint) {
    runs.run({ units: 1n });
    chain.mine(1);
    await scan(runs.inventing(await head(), { to: receive.address, units }));
  }

  it("waits, and is STUCK for want of the balance after 10 minutes", async () => {
    await invent(7_000_000n);
    chain.mine(30);
    await scan();
    expect(await statuses()).toEqual(["CONFIRMING"]);
    chain.mine(TEN_MINUTES);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "STUCK", stuckReason: "balance" }]);
  });

  it("says what it waits for now: first for the witnesses to build on it, then for the balance", async () => {
    await invent(7_000_000n);
    chain.leaveTurnsTo(18);
    chain.mine(TEN_MINUTES + 40);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "STUCK", stuckReason: "solidity" }]);
    chain.leaveTurnsTo(27);
    chain.mine(27);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "STUCK", stuckReason: "balance" }]);
    const steps = await context.db.query<{ step: string }>(sql`
      select concat_ws(' ', from_status, event, to_status) as step from deposit_events
      where merchant_id = ${merchantId} order by id`);
    expect(steps.map(({ step }) => step).slice(-2)).toEqual([
      "CONFIRMING stalled STUCK",
      "STUCK stalled STUCK",
    ]);
  });

  it("is not paid for by what comes after it, covered or not, and does not hold that up", async () => {
    await invent(7_000_000n);
    chain.mine(20);
    await scan();
    pay(7_000_000n);
    chain.mine(19);
    await scan();
    expect(await statuses()).toEqual(["CONFIRMING", "CONFIRMED"]);
    chain.mine(TEN_MINUTES);
    await scan();
    pay(8_000_000n);
    chain.mine(19);
    await scan();
    chain.mine(40);
    await scan();
    expect(await statuses()).toEqual(["STUCK", "CONFIRMED", "CONFIRMED"]);
  });

  it("does not hold up for long what came in the same block, once another node is asked", async () => {
    pay(3_000_000n);
    chain.mine(1);
    await scan(runs.inventing(await head(), { to: receive.address, units: 7_000_000n }));
    chain.mine(20);
    await scan();
    chain.mine(1);
    await scan();
    const found = (await deposits()).map(({ amount, status }) => [amount, status]);
    expect(found.toSorted()).toEqual([
      [3_000_000n, "CONFIRMED"],
      [7_000_000n, "CONFIRMING"],
    ]);
  });

  it("does not hold up for ever what came before it, in however many blocks, one of which nobody tells again, and whatever was forgotten", async () => {
    const untold = (await head()) + 1;
    for (let payment = 0; payment < 5; payment += 1) {
      pay(1_000_000n);
      chain.mine(1);
    }
    await invent(7_000_000n);
    chain.mine(TEN_MINUTES);
    await scan({ ...runs.reader, getSolidBalance: async () => 0n });
    expect(await statuses()).toEqual(Array(6).fill("STUCK"));
    scanner = undefined;
    const fetchCompleteBlock: RunReader["fetchCompleteBlock"] = (number, ...of) =>
      number === untold
        ? Promise.reject(new IncompleteBlockError("node", number))
        : runs.reader.fetchCompleteBlock(number, ...of);
    for (let look = 0; look < 3; look += 1) {
      chain.mine(21);
      await scan({ ...runs.reader, fetchCompleteBlock });
    }
    expect(await statuses()).toEqual([...Array(5).fill("CONFIRMED"), "STUCK"]);
  });

  it("is not paid for by what comes in the block that its node calls solid and we do not yet", async () => {
    await invent(7_000_000n);
    chain.mine(17);
    pay(7_000_000n);
    chain.mine(1);
    const ahead = async () => (await chain.reader.getBlock(await head()))?.header ?? expect.fail();
    await scan({ ...runs.reader, getSolidBlock: ahead, getSolidBalance: async () => 7_000_000n });
    expect(await statuses()).toEqual(["CONFIRMING", "DETECTED"]);
  });
});

describe("a real deposit that nothing covers", () => {
  it("leaves STUCK when the balance is there", async () => {
    pay(7_000_000n);
    chain.mine(19);
    const empty = { ...runs.reader, getSolidBalance: async () => 0n };
    await scan(empty);
    chain.mine(TEN_MINUTES);
    await scan(empty);
    expect(await deposits()).toMatchObject([{ status: "STUCK", stuckReason: "balance" }]);
    chain.mine(20);
    await scan();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED", stuckReason: null }]);
  });

  it("only waits while the node fails to say, and while its solid block is one that we have not read", async () => {
    pay(7_000_000n);
    chain.mine(TEN_MINUTES);
    const away = () => Promise.reject(new NodeError("is away", { fault: "timeout", node: "node" }));
    await scan({ ...runs.reader, getSolidBalance: away });
    expect(await statuses()).toEqual(["CONFIRMING"]);
    chain.mine(1);
    const { reader } = runs;
    const solid = await reader.getSolidBlock();
    const far = { ...solid, number: solid.number + 1_000 };
    await scan({ ...reader, getSolidBlock: async () => far, getSolidBalance: async () => 0n });
    expect(await statuses()).toEqual(["CONFIRMING"]);
    chain.mine(1);
    await scan();
    expect(await statuses()).toEqual(["CONFIRMED"]);
    expect((await findCursor(context.db, "devnet"))?.number).toBe(await head());
  });

  it("does not lack what its node may not have held yet, where that node's solid block moved while it was asked", async () => {
    pay(7_000_000n);
    chain.mine(19);
    let asked = 0;
    const moving = async () => {
      const solid = await runs.reader.getSolidBlock();
      asked += 1;
      return asked % 2 === 0
        ? solid
        : ((await chain.reader.getBlock(solid.number - 2))?.header ?? expect.fail());
    };
    await scan({ ...runs.reader, getSolidBlock: moving, getSolidBalance: async () => 0n });
    expect(await statuses()).toEqual(["CONFIRMING"]);
    expect(scanner?.memory.clearing?.lacked.size).toBe(0);
  });

  it("waits for a node whose solid block is two blocks behind, and no longer", async () => {
    pay(7_000_000n);
    chain.mine(19);
    const solid = async () => {
      const { number } = await runs.reader.getSolidBlock();
      return (await chain.reader.getBlock(number - 2))?.header ?? expect.fail();
    };
    const idle = { ...runs.reader, getSolidBlock: solid, getSolidBalance: async () => 0n };
    await scan(idle);
    expect(await statuses()).toEqual(["CONFIRMING"]);
    chain.mine(2);
    await scan({ ...idle, getSolidBalance: async () => 7_000_000n });
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });
});
