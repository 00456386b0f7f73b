import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain, type ForkChain } from "@daric/testing/fork-chain";
import { alarms, aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainReader } from "../chain/chain-reader.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { examineBooks } from "../doctor/examine.ts";
import type { MerchantId } from "../domain/ids.ts";
import { findCursor } from "./block-store.ts";
import { createClearingMemory } from "./clearance.ts";
import { findHalt } from "./halt-store.ts";
import { listDeposits } from "./list-store.ts";
import { resumeScan } from "./resume-scan.ts";
import { scanChain } from "./scan-chain.ts";
import type { Scanner } from "./scanner.ts";
import { ScanHaltedError, SolidContradictionError } from "./solid-contradiction.ts";

const UNITS = 25_000_000n;
const PAID_BELOW = 20;
const PAID_ABOVE = 60;

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: ForkChain;

beforeEach(async () => {
  context = await createTestContext();
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
    getSolidBlockByNumber: async (number) => other(await reader.getSolidBlockByNumber(number)),
    fetchCompleteBlock: async (number) => {
      const block = await reader.fetchCompleteBlock(number);
      return { ...block, header: other(block.header) };
    },
  };
}

/** What each of these steps ends with. */
async function outcomesOf(scanner: Scanner, steps: number): Promise<string[]> {
  const outcomes: string[] = [];
  for (let step = 0; step < steps; step += 1)
    outcomes.push(
      await scanChain(context, scanner).then(
        () => "read",
        (error: Error) => error.name,
      ),
    );
  return outcomes;
}

const WAIT = SolidContradictionError.name;
const HALT = ScanHaltedError.name;

describe("the only node, whose chain leaves ours below what was solid,", () => {
  it("is waited for, and halts the scan when it says so four times in a row; a restart keeps the halt", async () => {
    const before = await cursor();
    const wrong = await aScanner(context, branchFrom(10));
    expect(await outcomesOf(wrong, 4)).toEqual([WAIT, WAIT, WAIT, HALT]);
    expect(await outcomesOf(await aScanner(context, branchFrom(10)), 1)).toEqual([HALT]);
    expect(await outcomesOf(await aScanner(context, chain.reader), 1)).toEqual([HALT]);
    expect([await cursor(), await statuses()]).toEqual([before, ["CONFIRMED", "CONFIRMING"]]);
    expect(await alarms(context)).toEqual({ solid_contradiction: 1 });
  });

  it("halts nothing when it takes it back", async () => {
    const wrong = await aScanner(context, branchFrom(10));
    expect(await outcomesOf(wrong, 3)).toEqual([WAIT, WAIT, WAIT]);
    chain.mine(30);
    await scanToRest(context, { ...wrong, client: nodeGroup(chain.reader) });
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await findHalt(context.db, "devnet")).toBeUndefined();
  });

  it("is followed once an operator says so: from the common ancestor, and what is confirmed stays", async () => {
    await outcomesOf(await aScanner(context, branchFrom(10)), 4);
    expect(await resumeScan(context.db, "devnet")).toMatchObject({ resumedAt: null });
    chain.mine(40);
    await scanToRest(context, await aScanner(context, branchFrom(10)));
    const head = await branchFrom(10).getHeadBlock();
    expect(await cursor()).toMatchObject({ number: head.number, blockId: head.id });
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await findHalt(context.db, "devnet")).toBeUndefined();
    const broken = await context.db.query<{ id: string }>(sql`
      select d.id from deposits d join blocks b on b.id = d.block_id
      where d.status = 'CONFIRMED' and b.orphaned_at is not null`);
    expect(broken).toHaveLength(1);
    const found = await examineBooks(context.db, "devnet");
    expect(found.find(({ invariant }) => invariant === "I4")?.breakages).toEqual([
      {
        invariant: "I4",
        what: "confirmed deposit whose block is not in our chain",
        count: 1,
        samples: broken.map(({ id }) => id),
      },
    ]);
    expect(await resumeScan(context.db, "devnet")).toBeUndefined();
  });

  it("is followed with nothing left of what nodes said of the blocks that are left", async () => {
    const scanner = await aScanner(context, branchFrom(10));
    await outcomesOf(scanner, 4);
    await resumeScan(context.db, "devnet");
    scanner.memory.clearing = createClearingMemory();
    await outcomesOf(scanner, 1);
    expect(scanner.memory.clearing).toBeUndefined();
  });

  it("is followed although a node that is asked first keeps no old blocks", async () => {
    await outcomesOf(await aScanner(context, branchFrom(10)), 4);
    await resumeScan(context.db, "devnet");
    chain.mine(40);
    const { number: newest } = await chain.reader.getHeadBlock();
    const light: ChainReader = {
      ...branchFrom(10),
      getBlock: async (number) => (number > newest - 20 ? branchFrom(10).getBlock(number) : undefined),
    };
    const nodes = nodeGroup(light, branchFrom(10));
    expect(await outcomesOf(await aScanner(context, nodes), 1)).toEqual(["read"]);
    expect(await findHalt(context.db, "devnet")).toBeUndefined();
  });

  it("is not followed when it has our chain again by the time the operator says so", async () => {
    const before = await cursor();
    await outcomesOf(await aScanner(context, branchFrom(10)), 4);
    await resumeScan(context.db, "devnet");
    await scanToRest(context, await aScanner(context, chain.reader));
    expect(await cursor()).toEqual(before);
    expect(await findHalt(context.db, "devnet")).toBeUndefined();
  });
});

describe("of several nodes", () => {
  it("one that contradicts is put behind those that agree, and nothing halts", async () => {
    const scanner = await aScanner(context, nodeGroup(branchFrom(10), chain.reader));
    chain.mine(30);
    await outcomesOf(scanner, 1);
    await scanToRest(context, scanner);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await findHalt(context.db, "devnet")).toBeUndefined();
    expect(await alarms(context)).toEqual({ solid_contradiction: 1 });
  });

  it("two that contradict alike halt the scan at once, and one beside a silent one does not", async () => {
    const lone = await aScanner(
      context,
      nodeGroup(branchFrom(10), { ...branchFrom(10), getBlock: async () => undefined }),
    );
    for (const outcome of await outcomesOf(lone, 6)) expect(outcome).not.toBe(HALT);
    const two = await aScanner(context, nodeGroup(branchFrom(10), branchFrom(10)));
    expect(await outcomesOf(two, 1)).toEqual([HALT]);
  });
});

describe("a node whose solid word contradicts what our blocks prove", () => {
  it("halts the scan when it stands alone and says so four times in a row", async () => {
    const { getSolidBlock, getSolidBlockByNumber } = branchFrom(10);
    const wrong = await aScanner(context, { ...chain.reader, getSolidBlock, getSolidBlockByNumber });
    chain.mine(30);
    const outcomes = (await outcomesOf(wrong, 12)).filter((outcome) => outcome !== "read");
    expect(outcomes.slice(0, 4)).toEqual([WAIT, WAIT, WAIT, HALT]);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMING"]);
  });
});
