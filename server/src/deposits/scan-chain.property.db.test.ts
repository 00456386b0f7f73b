import fc from "fast-check";
import { expect, it } from "vitest";
import { aMerchant } from "../../test/builders.ts";
import { aCharge } from "../../test/charge-builders.ts";
import { createTestContext } from "../../test/context.ts";
import { createForkChain, type Fate, type ForkChain } from "../../test/fork-chain.ts";
import type { Context } from "../context.ts";
import { type Database, sql } from "../db/sql.ts";
import { acquireLease } from "../runtime/lease.ts";
import { addressToHex } from "../tron/address.ts";
import { publicNetworks } from "../tron/networks.ts";
import { scanChain } from "./scan-chain.ts";

/** A crash is an error before or after the commit of some transaction: the process is gone, the next one goes on. */
type Crash = "before commit" | "after commit" | undefined;

type Step =
  | { do: "pay"; order: number; units: bigint }
  | { do: "mine"; blocks: number }
  | { do: "fork"; depth: number; fates: Fate[] }
  | { do: "flip" }
  | { do: "scan"; crashes: Crash[] };

const ORDERS = 3;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      order: fc.nat(ORDERS - 1),
      units: fc.bigInt(1n, 50_000_000n),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fork" as const),
      depth: fc.integer({ min: 1, max: 8 }),
      fates: fc.array(fc.constantFrom<Fate>("kept", "moved", "failed", "dropped"), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("flip" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("scan" as const),
      crashes: fc.array(
        fc.constantFrom<Crash>(undefined, undefined, undefined, "before commit", "after commit"),
        {
          maxLength: 4,
        },
      ),
    }),
  },
);

class CrashError extends Error {}

/** The database of a process that ends at the transactions that `crashes` says. */
function crashing(db: Database, crashes: Crash[]): Database {
  return {
    query: (statement) => db.query(statement),
    close: () => db.close(),
    transaction: async (work) => {
      const crash = crashes.shift();
      const result = await db.transaction(async (tx) => {
        const answer = await work(tx);
        if (crash === "before commit") throw new CrashError();
        return answer;
      });
      if (crash === "after commit") throw new CrashError();
      return result;
    },
  };
}

async function scan(context: Context, chain: ForkChain, crashes: Crash[] = []): Promise<boolean> {
  const lease = await acquireLease(context.db, { name: "watcher:devnet", holder: "test", ttlMs: 60_000 });
  if (lease === undefined) throw new Error("the lease is taken");
  const network = { ...publicNetworks.nile, name: "devnet" as const };
  const db = crashing(context.db, [...crashes]);
  return scanChain({ ...context, db }, { client: chain.reader, network, lease }).catch((error: unknown) => {
    if (error instanceof CrashError) return true;
    throw error;
  });
}

/** After a fork the watcher pauses although there is more to read. */
async function scanToRest(context: Context, chain: ForkChain): Promise<void> {
  let pauses = 0;
  while (pauses < 2) if (!(await scan(context, chain))) pauses += 1;
}

it("whatever the order of blocks, forks, scans and crashes: each transfer that stays is credited once, and no other", async () => {
  const context = await createTestContext();
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
    async (steps) => {
      await context.db.query(sql`truncate deposits, blocks, scan_cursors, webhook_events, leases cascade`);
      const { id: merchantId } = await aMerchant(context.db);
      const chain = createForkChain(Date.now());
      chain.mine(20);
      await scan(context, chain);
      const orders = await Promise.all(
        Array.from({ length: ORDERS }, () =>
          aCharge(context.db, { merchantId, currency: "TRX", amount: "40" }),
        ),
      );
      for (const next of steps) {
        if (next.do === "pay") chain.pay(orders[next.order]?.address ?? "", next.units);
        if (next.do === "mine") chain.mine(next.blocks);
        if (next.do === "fork") chain.fork(next.depth, next.fates);
        if (next.do === "flip") chain.flipBack();
        if (next.do === "scan") await scan(context, chain, next.crashes);
      }
      chain.mine(45);
      await scanToRest(context, chain);

      const ours = new Set(orders.map(({ address }) => addressToHex(address)));
      const expected = chain.transfers().filter(({ toHex }) => ours.has(toHex));
      const rows = await context.db.query<{
        status: string;
        txId: string;
        units: bigint;
        blockId: string;
        blockNumber: bigint;
        address: string;
      }>(sql`select status, tx_id as "txId", units, block_id as "blockId", block_number as "blockNumber", address
        from deposits`);
      const credited = rows
        .filter(({ status }) => status === "CONFIRMED")
        .map(({ status: _, address, blockNumber, ...row }) => ({
          ...row,
          blockNumber: Number(blockNumber),
          toHex: addressToHex(address),
        }));
      const byTxId = (a: { txId: string }, b: { txId: string }) => (a.txId < b.txId ? -1 : 1);
      expect(credited.toSorted(byTxId)).toEqual(expected.toSorted(byTxId));
      expect(rows.filter(({ status }) => status !== "CONFIRMED" && status !== "FAILED")).toEqual([]);
      const announced = await context.db.query<{ events: bigint }>(sql`
      select count(*) as events from webhook_events where type = 'deposit.confirmed'`);
      expect(Number(announced[0]?.events)).toBe(expected.length);
    },
  );
  try {
    await fc.assert(property, { numRuns: 25, endOnFailure: true });
  } finally {
    await context.close();
  }
}, 120_000);
