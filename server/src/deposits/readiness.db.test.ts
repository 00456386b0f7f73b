import { sql } from "@daric/postgres/sql";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, listening, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { insertAccepted } from "./acceptance-store.ts";
import { findCursor, moveCursor } from "./block-store.ts";
import { countBlocksWithoutInternals } from "./internals-store.ts";
import { depositChecks, reportInternals } from "./readiness.ts";

let context: TestContext & { close(): Promise<void> };
beforeEach(async () => {
  context = await createTestContext({
    TRON_NODE_URLS: "http://127.0.0.1:1,http://127.0.0.1:2",
    TRON_QUORUM: "2",
  });
});
afterEach(() => context.close());

const told = async (name: string, short: readonly string[] = []) => {
  const checks = depositChecks(context, { shortOfQuorum: () => short });
  return checks.find((check) => check.name === name)?.check();
};

describe("a node that does not save internal transactions", () => {
  it("is known by 1,000 blocks with contract calls that show none, counted over restarts", async () => {
    const { chain, runs } = startForkRuns();
    await scanToRest(context, await aScanner(context, runs.reader));
    for (let block = 0; block < 3; block += 1) {
      runs.run({ units: 1n });
      runs.run({ units: 1n });
      chain.mine(2);
      await scanToRest(context, await aScanner(context, runs.reader));
    }
    expect(await countBlocksWithoutInternals(context.db, "devnet")).toBe(3);
    expect(await told("internals")).toEqual({ ok: true, detail: "no lack of them is known" });

    await context.db.query(sql`update scan_cursors set blocks_without_internals = 999`);
    const heard = listening(context);
    await reportInternals(heard.context);
    expect(heard.lines).toEqual([]);
    runs.run({ units: 1n });
    chain.mine(1);
    await scanToRest(context, await aScanner(context, runs.reader));
    expect(await told("internals")).toMatchObject({
      ok: true,
      detail: expect.stringContaining("the node does not save them"),
    });
    await reportInternals(heard.context);
    expect(heard.lines).toMatchObject([{ reason: expect.stringContaining("1000 blocks") }]);
  });

  it("is none once any internal transaction was seen", async () => {
    const chain = createForkChain(Date.now());
    chain.mine(20);
    await scanToRest(context, await aScanner(context, chain.reader));
    await context.db.query(sql`update scan_cursors set blocks_without_internals = 5000`);
    const from = (await findCursor(context.db, "devnet")) ?? expect.fail();
    const to = { number: from.number + 1, blockId: "ab".repeat(32), time: from.time };
    await context.db.transaction((tx) =>
      moveCursor(tx, { network: "devnet", from, to, epoch: 1n, runs: [{ contractCalls: 1, internals: 1 }] }),
    );
    expect(await countBlocksWithoutInternals(context.db, "devnet")).toBe(0);
  });
});

it("the nodes that a quorum lacks are named, and take nobody out of service", async () => {
  expect(await told("quorum")).toEqual({ ok: true, detail: "2 nodes must agree" });
  const chain = createForkChain(Date.now());
  chain.mine(40);
  await scanToRest(context, await aScanner(context, nodeGroup(chain.reader, chain.reader)));
  chain.mine(5);
  await scanToRest(context, await aScanner(context, nodeGroup(chain.reader, chain.reader)));
  const compared = { ok: true, detail: "2 nodes must agree; blocks are compared up to 27" };
  expect(await told("quorum")).toEqual(compared);
  await context.db.query(sql`update scan_cursors set compared_number = null`);
  expect(await told("quorum", ["a.example does not answer"])).toEqual({
    ok: true,
    detail: "2 nodes must agree; a.example does not answer",
  });
});

it("blocks that an operator has accepted are told for ever, without who and why", async () => {
  expect(await told("accepted")).toEqual({ ok: true, detail: "every block was whole" });
  const blockId = `${"0".repeat(14)}07${"ab".repeat(24)}`;
  const accepted = { blockId, blockNumber: 7, until: 9, checks: ["calls"], told: "x" } as const;
  await insertAccepted(context.db, "devnet", { ...accepted, reason: "secret", acceptedBy: "Ada" });
  const { detail = "" } = (await told("accepted")) ?? {};
  expect(detail).toContain("1 times; last blocks 7 to 9 (calls)");
  expect(detail).not.toMatch(/secret|Ada/);
  const alone = { ...accepted, blockId: `${"0".repeat(14)}0a${"ab".repeat(24)}`, blockNumber: 10, until: 10 };
  await insertAccepted(context.db, "devnet", { ...alone, reason: "secret", acceptedBy: "Ada" });
  expect((await told("accepted"))?.detail).toContain("2 times; last block 10 (calls)");
});
