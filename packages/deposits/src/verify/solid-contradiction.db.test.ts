import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { auditDatabase } from "@daric/server/doctor/audit";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCursor } from "../block-store.ts";
import { resumeScan } from "../follow/resume-scan.ts";
import { scanChain } from "../follow/scan-chain.ts";
import type { Scanner } from "../follow/scanner.ts";
import { listDeposits } from "../list-store.ts";
import { NotYetError } from "../not-yet-error.ts";
import { answersNeeded } from "../settings.ts";
import { findHalt } from "./halt-store.ts";
import { ScanHaltedError, SolidContradictionError } from "./solid-contradiction.ts";

const UNITS = 25_000_000n;
const PAID_BELOW = 20;
const PAID_ABOVE = 60;

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: ForkChain;
/** the monotonic clock */
let nowMs = 0;

beforeEach(async () => {
  nowMs = 0;
  const made = await createTestContext();
  context = { ...made, clock: { now: () => new Date(), monotonicMs: () => nowMs } };
  merchantId = (await aMerchant(context.db)).id;
  chain = createForkChain(Date.now());
  const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" });
  chain.mine(PAID_BELOW - 1);
  await scanToRest(context, await aScanner(context, chain.reader));
  chain.pay(address, UNITS);
  chain.mine(PAID_ABOVE - PAID_BELOW);
  chain.pay(address, UNITS);
  chain.mine(2);
  await scanToRest(context, await aScanner(context, chain.reader));
  expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMING"]);
});
afterEach(() => context.close());

const statuses = async () =>
  (await listDeposits(context.db, { merchantId }, { limit: 300, offset: 0 })).rows
    .toReversed()
    .map(({ status }) => status);

const cursor = async () => (await findCursor(context.db, "devnet")) ?? expect.fail("no cursor");

/** A node with other blocks from a height on. */
function branchFrom(height: number): ChainReader {
  const idOf = (id: string) =>
    Number.parseInt(id.slice(0, 16), 16) >= height ? id.slice(0, 16) + id.slice(16, 40) + "f".repeat(24) : id;
  const other = <H extends BlockHeader | undefined>(header: H): H =>
    header && { ...header, id: idOf(header.id), parentId: idOf(header.parentId) };
  const { reader } = chain;
  return {
    ...reader,
    getHeadBlock: async () => other(await reader.getHeadBlock()),
    getBlock: async (number) => {
      const block = await reader.getBlock(number);
      return block && { ...block, header: other(block.header) };
    },
    getSolidBlock: async () => other(await reader.getSolidBlock()),
    fetchCompleteBlock: async (number) => {
      const block = await reader.fetchCompleteBlock(number);
      return { ...block, header: other(block.header) };
    },
  };
}

/** A node that has other blocks while `lie` is set. */
function turning(nodes: { lie: boolean }): ChainReader {
  const current = () => (nodes.lie ? branchFrom(10) : chain.reader);
  return {
    ...chain.reader,
    getHeadBlock: () => current().getHeadBlock(),
    getBlock: (number) => current().getBlock(number),
    fetchCompleteBlock: (number, parent) => current().fetchCompleteBlock(number, parent),
  };
}

/** The outcome of a step at each of these seconds. */
async function outcomesAt(scanner: Scanner, seconds: readonly number[]): Promise<string[]> {
  const outcomes: string[] = [];
  const startMs = nowMs;
  for (const second of seconds) {
    nowMs = startMs + second * 1_000;
    outcomes.push(
      await scanChain(context, scanner).then(
        () => "read",
        (error: Error) => error.name,
      ),
    );
  }
  return outcomes;
}

const WAIT = SolidContradictionError.name;
const HALT = ScanHaltedError.name;
const NOT_YET = NotYetError.name;

const halted = async () => (await findHalt(context.db, "devnet")) !== undefined;

/** A scanner with three nodes and a quorum of two. */
async function withThree(...nodes: [ChainReader, ChainReader, ChainReader]) {
  expect(answersNeeded(context.config.deposits, nodes.length)).toBe(2);
  return aScanner(context, nodeGroup(...nodes));
}

describe("the only node, which contradicts a verified block,", () => {
  it("halts the scan after four reads over at least a minute; a restart keeps the halt", async () => {
    const before = await cursor();
    const wrong = await aScanner(context, branchFrom(10));
    expect(await outcomesAt(wrong, [0, 20, 40, 60])).toEqual([WAIT, WAIT, WAIT, HALT]);
    expect(await outcomesAt(await aScanner(context, branchFrom(10)), [0])).toEqual([HALT]);
    expect(await outcomesAt(await aScanner(context, chain.reader), [0])).toEqual([HALT]);
    expect([await cursor(), await statuses()]).toEqual([before, ["CONFIRMED", "CONFIRMING"]]);
    expect(Object.keys(await alarms(context))).toEqual(["solid_contradiction"]);
    expect(await findHalt(context.db, "devnet")).toMatchObject({
      number: before.solidNumber,
      nodes: "node 1",
    });
  });

  it.each([
    ["fewer than four reads", [0, 100, 200], []],
    ["less than a minute", [0, 10, 20, 30, 40, 59.9], [60]],
  ])("does not halt the scan by %s", async (_what, seconds, then) => {
    const wrong = await aScanner(context, branchFrom(10));
    expect(new Set(await outcomesAt(wrong, seconds))).toEqual(new Set([WAIT]));
    expect(await halted()).toBe(false);
    nowMs = 0;
    expect(await outcomesAt(wrong, then)).toEqual(then.map(() => HALT));
  });

  it.runIf(isNight)("does not halt the scan if it agrees again in between", async () => {
    const wrong = await aScanner(context, branchFrom(10));
    expect(await outcomesAt(wrong, [0, 30, 60])).toEqual([WAIT, WAIT, WAIT]);
    chain.mine(1);
    const right = { ...wrong, client: nodeGroup(chain.reader) };
    expect(await outcomesAt(right, [10])).toEqual(["read"]);
    expect(await outcomesAt(wrong, [10, 40, 70])).toEqual([WAIT, WAIT, WAIT]);
    chain.mine(30);
    await scanToRest(context, right);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await halted()).toBe(false);
  });
});

describe("after a halt the operator's command", () => {
  /** Halts the scan through the only node. */
  async function halt(): Promise<Scanner> {
    const scanner = await aScanner(context, branchFrom(10));
    expect(await outcomesAt(scanner, [0, 20, 40, 60])).toContain(HALT);
    return scanner;
  }

  it("continues the scan from the common ancestor, and CONFIRMED deposits stay", async () => {
    await halt();
    expect(await resumeScan(context.db, "devnet")).toMatchObject({ resumedAt: null });
    chain.mine(40);
    await scanToRest(context, await aScanner(context, branchFrom(10)));
    const head = await branchFrom(10).getHeadBlock();
    expect(await cursor()).toMatchObject({ number: head.number, blockId: head.id });
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await halted()).toBe(false);
    const broken = await context.db.query<{ id: string }>(sql`
      select d.id from deposits d join blocks b on b.id = d.block_id
      where d.status = 'CONFIRMED' and b.orphaned_at is not null`);
    expect(broken).toHaveLength(1);
    const found = await auditDatabase(context.db, "devnet");
    expect(found.find(({ invariant }) => invariant === "I4")?.violations).toEqual([
      {
        invariant: "I4",
        what: "confirmed deposit whose block is not in our chain",
        count: 1,
        samples: broken.map(({ id }) => id),
      },
    ]);
    expect(await resumeScan(context.db, "devnet")).toBeUndefined();
  });

  it.runIf(isNight)("clears the nodes' answers about the removed blocks", async () => {
    const scanner = await halt();
    await resumeScan(context.db, "devnet");
    const { following } = scanner;
    const { standing } = following.verifying;
    following.verifying = {
      ...following.verifying,
      standing: { ...standing, agreedHeights: new Map([[0, 1_000]]), excluded: new Set([0]) },
      upTo: await cursor(),
    };
    await outcomesAt(scanner, [0]);
    const { standing: now, upTo } = following.verifying;
    expect(now.agreedHeights.size + now.excluded.size).toBe(0);
    expect(upTo?.number ?? 0).toBeLessThan((await cursor()).number);
    expect(now.contradictions).toBeUndefined();
  });

  it.runIf(isNight)("works although the first node keeps no old blocks", async () => {
    await halt();
    await resumeScan(context.db, "devnet");
    chain.mine(40);
    const { number: newest } = await chain.reader.getHeadBlock();
    const light: ChainReader = {
      ...branchFrom(10),
      getBlock: async (number) => (number > newest - 20 ? branchFrom(10).getBlock(number) : undefined),
    };
    const nodes = nodeGroup(light, branchFrom(10));
    expect(await outcomesAt(await aScanner(context, nodes), [0])).toEqual(["read"]);
    expect(await halted()).toBe(false);
  });

  it.runIf(isNight)("moves no block if the node has our chain again by then", async () => {
    const { number, blockId } = await cursor();
    await halt();
    await resumeScan(context.db, "devnet");
    await scanToRest(context, await aScanner(context, chain.reader));
    expect(await cursor()).toMatchObject({ number, blockId });
    expect(await halted()).toBe(false);
  });
});

describe("of two nodes with a quorum of one,", () => {
  it("one that contradicts is used last, and the scan continues", async () => {
    const scanner = await aScanner(context, nodeGroup(branchFrom(10), chain.reader));
    chain.mine(30);
    await outcomesAt(scanner, [0]);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await halted()).toBe(false);
    expect(await alarms(context)).toEqual({ solid_contradiction: 1 });
  });

  it.runIf(isNight)(
    "one that contradicts and a silent one do not halt the scan, and two that contradict do",
    async () => {
      const silent: ChainReader = { ...branchFrom(10), getBlock: async () => undefined };
      const lone = await aScanner(context, nodeGroup(branchFrom(10), silent));
      expect(await outcomesAt(lone, [0, 30, 60, 90, 120, 150])).not.toContain(HALT);
      const two = await aScanner(context, nodeGroup(branchFrom(10), branchFrom(10)));
      expect(await outcomesAt(two, [0, 20, 40, 60])).toEqual([WAIT, WAIT, WAIT, HALT]);
    },
  );
});

describe("of three nodes with a quorum of two,", () => {
  const [first, second] = [0, 1];

  it("one that contradicts is excluded and named once, and the others confirm every deposit", async () => {
    const scanner = await withThree(branchFrom(10), chain.reader, chain.reader);
    chain.mine(30);
    const outcomes = await outcomesAt(scanner, [0, 30, 60, 90, 120]);
    expect(outcomes.slice(1)).toEqual(["read", "read", "read", "read"]);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect([...scanner.following.verifying.standing.excluded]).toEqual([first]);
    expect(await alarms(context)).toEqual({ solid_contradiction: 1 });
    expect(await halted()).toBe(false);
  });

  it("two that contradict stop every confirmation, and halt the scan after four reads over a minute", async () => {
    const scanner = await withThree(branchFrom(10), branchFrom(10), chain.reader);
    chain.mine(30);
    const before = await cursor();
    expect(await outcomesAt(scanner, [0, 20, 40])).toEqual([NOT_YET, "read", "read"]);
    expect([...scanner.following.verifying.standing.excluded].toSorted()).toEqual([first, second]);
    expect([await statuses(), await halted()]).toEqual([["CONFIRMED", "CONFIRMING"], false]);
    expect(await outcomesAt(scanner, [19.9, 20])).toEqual(["read", HALT]);
    expect(await findHalt(context.db, "devnet")).toMatchObject({
      number: before.solidNumber,
      nodes: "node 1 and node 2",
    });
    expect((await cursor()).solidNumber).toBe(before.solidNumber);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMING"]);
  });

  it("two that turn to another chain confirm nothing, not even a block on which they agreed before", async () => {
    const nodes = { lie: false };
    const scanner = await withThree(chain.reader, turning(nodes), turning(nodes));
    chain.mine(1);
    expect(await outcomesAt(scanner, [0])).toEqual(["read"]);
    nodes.lie = true;
    chain.mine(30);
    expect(await outcomesAt(scanner, [10, 10])).toEqual(["read", "read"]);
    expect([...scanner.following.verifying.standing.excluded].toSorted()).toEqual([1, 2]);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMING"]);
    nodes.lie = false;
    chain.mine(1);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
  });

  it.runIf(isNight)("two that contradict are followed once an operator has resumed the scan", async () => {
    const halting = await withThree(branchFrom(10), branchFrom(10), chain.reader);
    chain.mine(30);
    expect(await outcomesAt(halting, [0, 20, 40, 60])).toContain(HALT);
    await resumeScan(context.db, "devnet");
    await scanToRest(context, await withThree(branchFrom(10), branchFrom(10), chain.reader));
    const head = await branchFrom(10).getHeadBlock();
    expect(await cursor()).toMatchObject({ number: head.number, blockId: head.id });
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await halted()).toBe(false);
  });

  it.runIf(isNight)("two that contradict for less than a minute only delay confirmations", async () => {
    const nodes = { lie: true };
    const liars = [turning(nodes), turning(nodes)] as const;
    const scanner = await withThree(...liars, chain.reader);
    chain.mine(30);
    await outcomesAt(scanner, [0, 20, 40]);
    nodes.lie = false;
    expect(await outcomesAt(scanner, [19, 25])).not.toContain(HALT);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect([scanner.following.verifying.standing.excluded.size, await halted()]).toEqual([0, false]);
  });
});
