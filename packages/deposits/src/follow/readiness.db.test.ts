import { sql } from "@daric/postgres/sql";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countBlocksWithoutInternals, findCursor, moveCursor } from "../block-store.ts";
import { insertOverride } from "../override-store.ts";
import { depositChecks, reportInternals } from "./readiness.ts";

let context: TestContext & { close(): Promise<void> };
beforeEach(async () => {
  context = await createTestContext({
    TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2",
    TRON_QUORUM: "2",
  });
});
afterEach(() => context.close());

const detailOf = async (
  name: string,
  { short = [], nodes = 2 }: { short?: string[]; nodes?: number } = {},
) => {
  const checks = depositChecks(context, { shortOfQuorum: () => short, nodes: () => nodes });
  return checks.find((check) => check.name === name)?.check();
};

describe("a node that does not save internal transactions", () => {
  it("is known by 1,000 blocks with contract calls that show none, counted over restarts", async () => {
    const { chain, runs } = startForkRuns();
    const scan = async () =>
      scanToRest(context, await aScanner(context, nodeGroup(runs.reader, runs.reader)));
    await scan();
    for (let block = 0; block < 3; block += 1) {
      runs.run({ units: 1n });
      runs.run({ units: 1n });
      chain.mine(2);
      await scan();
    }
    expect(await countBlocksWithoutInternals(context.db, "devnet")).toBe(3);
    expect(await detailOf("internals")).toEqual({
      ok: true,
      detail: "the node that is read saves them, as far as is known; `quorum` names others that do not",
    });

    await context.db.query(sql`update scan_cursors set blocks_without_internals = 999`);
    const logged = listening(context);
    await reportInternals(logged.context);
    expect(logged.lines).toEqual([]);
    runs.run({ units: 1n });
    chain.mine(1);
    await scan();
    expect(await detailOf("internals")).toMatchObject({
      ok: true,
      detail: expect.stringContaining("the node does not save them"),
    });
    await reportInternals(logged.context);
    expect(logged.lines).toMatchObject([{ reason: expect.stringContaining("1000 blocks") }]);
  });

  it("is cleared once any internal transaction was seen", async () => {
    const chain = createForkChain(Date.now());
    chain.mine(20);
    await scanToRest(context, await aScanner(context, nodeGroup(chain.reader, chain.reader)));
    await context.db.query(sql`update scan_cursors set blocks_without_internals = 5000`);
    const from = (await findCursor(context.db, "devnet")) ?? expect.fail();
    const to = { number: from.number + 1, blockId: "ab".repeat(32), time: from.time };
    await context.db.transaction((tx) =>
      moveCursor(tx, { network: "devnet", from, to, epoch: 1n, runs: [{ contractCalls: 1, internals: 1 }] }),
    );
    expect(await countBlocksWithoutInternals(context.db, "devnet")).toBe(0);
  });
});

it("the quorum, the verified height and faults of nodes never fail readiness", async () => {
  expect(await detailOf("quorum")).toEqual({ ok: true, detail: "2 of 2 nodes must agree" });
  const chain = createForkChain(Date.now());
  chain.mine(80);
  await scanToRest(context, await aScanner(context, nodeGroup(chain.reader, chain.reader)));
  chain.mine(45);
  await scanToRest(context, await aScanner(context, nodeGroup(chain.reader, chain.reader)));
  const { solidNumber } = (await findCursor(context.db, "devnet")) ?? expect.fail();
  expect(solidNumber).toBeGreaterThan(80 - 18);
  const verified = `2 of 2 nodes must agree; blocks are verified up to ${solidNumber}`;
  expect(await detailOf("quorum")).toEqual({ ok: true, detail: verified });
  expect(await detailOf("quorum", { short: ["a.example does not answer in time"] })).toEqual({
    ok: true,
    detail: `${verified}; a.example does not answer in time`,
  });
});

it.each([
  [1, "one node is enough"],
  [2, "one node is enough"],
  [3, "2 of 3 nodes must agree"],
  [5, "3 of 5 nodes must agree"],
])("of %i nodes without TRON_QUORUM the majority must agree: %s", async (nodes, text) => {
  context = withSettings(context, { deposits: { quorum: undefined } });
  expect(await detailOf("quorum", { nodes })).toEqual({ ok: true, detail: text });
});

it("overridden blocks are listed for ever, without the operator and the reason", async () => {
  expect(await detailOf("accepted")).toEqual({ ok: true, detail: "every block was complete" });
  const blockId = `${"0".repeat(14)}07${"ab".repeat(24)}`;
  const accepted = { blockId, blockNumber: 7, until: 9, checks: ["calls"], nodeFaults: "x" } as const;
  await insertOverride(context.db, "devnet", { ...accepted, reason: "secret", acceptedBy: "Ada" });
  const { detail = "" } = (await detailOf("accepted")) ?? {};
  expect(detail).toContain("1 times; last blocks 7 to 9 (calls)");
  expect(detail).not.toMatch(/secret|Ada/);
  const alone = { ...accepted, blockId: `${"0".repeat(14)}0a${"ab".repeat(24)}`, blockNumber: 10, until: 10 };
  await insertOverride(context.db, "devnet", { ...alone, reason: "secret", acceptedBy: "Ada" });
  expect((await detailOf("accepted"))?.detail).toContain("2 times; last block 10 (calls)");
});
