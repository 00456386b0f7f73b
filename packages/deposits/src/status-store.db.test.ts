import { type Charge, loadCharges } from "@daric/charges/charge";
import {
  type DepositDecision,
  type DepositStatus,
  depositMachine,
  depositStatuses,
} from "@daric/domain/deposit";
import type { DepositId } from "@daric/domain/ids";
import { amountFromUnits } from "@daric/domain/money";
import { bookDeposits } from "@daric/ledger/book-deposits";
import { sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { aHeader } from "@daric/testing/witnesses";
import { afterAll, beforeAll, expect, it } from "vitest";
import { insertBlock } from "./block-store.ts";
import { chargesOf } from "./charge-refs.ts";
import { type Check, listChecks, saveChecks } from "./check-store.ts";
import { findWaiting } from "./open-store.ts";
import {
  failDropped,
  failRejected,
  failUnpaid,
  hasDepositsToFail,
  includeAgain,
  markConfirming,
  orphanDeposits,
} from "./status-store.ts";
import { markUnpaid } from "./unpaid-store.ts";
import { finalizeDeposits } from "./verify/finality-store.ts";
import { stallDeposits } from "./verify/stall-store.ts";

const scope = { network: "devnet", epoch: 1n };
const time = new Date("2026-01-01T00:00:00Z");
const later = new Date(time.getTime() + 1_000);
const solid = { number: 100, blockId: "ab".repeat(32), time: later };
let context: Awaited<ReturnType<typeof createTestContext>>;
let charge: Charge;
beforeAll(async () => {
  context = await createTestContext();
  charge = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
  const { parentId, witnessHex } = aHeader({ number: 100, id: solid.blockId, timeMs: time.getTime() });
  const made = { parentId, witnessHex, time };
  const block = {
    id: solid.blockId,
    number: 100,
    ...made,
    transactionCount: 0,
    transferCount: 0,
    infosDigest: undefined,
    sourceNode: undefined,
  };
  await context.db.transaction((tx) => insertBlock(tx, { network: scope.network, block, epoch: 1n }));
});
afterAll(() => context.close());

type Row = { id: DepositId; txId: string; status: DepositStatus };

/** A deposit of each status, all in the solid block. */
async function oneOfEach(): Promise<Row[]> {
  return Promise.all(
    depositStatuses.map(async (status) => ({
      status,
      ...(await aDeposit(context.db, {
        chargeId: charge.id,
        status,
        blockNumber: solid.number,
        blockId: solid.blockId,
        blockTime: time,
      })),
    })),
  );
}

/** The open groups of these statuses in the solid block, and no bound for each. */
const openGroupsOf = (...statuses: DepositStatus[]) => ({
  limitEach: 200,
  groups: statuses.map((status) => ({ merchantId: charge.merchantId, status, blockNumber: solid.number })),
});
const every = () => openGroupsOf(...depositStatuses);

/** The moves that `work` makes on one deposit of each status; rows, history and result must agree. */
async function movesOf(work: (tx: Transaction, rows: readonly Row[]) => Promise<unknown>): Promise<string[]> {
  const rows = await oneOfEach();
  await context.db.transaction((tx) => work(tx, rows));
  const ids = rows.map(({ id }) => id);
  const after = await context.db.query<{ id: string; status: string }>(
    sql`select id, status from deposits where id = any(${ids}::uuid[])`,
  );
  const history = await context.db.query<{ id: string; move: string }>(sql`
    select deposit_id as id, from_status || ' ' || event || ' ' || to_status as move
    from deposit_events where deposit_id = any(${ids}::uuid[]) order by move`);
  const ends = new Map(after.map(({ id, status }) => [id, status]));
  const reasonFollowed = new Set(
    history.filter(({ move }) => move === "STUCK stalled STUCK").map(({ id }) => id),
  );
  const changed = rows.filter(({ id, status }) => ends.get(id) !== status || reasonFollowed.has(id));
  expect(history.map(({ move }) => move.replace(/ \w+ /, " "))).toEqual(
    changed.map(({ id, status }) => `${status} ${ends.get(id)}`).toSorted(),
  );
  const moves = history.map(({ move }) => move);
  expectAllStarts(moves);
  return moves;
}

/** Each event must start from exactly the statuses that the machine lists. */
function expectAllStarts(moves: readonly string[]): void {
  const happened = depositMachine.events.filter((event) => moves.some((move) => move.includes(` ${event} `)));
  const edges = happened.flatMap((event) => {
    const { from, to } = depositMachine.edge(event);
    return from.map((status) => `${status} ${event} ${to}`);
  });
  expect(edges.toSorted()).toEqual(moves.toSorted());
}

it("a later block makes DETECTED deposits CONFIRMING, and no others", async () => {
  expect(await movesOf((tx) => markConfirming(tx, scope, { below: 101 }))).toEqual([
    "DETECTED buried CONFIRMING",
  ]);
});

it("a fork orphans deposits in the chain that are not final", async () => {
  expect(await movesOf((tx) => orphanDeposits(tx, scope, { above: 99 }))).toEqual([
    "CONFIRMING orphaned REORG_PENDING",
    "DETECTED orphaned REORG_PENDING",
    "STUCK orphaned REORG_PENDING",
  ]);
});

/** As after the second reading of their block. */
async function passQuorum(tx: Transaction, rows: readonly Row[], check: Partial<Check> = {}) {
  const base = {
    name: "quorum",
    result: "passed",
    detail: "reported alike",
    merchantId: charge.merchantId,
  } as const;
  const checks = rows.map(({ id: depositId }) => ({ ...base, depositId, ...check }));
  await saveChecks(tx, { blockId: solid.blockId, checks });
}

function decide(tx: Transaction, rows: readonly Row[], decision: DepositDecision): Promise<unknown> {
  return tx.query(sql`
    update deposits set decision = ${decision}
    where merchant_id = ${charge.merchantId} and id = any(${rows.map(({ id }) => id)}::uuid[])`);
}

/** Confirms the deposits up to the solid block and books them in one transaction. */
async function finalize(tx: Transaction) {
  const deposits = await finalizeDeposits(tx, scope, { ...every(), solid, head: 118 });
  await bookDeposits(tx, deposits, await loadCharges(tx, chargesOf(deposits)));
  return deposits;
}

it("a verified block confirms CONFIRMING and STUCK deposits that have passed their checks", async () => {
  const checked = async (tx: Transaction, rows: readonly Row[]) => {
    expect(await finalize(tx)).toEqual([]);
    await passQuorum(tx, rows);
    await passQuorum(tx, rows, { name: "solidity", result: "waiting" });
    await finalize(tx);
  };
  expect(await movesOf(checked)).toEqual(["CONFIRMING finalized CONFIRMED", "STUCK finalized CONFIRMED"]);
});

it.each<[string, (tx: Transaction, rows: readonly Row[]) => Promise<unknown>]>([
  ["a check of them waits", (tx, rows) => passQuorum(tx, rows, { name: "balance", result: "waiting" })],
  [
    "their checks are about another block",
    (tx) => tx.query(sql`update deposit_checks set block_id = ${"cd".repeat(32)}`),
  ],
  ["an operator rejected them", (tx, rows) => decide(tx, rows, "rejected")],
])("nothing is finalized where %s", async (_why, work) => {
  const unfinished = async (tx: Transaction, rows: readonly Row[]) => {
    await passQuorum(tx, rows);
    await work(tx, rows);
    expect(await finalize(tx)).toEqual([]);
  };
  expect(await movesOf(unfinished)).toEqual([]);
});

it("an operator's rejection fails STUCK deposits, and no others", async () => {
  const rejected = async (tx: Transaction, rows: readonly Row[]) => {
    await decide(tx, rows, "rejected");
    await failRejected(tx, scope, every());
  };
  expect(await movesOf(rejected)).toEqual(["STUCK rejected FAILED"]);
});

it("an operator's decision replaces every check", async () => {
  const accepted = async (tx: Transaction, rows: readonly Row[]) => {
    await passQuorum(tx, rows, { result: "waiting" });
    await decide(tx, rows, "accepted");
    await finalize(tx);
  };
  expect(await movesOf(accepted)).toEqual(["CONFIRMING finalized CONFIRMED", "STUCK finalized CONFIRMED"]);
});

it("no deposit of an orphaned block is confirmed, whatever its status", async () => {
  const left = async (tx: Transaction, rows: readonly Row[]) => {
    await passQuorum(tx, rows);
    await tx.query(sql`update blocks set orphaned_at = now() where id = ${solid.blockId}`);
    const moved = await finalize(tx);
    await tx.query(sql`update blocks set orphaned_at = null where id = ${solid.blockId}`);
    return moved;
  };
  expect(await movesOf(left)).toEqual([]);
});

it.each<
  [
    string,
    { solid: number; verified: number },
    (tx: Transaction, rows: readonly Row[]) => Promise<unknown>,
    string,
  ]
>([
  ["too few witnesses build on their block", { solid: 99, verified: 99 }, async () => {}, "solidity"],
  ["too few nodes name their block", { solid: 100, verified: 99 }, async () => {}, "quorum"],
  [
    "too few nodes report them",
    { solid: 100, verified: 100 },
    (tx, rows) => passQuorum(tx, rows, { result: "waiting" }),
    "quorum",
  ],
  [
    "their address does not hold them",
    { solid: 100, verified: 100 },
    async (tx, rows) => {
      await passQuorum(tx, rows);
      await passQuorum(tx, rows, { name: "balance", result: "waiting" });
    },
    "balance",
  ],
])(
  "time makes a CONFIRMING deposit STUCK, and one STUCK for another reason, once, if %s",
  async (_why, heights, work, reason) => {
    const another = reason === "quorum" ? "balance" : "quorum";
    const reasons = new Set<string | null>();
    const stall = async (tx: Transaction, rows: readonly Row[]) => {
      const ids = rows.map(({ id }) => id);
      await context.owner.query(sql`
      update deposits set detected_at = now() - interval '11 minutes',
        stuck_reason = case when status = 'STUCK' then ${another} end
      where merchant_id = ${charge.merchantId} and id = any(${ids}::uuid[])`);
      await work(tx, rows);
      const waiting = { ...heights, madeBefore: later, stuckAfterMs: 600_000 };
      for (const deposit of await stallDeposits(tx, scope, waiting)) reasons.add(deposit.stuckReason);
      expect(await stallDeposits(tx, scope, waiting)).toEqual([]);
      const checks = await listChecks(tx, { merchantId: charge.merchantId, depositIds: ids });
      expect(checks.filter(({ result }) => result === "waiting").map(({ name }) => name)).toContain(reason);
    };
    expect(await movesOf(stall)).toEqual(["CONFIRMING stalled STUCK", "STUCK stalled STUCK"]);
    expect([...reasons]).toEqual([reason]);
  },
);

it("a deposit that our outage delayed does not become STUCK up to the solid block", async () => {
  const stall = async (tx: Transaction, rows: readonly Row[]) => {
    await context.owner.query(sql`update deposits set detected_at = now()`);
    await passQuorum(tx, rows, { result: "waiting" });
    const waiting = { madeBefore: later, stuckAfterMs: 600_000 };
    expect(await stallDeposits(tx, scope, { ...waiting, solid: 100, verified: 100 })).toEqual([]);
    expect(await stallDeposits(tx, scope, { ...waiting, solid: 100, verified: 99 })).toEqual([]);
  };
  expect(await movesOf(stall)).toEqual([]);
});

it("a new inclusion returns a REORG_PENDING deposit, and even a FAILED one", async () => {
  const included = async (tx: Transaction, rows: readonly Row[]) => {
    const block = { number: 101, blockId: "cd".repeat(32), time: later };
    await includeAgain(tx, scope, { observed: rows.map(observedTransferOf), block });
  };
  expect(await movesOf(included)).toEqual(["FAILED included DETECTED", "REORG_PENDING included DETECTED"]);
});

it("only a deposit that left the chain is dropped", async () => {
  expect(await movesOf((tx) => failDropped(tx, scope, { ...every(), solid, droppedAfterMs: 1 }))).toEqual([
    "REORG_PENDING failed FAILED",
  ]);
});

it("only a deposit that left the chain fails by an inclusion that did not pay it", async () => {
  const unpaid = async (tx: Transaction, rows: readonly Row[]) => {
    const inclusions = () => ({ txIds: rows.map(({ txId }) => txId), completeTxIds: [] });
    await markUnpaid(tx, { network: scope.network, blockId: solid.blockId, inclusions });
    await failUnpaid(tx, scope, { ...every(), solid });
  };
  expect(await movesOf(unpaid)).toEqual(["REORG_PENDING failed FAILED"]);
});

it("CONFIRMING changes no indexed column of deposits, so that no index is written", async () => {
  const rows = await context.db.query<{ column: string }>(sql`
    select distinct attname::text as column
    from pg_index
    join pg_attribute on attrelid = indrelid
    where indrelid = 'deposits'::regclass and (attnum = any(indkey)
      or exists (select from pg_depend where objid = indexrelid and refobjid = indrelid and refobjsubid = attnum))`);
  const known = rows.map(({ column }) => column);
  expect(known).toEqual(expect.arrayContaining(["merchant_id", "tx_id", "confirmed_at", "failed_at"]));
  expect(known.filter((column) => ["status", "stuck_reason", "updated_at"].includes(column))).toEqual([]);
});

it.each(depositStatuses)(
  "a %s deposit is in the list of open deposits if its status requires it",
  async (status) => {
    const network = `only-${status.toLowerCase()}`;
    const { id } = await aDeposit(context.db, { chargeId: charge.id, status, blockTime: time });
    await context.owner.query(sql`update deposits set network = ${network} where id = ${id}`);
    await context.owner.query(sql`update open_deposits set network = ${network} where deposit_id = ${id}`);
    const { hasUnconfirmed, hasOrphaned } = await findWaiting(context.db, {
      network,
      solid: 100,
      verified: 100,
    });
    const isToFail = await hasDepositsToFail(context.db, { network, solid, droppedAfterMs: 1 });
    expect(hasUnconfirmed).toBe(["DETECTED", "CONFIRMING", "STUCK"].includes(status));
    expect(hasOrphaned).toBe(status === "REORG_PENDING");
    expect(isToFail).toBe(status === "REORG_PENDING");
  },
);

function observedTransferOf({ id, txId }: Row) {
  return {
    id,
    merchantId: charge.merchantId,
    chargeId: charge.id,
    txId,
    source: "log" as const,
    eventIndex: 0,
    address: charge.address,
    fromAddress: null,
    currency: "USDT" as const,
    amount: amountFromUnits(1n),
    txExpiresAt: null,
    isMerkleProven: true,
  };
}
