import { findNetwork } from "@daric/chain/nodes/networks";
import { findCursor } from "@daric/deposits/block-store";
import { writeFinal } from "@daric/deposits/verify/write-final";
import type { DepositId, MerchantId } from "@daric/domain/ids";
import { openDatabase } from "@daric/postgres/database";
import { sql } from "@daric/postgres/sql";
import { acquireLease, type Lease, releaseLease } from "@daric/runtime/lease";
import { processVariables, readConfig } from "@daric/server/process/config";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { runOnCommand } from "./serve-commands.ts";

/**
 * Settles all blocks with open deposits, each by the watcher's transaction, and enqueues their events if asked to. With
 * `rehearsals` it repeats the first one instead, and rolls back.
 */
export type SettledBlocks = { readonly rehearsals: number };

/** So many confirmations that no setting requires more. */
const CONFIRMATIONS = 100_000;
const ROLLED_BACK = new Error("rolled back");
const variables = processVariables();
const config = readConfig(variables, ["watcher"]);
const isEnqueueing = variables["BENCH_OUTBOX"] === "1";
const db = openDatabase({ url: variables.DATABASE_URL ?? "", onError: () => undefined });
const network = await findNetwork(config.chain);

type OpenDeposit = { readonly merchantId: MerchantId; readonly depositId: DepositId };
type OpenBlock = { number: bigint; blockId: string; time: Date; deposits: readonly OpenDeposit[] };

async function listOpenBlocks(): Promise<OpenBlock[]> {
  return db.query<OpenBlock>(sql`
    select block_number as number, block_id as "blockId", block_time as time,
      json_agg(json_build_object('merchantId', merchant_id, 'depositId', id)) as deposits
    from deposits where status = 'CONFIRMING' group by 1, 2, 3 order by 1`);
}

type Held = { readonly lease: Lease; readonly isRehearsal: boolean };

async function settle({ deposits, ...row }: OpenBlock, { lease, isRehearsal }: Held): Promise<void> {
  const cursor = await findCursor(db, network.name);
  if (cursor === undefined) throw new Error("the watcher has read nothing");
  const block = { ...row, number: Number(row.number) };
  await db.transaction(async (tx) => {
    const { changed, events } = await writeFinal({ config }, tx, {
      network,
      lease,
      cursor: { ...cursor, number: block.number + CONFIRMATIONS },
      solid: block.number,
      verified: block,
      verification: { upTo: block, blocks: [verifiedBlock(block, deposits)], isMore: false },
    });
    if (changed.length !== deposits.length || events.length !== 2 * deposits.length)
      throw new Error(
        `${changed.length} of ${deposits.length} deposits changed, with ${events.length} events`,
      );
    if (isEnqueueing) await enqueueEvents({ config }, tx, events);
    if (isRehearsal) throw ROLLED_BACK;
  });
}

/** A block whose payments enough nodes report. */
function verifiedBlock(
  block: Omit<OpenBlock, "number" | "deposits"> & { number: number },
  deposits: readonly OpenDeposit[],
) {
  const passed = { result: "passed", detail: "2 of 2 nodes agree: first, second" } as const;
  const checks = deposits.flatMap((deposit) =>
    (["solidity", "quorum"] as const).map((name) => ({ ...deposit, name, ...passed })),
  );
  return {
    block: { ...block, infosDigest: undefined, sourceNode: undefined },
    stored: [],
    quorum: undefined,
    checks,
  };
}

runOnCommand(async ({ rehearsals }: SettledBlocks) => {
  const startedMs = performance.now();
  const lease = await acquireLease(db, { name: `watcher:${network.name}`, holder: "bench", ttlMs: 60_000 });
  const open = await listOpenBlocks();
  const [first] = open;
  if (first === undefined || lease === undefined) throw new Error("no payment is open, or a watcher reads");
  const isRehearsal = rehearsals > 0;
  const blocks = isRehearsal ? Array.from({ length: rehearsals }, () => first) : open;
  for (const block of blocks)
    await settle(block, { lease, isRehearsal }).catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error;
    });
  await releaseLease(db, lease);
  return { done: blocks.length, elapsedMs: performance.now() - startedMs };
});
