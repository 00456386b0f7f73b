import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BlockHeader } from "../../chain/blocks/parse-block.ts";
import type { ChainReader } from "../../chain/nodes/chain-reader.ts";
import { auditDatabase } from "../../doctor/audit.ts";
import type { MerchantId } from "../../domain/ids.ts";
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

/** The chain as a node has it whose blocks are others from a height on. */
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

/** What a step at each of these seconds ends with. */
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

/** The settings of a service with three nodes, of which two must tell alike. */
async function ofThree(...nodes: [ChainReader, ChainReader, ChainReader]) {
  expect(answersNeeded(context.config.deposits, nodes.length)).toBe(2);
  return aScanner(context, nodeGroup(...nodes));
}

describe("the only node, whose chain leaves ours below what was verified,", () => {
  it("is waited for, and halts reading after four reads over a minute; a restart keeps the halt", async () => {
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
  ])("halts nothing by %s", async (_what, seconds, then) => {
    const wrong = await aScanner(context, branchFrom(10));
    expect(new Set(await outcomesAt(wrong, seconds))).toEqual(new Set([WAIT]));
    expect(await halted()).toBe(false);
    nowMs = 0;
    expect(await outcomesAt(wrong, then)).toEqual(then.map(() => HALT));
  });

  it("halts nothing where it takes that back in between", async () => {
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

describe("after the halt an operator's word", () => {
  /** Halts by the only node. */
  async function halt(): Promise<Scanner> {
    const scanner = await aScanner(context, branchFrom(10));
    expect(await outcomesAt(scanner, [0, 20, 40, 60])).toContain(HALT);
    return scanner;
  }

  it("lets reading go on from the common ancestor, and what is confirmed stays", async () => {
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

  it("leaves nothing of what nodes said of the blocks that are left", async () => {
    const scanner = await halt();
    await resumeScan(context.db, "devnet");
    const { verifying } = scanner;
    verifying.agreedHeights.set(0, 1_000);
    verifying.excluded.add(0);
    verifying.upTo = await cursor();
    await outcomesAt(scanner, [0]);
    expect(verifying.agreedHeights.size + verifying.excluded.size).toBe(0);
    expect(verifying.upTo?.number ?? 0).toBeLessThan((await cursor()).number);
    expect(verifying.contradictions).toBeUndefined();
  });

  it("is followed although a node that is asked first keeps no old blocks", async () => {
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

  it("moves nothing where the node has our chain again by then", async () => {
    const { number, blockId } = await cursor();
    await halt();
    await resumeScan(context.db, "devnet");
    await scanToRest(context, await aScanner(context, chain.reader));
    expect(await cursor()).toMatchObject({ number, blockId });
    expect(await halted()).toBe(false);
  });
});

describe("of two nodes, of which one is enough,", () => {
  it("one that contradicts is put behind the other, and nothing halts", async () => {
    const scanner = await aScanner(context, nodeGroup(branchFrom(10), chain.reader));
    chain.mine(30);
    await outcomesAt(scanner, [0]);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await halted()).toBe(false);
    expect(await alarms(context)).toEqual({ solid_contradiction: 1 });
  });

  it("one that contradicts beside a silent one halts nothing, and two that contradict halt reading", async () => {
    const silent: ChainReader = { ...branchFrom(10), getBlock: async () => undefined };
    const lone = await aScanner(context, nodeGroup(branchFrom(10), silent));
    expect(await outcomesAt(lone, [0, 30, 60, 90, 120, 150])).not.toContain(HALT);
    const two = await aScanner(context, nodeGroup(branchFrom(10), branchFrom(10)));
    expect(await outcomesAt(two, [0, 20, 40, 60])).toEqual([WAIT, WAIT, WAIT, HALT]);
  });
});

describe("of three nodes, of which two must tell alike,", () => {
  const [first, second] = [0, 1];

  it("one that contradicts is left out and named once, and every deposit is confirmed by the others", async () => {
    const scanner = await ofThree(branchFrom(10), chain.reader, chain.reader);
    chain.mine(30);
    const outcomes = await outcomesAt(scanner, [0, 30, 60, 90, 120]);
    expect(outcomes.slice(1)).toEqual(["read", "read", "read", "read"]);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect([...scanner.verifying.excluded]).toEqual([first]);
    expect(await alarms(context)).toEqual({ solid_contradiction: 1 });
    expect(await halted()).toBe(false);
  });

  it("two that contradict let nothing be confirmed, and halt reading after four reads over a minute", async () => {
    const scanner = await ofThree(branchFrom(10), branchFrom(10), chain.reader);
    chain.mine(30);
    const before = await cursor();
    expect(await outcomesAt(scanner, [0, 20, 40])).toEqual([NOT_YET, "read", "read"]);
    expect([...scanner.verifying.excluded].toSorted()).toEqual([first, second]);
    expect([await statuses(), await halted()]).toEqual([["CONFIRMED", "CONFIRMING"], false]);
    expect(await outcomesAt(scanner, [19.9, 20])).toEqual(["read", HALT]);
    expect(await findHalt(context.db, "devnet")).toMatchObject({
      number: before.solidNumber,
      nodes: "node 1 and node 2",
    });
    expect((await cursor()).solidNumber).toBe(before.solidNumber);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMING"]);
  });

  it("two that contradict are followed once an operator has resumed reading", async () => {
    const halting = await ofThree(branchFrom(10), branchFrom(10), chain.reader);
    chain.mine(30);
    expect(await outcomesAt(halting, [0, 20, 40, 60])).toContain(HALT);
    await resumeScan(context.db, "devnet");
    await scanToRest(context, await ofThree(branchFrom(10), branchFrom(10), chain.reader));
    const head = await branchFrom(10).getHeadBlock();
    expect(await cursor()).toMatchObject({ number: head.number, blockId: head.id });
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await halted()).toBe(false);
  });

  it("two that contradict for less than a minute only delay what the third confirms with them", async () => {
    const nodes = { lie: true };
    const turning = (): ChainReader =>
      new Proxy(chain.reader, {
        get: (honest, name) => Reflect.get(nodes.lie ? branchFrom(10) : honest, name),
      });
    const liars = [turning(), turning()].map(
      (reader): ChainReader => ({
        ...chain.reader,
        getHeadBlock: () => reader.getHeadBlock(),
        getBlock: (number) => reader.getBlock(number),
        fetchCompleteBlock: (number, parent) => reader.fetchCompleteBlock(number, parent),
      }),
    ) as [ChainReader, ChainReader];
    const scanner = await ofThree(...liars, chain.reader);
    chain.mine(30);
    await outcomesAt(scanner, [0, 20, 40]);
    nodes.lie = false;
    expect(await outcomesAt(scanner, [19, 25])).not.toContain(HALT);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect([scanner.verifying.excluded.size, await halted()]).toEqual([0, false]);
  });
});
