import { type Queryable, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { readRangeAgain } from "@daric/testing/rescans";
import { alarms, aScanner, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { beforeEach, describe, expect, it } from "vitest";
import type { NodeGroup } from "../chain/chain-reader.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { IncompleteBlockError, NodeError } from "../chain/node-error.ts";
import { examineBooks } from "../doctor/examine.ts";
import type { MerchantId } from "../domain/ids.ts";
import type { Rescan } from "./rescan-store.ts";

const network = "devnet";
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: ForkChain;
let runs: ForkRuns;

beforeEach(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  ({ chain, runs } = startForkRuns());
  await scan(runs.reader);
  return () => context.close();
});

async function scan(reader: RunReader): Promise<void> {
  await scanToRest(context, await aScanner(context, nodeGroup(reader)));
}

/** An honest node, but for how it tells of blocks. */
function telling(change: (block: CompleteBlock, number: number) => CompleteBlock): RunReader {
  const { reader } = runs;
  return {
    ...reader,
    fetchCompleteBlock: async (number, ...rest) =>
      change(await reader.fetchCompleteBlock(number, ...rest), number),
  };
}

/** A node that shows no log: as a light one may, or one that lies. */
const hiding = () =>
  telling((block) => ({ ...block, infos: block.infos.map((info) => ({ ...info, logs: [] })) }));

const failing = (error: NodeError): RunReader => ({
  ...runs.reader,
  fetchCompleteBlock: () => Promise.reject(error),
});

/** An order that a contract paid in a block which was read from a node that hid it. */
async function missAPayment(): Promise<number> {
  const { address } = await aCharge(context.db, { merchantId, amount: "5" });
  runs.run({ to: address, units: 5_000_000n });
  chain.mine(1);
  const { number } = await chain.reader.getHeadBlock();
  await scan(hiding());
  chain.mine(25);
  await scan(runs.reader);
  expect(await statuses()).toEqual([]);
  return number;
}

/** Has a range read again from these nodes, and answers how it ended or why it waits. */
async function rescan(
  client: NodeGroup,
  range: { from: number; to: number },
  by: TestContext = context,
): Promise<Rescan> {
  return readRangeAgain(by, await aScanner(by, client), range);
}

async function statuses(db: Queryable = context.db): Promise<string[]> {
  const rows = await db.query<{ status: string }>(sql`
    select status from deposits where merchant_id = ${merchantId} order by block_number, id`);
  return rows.map(({ status }) => status);
}

const at = (number: number) => ({ from: number, to: number });

describe("a range that is read again is asked of every node", () => {
  it("and finds what the one that is asked first hides, which is confirmed once its address holds it", async () => {
    const number = await missAPayment();
    const done = await rescan(nodeGroup(hiding(), runs.reader), at(number));
    expect(done).toMatchObject({ status: "DONE", depositsAdded: 1 });
    expect(await statuses()).toEqual(["CONFIRMING"]);
    await scan(runs.reader);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("and says how many blocks each did not show, and why", async () => {
    const number = await missAPayment();
    const light = telling((block, at) => {
      if (at < number) throw new IncompleteBlockError("node 2", at);
      return block;
    });
    const away = failing(new NodeError("did not answer", { fault: "unreachable", node: "node 3" }));
    const done = await rescan(nodeGroup(runs.reader, light, away), { from: number - 2, to: number });
    expect(done).toMatchObject({ status: "DONE", depositsAdded: 1, blocksDiffering: 0 });
    expect(done.nodes).toEqual([
      { node: "node 1", shown: 3, notShown: 0, reason: null },
      {
        node: "node 2",
        shown: 1,
        notShown: 2,
        reason: `node 2: block ${number - 1}: the node does not have it`,
      },
      { node: "node 3", shown: 0, notShown: 3, reason: "node 3: did not answer" },
    ]);
  });

  it("and waits only where none of them shows a block", async () => {
    const number = await missAPayment();
    const away = (node: string) => failing(new NodeError("did not answer", { fault: "unreachable", node }));
    const waiting = await rescan(nodeGroup(away("node 1"), away("node 2")), at(number));
    expect(waiting).toMatchObject({ status: "WAITING", blocksRead: 0, nodes: [] });
  });

  it("and leaves one that takes its time to fail alone for a while", async () => {
    const number = await missAPayment();
    let asked = 0;
    const slow: RunReader = {
      ...runs.reader,
      fetchCompleteBlock: () => {
        asked += 1;
        throw new NodeError("did not answer", { fault: "timeout", node: "node 2" });
      },
    };
    const done = await rescan(nodeGroup(runs.reader, slow), { from: number - 4, to: number });
    expect(done.nodes).toMatchObject([{ shown: 5 }, { shown: 0, notShown: 5 }]);
    expect(asked).toBe(1);
  });

  it("and believes none that has another block where ours is final: it is named, and the others are heard", async () => {
    const number = await missAPayment();
    const heard = listening(context);
    const other = telling((block) => ({ ...block, header: { ...block.header, id: "f".repeat(64) } }));
    const done = await rescan(nodeGroup(other, runs.reader), at(number), heard.context);
    expect(done).toMatchObject({
      status: "DONE",
      depositsAdded: 1,
      blocksDiffering: 1,
      differing: [expect.stringMatching(`^block ${number} is f{64} to node 1 where ours is`)],
      nodes: [{ shown: 0, reason: `block ${number}: the node has another one than ours` }, { shown: 1 }],
    });
    expect(await alarms(context)).toEqual({ rescan_differs: 1 });
    expect(heard.lines).toContainEqual(expect.objectContaining({ level: "error", block_number: number }));
  });

  it("and what one of them invents is recorded and not confirmed, for no address holds it", async () => {
    const number = await missAPayment();
    const { address } = await aCharge(context.db, { merchantId, amount: "7" });
    const inventing = runs.inventing(number, { to: address, units: 7_000_000n });
    const done = await rescan(nodeGroup(runs.reader, inventing), at(number));
    expect(done.depositsAdded).toBe(2);
    await scan(runs.reader);
    expect((await statuses()).toSorted()).toEqual(["CONFIRMED", "CONFIRMING"]);
  });

  it("and where they show one payment in two ways, what most of them show is recorded, and the other said", async () => {
    const number = await missAPayment();
    const heard = listening(context);
    const less = telling((block) => ({
      ...block,
      infos: block.infos.map((info) => ({
        ...info,
        logs: info.logs.map((log) => ({ ...log, data: "1".padStart(64, "0") })),
      })),
    }));
    await rescan(nodeGroup(less, runs.reader, runs.reader), at(number), heard.context);
    const rows = await context.db.query(sql`select units from deposits where merchant_id = ${merchantId}`);
    expect(rows).toEqual([{ units: 5_000_000n }]);
    expect(heard.lines).toContainEqual(expect.objectContaining({ anomaly: "contradictory_result" }));
  });

  it("and the books stay in order when the node that showed a payment is away at the next time", async () => {
    const number = await missAPayment();
    await rescan(nodeGroup(runs.reader), at(number));
    await rescan(nodeGroup(hiding()), at(number));
    const diagnoses = await examineBooks(context.db, network);
    expect(diagnoses.flatMap(({ breakages }) => breakages)).toEqual([]);
  });
});
