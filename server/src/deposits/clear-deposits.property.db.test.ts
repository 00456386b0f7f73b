import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import type { Fate } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { requireKeptTruths } from "@daric/testing/kept-truths";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import fc from "fast-check";
import { expect, it } from "vitest";
import { publicNetworks } from "../chain/networks.ts";
import { NodeError } from "../chain/node-error.ts";
import type { Scanner } from "./scanner.ts";

type Step =
  | { do: "pay"; to: number; units: bigint }
  | { do: "empty"; from: number; percent: number }
  | { do: "mine"; blocks: number }
  | { do: "fork"; depth: number; fates: Fate[] }
  | { do: "invent"; to: number; units: bigint }
  | { do: "scan"; lie: "honest" | "no balance" | "away"; isRestarted: boolean };

const ADDRESSES = 2;
const SOLID_LAG = 18;
const address = fc.nat(ADDRESSES - 1);
const fates = fc.array(fc.constantFrom<Fate>("kept", "moved", "failed", "dropped"), {
  minLength: 1,
  maxLength: 4,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("pay" as const), to: address, units: fc.bigInt(1n, 50_000n) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("empty" as const),
      from: address,
      percent: fc.integer({ min: 1, max: 100 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("fork" as const), depth: fc.integer({ min: 1, max: 8 }), fates }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("invent" as const),
      to: address,
      units: fc.bigInt(10_000_000n, 90_000_000n),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("scan" as const),
      lie: fc.constantFrom("honest" as const, "honest" as const, "no balance" as const, "away" as const),
      isRestarted: fc.boolean(),
    }),
  },
);

function telling(lie: "honest" | "no balance" | "away", { reader }: ForkRuns): RunReader {
  if (lie === "no balance") return { ...reader, getSolidBalance: async () => 0n };
  if (lie === "honest") return reader;
  const away = new NodeError("is away", { fault: "timeout", node: "node" });
  return { ...reader, getSolidBalance: () => Promise.reject(away) };
}

/** A world of its own: chain, addresses and a watcher that can be restarted. */
async function aWorld(context: TestContext) {
  const { id: merchantId } = await aMerchant(context.db);
  const { chain, runs } = startForkRuns();
  const charges = await Promise.all(
    Array.from({ length: ADDRESSES }, () =>
      aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" }),
    ),
  );
  const addresses = charges.map((charge) => charge.address);
  const emptiedAt = addresses.map(() => -SOLID_LAG);
  let memory: Scanner["memory"] = {};
  const head = async () => (await chain.reader.getHeadBlock()).number;

  async function scan(reader: RunReader, isRestarted = false) {
    memory = isRestarted ? {} : { ...memory, cursor: undefined };
    await scanToRest(context, { ...(await aScanner(context, nodeGroup(reader))), memory });
  }

  /** Only what is solid is sent on, so that no fork can make an address send what it never had. */
  async function empty(from: number, percent: number) {
    const payer = addresses[from] ?? "";
    if ((await head()) - (emptiedAt[from] ?? 0) <= SOLID_LAG + 10) return;
    const balance = await runs.reader.getSolidBalance(payer, publicNetworks.nile.usdtContract);
    const units = (balance * BigInt(percent)) / 100n;
    if (units < 1n) return;
    emptiedAt[from] = await head();
    runs.run({ from: payer, units });
  }

  async function invent(to: string, units: bigint) {
    runs.run({ units: 1n });
    chain.mine(1);
    await scan(runs.inventing(await head(), { to, units }));
  }

  async function take(next: Step) {
    if (next.do === "pay") runs.run({ to: addresses[next.to] ?? "", units: next.units });
    if (next.do === "empty") await empty(next.from, next.percent);
    if (next.do === "mine") chain.mine(next.blocks);
    if (next.do === "fork") chain.fork(next.depth, next.fates);
    if (next.do === "invent") await invent(addresses[next.to] ?? "", next.units);
    if (next.do === "scan") await scan(telling(next.lie, runs), next.isRestarted);
  }
  return { chain, runs, addresses, scan, take };
}

/** The same plays for everybody who tests one commit. BALANCE_PLAYS plays so many others, of any seed or of BALANCE_SEED. */
const { BALANCE_PLAYS, BALANCE_SEED } = process.env;
const PLAYS = BALANCE_PLAYS
  ? { numRuns: Number(BALANCE_PLAYS), ...(BALANCE_SEED && { seed: Number(BALANCE_SEED) }) }
  : { numRuns: 8, seed: 16 };
/** A play takes a second or two. */
const TIMEOUT_MS = 60_000 + PLAYS.numRuns * 30_000;

type Moved = { txId: string; place: number; address: string; units: bigint };
const order = (rows: readonly Moved[]) =>
  rows.toSorted((a, b) => (a.txId + a.place < b.txId + b.place ? -1 : 1));

it(
  "whatever is paid, emptied, forked, made up and restarted: every transfer that stays is confirmed, nothing else ever is, and every outflow that stays is known",
  async () => {
    const context = await createTestContext();
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 35, size: "max" }),
      async (steps) => {
        await context.owner.query(
          sql`truncate merchants, open_deposits, outflows, own_transactions, list_counts, charge_load, archive_work, blocks, scan_cursors, leases cascade`,
        );
        const { chain, runs, addresses, scan, take } = await aWorld(context);
        await scan(runs.reader);
        for (const next of steps) await take(next);
        chain.mine(45);
        await scan(runs.reader);
        for (let later = 0; later < 3; later += 1) {
          chain.mine(21);
          await scan(runs.reader);
        }
        await requireKeptTruths(context.db);

        const moves = await runs.moves();
        const credited = await context.db.query<Moved>(sql`
        select tx_id as "txId", event_index as place, address, units from deposits where status = 'CONFIRMED'`);
        const came = moves.flatMap(({ to, from: _, ...move }) =>
          addresses.includes(to) ? [{ ...move, address: to }] : [],
        );
        expect(order(credited)).toEqual(order(came));
        const left = await context.db.query<Moved>(sql`
        select tx_id as "txId", event_index as place, address, units from outflows
        where exists (select from blocks where id = block_id and orphaned_at is null)`);
        const sent = moves.flatMap(({ to: _, from, ...move }) =>
          addresses.includes(from) ? [{ ...move, address: from }] : [],
        );
        expect(order(left)).toEqual(order(sent));
      },
    );
    try {
      await fc.assert(property, { ...PLAYS, endOnFailure: true });
    } finally {
      await context.close();
    }
  },
  TIMEOUT_MS,
);
