import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import type { ChainReader } from "@daric/chain/nodes/chain-reader";
import { assets } from "@daric/domain/asset";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { type Database, type Queryable, sql } from "@daric/postgres/sql";
import { auditDatabase } from "@daric/server/doctor/audit";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { requireDerivedTables } from "@daric/testing/derived-tables";
import { createForkChain, type Fate, type ForkChain } from "@daric/testing/fork-chain";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { addressToHex } from "@daric/tron/address";
import fc from "fast-check";
import { expect, it } from "vitest";
import { scanChain } from "./scan-chain.ts";

/** A crash is an error before or after a commit: the process ends, and the next one continues. */
type Crash = "before commit" | "after commit" | undefined;

/** A lie about heights or times with true ids, which no proof of a block refutes. */
type Lie =
  | "solid is the head"
  | "solid is far above"
  | "solid is long ago"
  | "time has passed"
  | "lags"
  | undefined;
const lies: Lie[] = [
  "solid is the head",
  "solid is far above",
  "solid is long ago",
  "time has passed",
  "lags",
];

type Step =
  | { do: "pay"; order: number; units: bigint }
  | { do: "mine"; blocks: number }
  | { do: "fork"; depth: number; fates: Fate[] }
  | { do: "flip" }
  | { do: "scan"; crashes: Crash[]; lie: Lie };

const ORDERS = 3;
const BLOCK_MS = 3_000;
const YEAR_MS = 365 * 24 * 3_600_000;

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
    // A step takes less time than finality, so later blocks are read in batches.
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("mine" as const), blocks: fc.integer({ min: 20, max: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fork" as const),
      depth: fc.integer({ min: 1, max: 8 }),
      fates: fc.array(fc.constantFrom<Fate>("kept", "moved", "failed", "dropped", "redirected"), {
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
      lie: fc.option(fc.constantFrom(...lies), { nil: undefined }),
    }),
  },
);

function lyingReader(lie: Lie, { reader }: ForkChain): ChainReader {
  const later = (header: BlockHeader) => ({ ...header, timeMs: header.timeMs + YEAR_MS });
  const above = async (blocks: number) => {
    const head = await reader.getHeadBlock();
    const header = (await reader.getBlock(head.number + blocks))?.header;
    return header ?? { ...head, number: head.number + blocks };
  };
  if (lie === "lags") return { ...reader, getHeadBlock: () => above(-3) };
  if (lie === "solid is long ago") return { ...reader, getSolidBlock: () => above(-20) };
  if (lie === "time has passed") {
    return { ...reader, getSolidBlock: async () => later(await reader.getSolidBlock()) };
  }
  if (lie === undefined) return reader;
  return { ...reader, getSolidBlock: () => above(lie === "solid is the head" ? 0 : 1_000_000) };
}

class CrashError extends Error {}

/** The database of a process that ends at the transactions given by `crashes`. */
function crashing(db: Database, crashes: Crash[]): Database {
  return {
    query: (statement) => db.query(statement),
    answeringWithin: () => expect.fail("no request waits for the watcher"),
    forTenant: () => expect.fail("the watcher has no merchant"),
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

type History = { id: string; statuses: string[] };

/** The statuses of each deposit above dust, in order. */
function histories(db: Queryable): Promise<History[]> {
  return db.query(sql`
    select d.id, array_agg(event.to_status order by event.id) as statuses
    from deposits d join deposit_events event on event.merchant_id = d.merchant_id and event.deposit_id = d.id
    where d.units >= ${assets.TRX.dust} group by d.id order by d.id`);
}

/** The same from the events, by their numbers. */
function reportedHistories(db: Queryable): Promise<History[]> {
  return db.query(sql`
    select event.resource_id as id,
      array_agg(convert_from(body.body, 'UTF8')::jsonb -> 'data' ->> 'status' order by event.sequence) as statuses
    from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    join deposits d on d.merchant_id = event.merchant_id and d.id = event.resource_id and d.units >= ${assets.TRX.dust}
    where event.type like 'deposit.%' group by event.resource_id order by event.resource_id`);
}

async function scan(
  context: TestContext,
  chain: ForkChain,
  { crashes, lie }: { crashes: Crash[]; lie: Lie },
): Promise<boolean> {
  const scanner = await aScanner(context, lyingReader(lie, chain));
  const db = crashing(context.db, [...crashes]);
  return scanChain({ ...context, db }, scanner).catch((error: unknown) => {
    if (error instanceof CrashError) return true;
    throw error;
  });
}

/** The violations that the doctor finds. */
async function violations(context: TestContext): Promise<unknown[]> {
  const diagnoses = await auditDatabase(context.db, "devnet");
  return diagnoses.flatMap((diagnosis) => diagnosis.violations);
}

it("a subscriber gets every change of a deposit, in order, once", async () => {
  const context = await createTestContext();
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 40, size: "max" }),
    async (steps) => {
      await context.owner.query(
        sql`truncate merchants, open_deposits, list_counts, active_charge_counts, archive_queue, address_directory, blocks, scan_cursors, leases, webhook_events, webhook_event_bodies, webhook_deliveries cascade`,
      );
      const merchants = [await aMerchant(context.db), await aMerchant(context.db)];
      for (const { id } of merchants)
        await anEndpointRow(context.db, id, { eventTypes: [...webhookEventTypes] });
      const startMs = Date.now();
      const chain = createForkChain(startMs);
      chain.mine(20);
      await scanToRest(context, await aScanner(context, chain.reader));
      const lastBlocks = Array.from({ length: ORDERS }, (_, order) => 30 + 10 * order);
      const orders = await Promise.all(
        lastBlocks.map((block, order) => {
          const merchantId = merchants[order % merchants.length]?.id ?? "";
          const expiresAt = new Date(startMs + block * BLOCK_MS);
          return aCharge(context.db, { merchantId, currency: "TRX", amount: "40", expiresAt });
        }),
      );
      for (const next of steps) {
        if (next.do === "pay") chain.pay(orders[next.order]?.address ?? "", next.units);
        if (next.do === "mine") chain.mine(next.blocks);
        if (next.do === "fork") chain.fork(next.depth, next.fates);
        if (next.do === "flip") chain.flipBack();
        if (next.do === "scan") {
          await scan(context, chain, next);
          // No other action changes a row.
          expect(await violations(context)).toEqual([]);
          await requireDerivedTables(context.db);
        }
      }
      chain.mine(45);
      await scanToRest(context, await aScanner(context, chain.reader));
      expect(await violations(context)).toEqual([]);

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

      expect(await reportedHistories(context.db)).toEqual(await histories(context.db));

      const expired = await context.db.query<{ id: string }>(sql`
        select resource_id as id from webhook_events where type = 'order.expired'`);
      for (const { id } of expired) {
        const order = orders.findIndex((order) => order.id === id);
        const toHex = addressToHex(orders[order]?.address ?? "");
        const onTime = expected
          .filter(({ units }) => units >= assets.TRX.dust)
          .filter((transfer) => transfer.toHex === toHex && transfer.blockNumber <= (lastBlocks[order] ?? 0));
        expect(onTime).toEqual([]);
      }
    },
  );
  try {
    await fc.assert(property, { numRuns: isNight ? 25 : 3, endOnFailure: true });
  } finally {
    await context.close();
  }
}, 300_000);
