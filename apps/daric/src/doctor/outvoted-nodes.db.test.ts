import type { Charge } from "@daric/charges/charge";
import { type Database, sql } from "@daric/postgres/sql";
import type { RunReader } from "@daric/testing/fork-runs";
import { copyLedger } from "@daric/testing/ledger";
import {
  away,
  type SecondReading,
  sending,
  startSecondReading,
  TWO_OF_THREE,
} from "@daric/testing/second-reading";
import { nodeGroup } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditDeeply } from "./audit-deeply.ts";

const PAID = 10_000_000n;
const SENT = 3_000_000n;
const DEPTH = { blocks: 12, addresses: 0, seed: 7 };
let reading: SecondReading;
let receive: Charge;
let honest: RunReader;
let storing: RunReader;
let sendingTx: string;
let number: number;
let sentIn: number;

beforeEach(async () => {
  reading = await startSecondReading(TWO_OF_THREE);
  receive = await reading.aReceive();
  const { address } = await reading.aReceive("TRX");
  honest = reading.runs.reader;
  reading.runs.run({ to: receive.address, units: PAID });
  number = await reading.mined();
  sendingTx = reading.runs.run({ units: 1n });
  sentIn = await reading.mined();
  storing = sending(honest, sendingTx, [{ to: address, sun: SENT }]);
  await reading.poll(storing, storing, storing);
  await reading.pollAfter(20, storing, storing, storing);
  expect(await reading.facts()).toEqual(["10000000 CONFIRMED", "3000000 CONFIRMED"]);
}, 60_000);
afterEach(() => reading.close());

/** A summary of the violations and of the other findings. */
async function audited(nodes: readonly RunReader[], needed = 2, db: Database = reading.context.db) {
  const { network } = reading.scanner;
  const client = nodeGroup(...nodes);
  const found = await auditDeeply({ ...reading.context, db }, { client, network, needed }, DEPTH);
  const broken = found.violations.map(({ invariant, what }) => `${invariant} ${what}`);
  return { ...found, broken };
}

/** A node with a changed payment, which stores internal transfers. */
function bending(units: bigint | undefined): RunReader {
  const bent = reading.runs.bending(number, (moves) =>
    units === undefined ? [] : moves.map((move) => ({ ...move, units })),
  );
  return {
    ...bent,
    fetchCompleteBlock: (requested, parent) =>
      (requested === sentIn ? storing : bent).fetchCompleteBlock(requested, parent),
  };
}

describe("nodes that disagree about a sampled block", () => {
  it("are no violation if two of three agree with the database and one stores no internal transfers", async () => {
    const { broken, differences, unanswered } = await audited([storing, honest, storing]);
    expect([broken, unanswered]).toEqual([[], []]);
    expect(differences).toEqual(["node 2 does not store internal transfers"]);
  });

  it("are no violation if too few of them store internal transfers", async () => {
    const { broken, differences, unanswered } = await audited([storing, honest, honest]);
    expect(broken).toEqual([]);
    expect(differences).toEqual([
      "node 2 does not store internal transfers",
      "node 3 does not store internal transfers",
    ]);
    expect(unanswered).toEqual([
      expect.stringMatching(/^block \d+, \w{64}\/internal\/0\/T\w+: 2 nodes must/),
    ]);
  });

  it.each([
    ["another amount", 7n],
    ["no payment", undefined],
  ])("name one of three with %s, without a violation", async (_what, units) => {
    const { broken, differences } = await audited([bending(units), storing, storing]);
    expect(broken).toEqual([]);
    expect(differences).toEqual([
      expect.stringMatching(
        new RegExp(
          `^node 1 reports transaction \\w{64} of block ${number} differently from enough other nodes$`,
        ),
      ),
    ]);
  });

  it.each([
    ["another amount", 7n, "I2 deposit of another amount than the nodes report"],
    ["no payment", undefined, "I1 deposit that its block does not have"],
  ])("are a violation if enough of them agree on %s", async (_what, units, expected) => {
    const { broken, violations } = await audited([bending(units), bending(units), storing]);
    expect(broken).toEqual([expected]);
    expect(violations[0]?.samples[0]).toMatch(/^block \d+, \w{64}\/log\/0\/T\w+, by node 1 and node 2$/);
    expect((await audited([bending(units)], 1)).broken).toEqual([expected]);
  });

  it("are a violation if enough of them have a payment that the database lacks", async () => {
    const extra = (moves: readonly { units: bigint }[]) => [...moves, { to: receive.address, units: 5n }];
    const more: RunReader = {
      ...honest,
      fetchCompleteBlock: (requested, parent) =>
        (requested === sentIn ? storing : reading.runs.bending(number, extra)).fetchCompleteBlock(
          requested,
          parent,
        ),
    };
    expect((await audited([more, more, storing])).broken).toEqual([
      "I1 transfer to us that was not credited",
    ]);
  });

  const changed = (status: string, more: Record<string, string | null>) => sql`
    update deposits set status = ${status}, confirmed_at = null, final_confirmations = null,
      stuck_reason = ${more.stuck ?? null}, failure_reason = ${more.failure ?? null}, decision = ${more.decision ?? null},
      failed_at = case ${status} when 'FAILED' then now() end
    where merchant_id = ${reading.merchantId} and units = ${PAID}`;

  it.each([
    ["waits", "STUCK", { stuck: "quorum" }],
    ["an operator rejected", "FAILED", { failure: "rejected", decision: "rejected" }],
  ])("are no violation for a deposit that %s", async (_which, status, more) => {
    const { db } = await copyLedger(reading.context, [changed(status, more)]);
    expect((await audited([bending(7n), bending(7n), storing], 2, db)).broken).toEqual([]);
    expect((await audited([storing, storing, storing], 2, db)).broken).toEqual([]);
  });

  it("are a violation if enough of them have a payment that is FAILED in the database", async () => {
    const { db } = await copyLedger(reading.context, [changed("FAILED", { failure: "failed_on_chain" })]);
    expect((await audited([storing, storing, storing], 2, db)).broken).toEqual([
      "I1 transfer to us that was not credited",
    ]);
  });

  it("name a node with another block, and one without an answer", async () => {
    const forked: RunReader = {
      ...storing,
      getBlock: async (requested) => {
        const block = await storing.getBlock(requested);
        const header = requested === number ? { id: "e".repeat(64) } : {};
        return block && { ...block, header: { ...block.header, ...header } };
      },
      fetchCompleteBlock: async (...requested) => {
        const block = await storing.fetchCompleteBlock(...requested);
        const id = block.header.number === number ? "e".repeat(64) : block.header.id;
        return { ...block, header: { ...block.header, id } };
      },
    };
    const { broken, differences, unanswered } = await audited([storing, forked, storing]);
    expect([broken, unanswered]).toEqual([[], []]);
    expect(differences).toEqual([
      expect.stringMatching(new RegExp(`^block ${number} is e{64} to node 2 where ours is \\w{64}$`)),
    ]);
    expect((await audited([forked, forked, storing])).broken).toEqual([
      "I3 final block that is another one at the nodes",
    ]);
    const silent = await audited([storing, away(storing), storing]);
    expect([silent.broken, silent.differences]).toEqual([[], []]);
    expect(silent.unanswered[0]).toMatch(/^block \d+: node 2: is away$/);
    expect(silent.unanswered.at(-1)).toMatch(/^block \d+: node 2: fails repeatedly, and is not asked$/);
  });
});
