import type { Context } from "../context.ts";
import { sql, type Transaction } from "../db/sql.ts";
import { loadCharges } from "../deposit-addresses/charge.ts";
import { settleOrders } from "../deposit-addresses/settle-orders.ts";
import { isDust } from "../domain/deposit.ts";
import { assertLease } from "../runtime/lease.ts";
import type { BlockHeader } from "../tron/parse-block.ts";
import { enqueueEvents } from "../webhooks/enqueue-events.ts";
import { type Cursor, findBlockId, raiseSolid } from "./block-store.ts";
import { depositConfirmedEvent } from "./deposit-event.ts";
import { SolidContradictionError } from "./follow-fork.ts";
import { reportDeposits } from "./report-deposits.ts";
import type { Scanner } from "./scanner.ts";
import { type ChangedDeposit, hasOpenDeposits, transitionDeposits } from "./store.ts";

/** Deposits that are confirmed in one transaction, so that a full block of them does not hold rows for long. */
const MAX_CONFIRMED_AT_ONCE = 200;

/** The solid height normally lies 18 blocks behind the head. */
const MAX_BLOCKS_UNASKED = 40;

/**
 * Confirms what has become final: deposits with the required confirmations, at or below the solidified height, in a
 * block that the solid chain has. One comparison proves the last for all of them: our block at the solidified height
 * has the solid block's hash, and our blocks are linked by parent hash down from there. In the same transaction the
 * order is settled and the events are written. Answers whether more may be waiting.
 */
export async function confirmDeposits(context: Context, scanner: Scanner, cursor: Cursor): Promise<boolean> {
  if (!(await isWorthAsking(context, scanner, cursor))) return false;
  const solid = await findProvenSolidBlock(context, scanner, cursor);
  if (solid === undefined) return false;
  const { network, lease } = scanner;
  const scope = { network: network.name, epoch: lease.epoch };
  const { confirmed, stuck } = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await raiseSolid(tx, { network: network.name, number: solid.number, time: new Date(solid.timeMs) });
    const confirmed = await transitionDeposits(tx, scope, {
      event: "finalized",
      where: sql`d.id = any(array(
        select final.id from deposits final
        join blocks b on b.id = final.block_id and b.orphaned_at is null
        where final.network = ${network.name} and final.status in ('CONFIRMING', 'STUCK')
          and final.block_number <= ${solid.number}
          and final.block_number + final.required_confirmations - 1 <= ${cursor.number}
        order by final.block_number, final.id limit ${MAX_CONFIRMED_AT_ONCE}))`,
      set: sql`, confirmed_at = now(), final_confirmations = ${cursor.number} - changed.block_number + 1`,
    });
    await announce(context, tx, confirmed);
    const stuck = await transitionDeposits(tx, scope, {
      event: "stalled",
      where: sql`d.block_time < ${new Date(cursor.time.getTime() - context.config.STUCK_AFTER)}
        and d.block_number > ${solid.number}`,
      stuckReason: "solidity",
    });
    return { confirmed, stuck };
  });
  context.metrics.solidBlock.set(solid.number);
  reportDeposits(context, [...confirmed, ...stuck]);
  return confirmed.length === MAX_CONFIRMED_AT_ONCE;
}

/** Hosted nodes count calls: without a deposit on its way the solid height is asked for only now and then. */
async function isWorthAsking(context: Context, scanner: Scanner, cursor: Cursor): Promise<boolean> {
  if (cursor.number - cursor.solidNumber > MAX_BLOCKS_UNASKED) return true;
  return hasOpenDeposits(context.db, scanner.network.name);
}

/**
 * The newest solid block that we have read too, proven to be the same; undefined where the solid chain has not
 * reached what we have read. A difference means that either we or the node are on a dead fork.
 */
async function findProvenSolidBlock(
  context: Context,
  { client, network }: Scanner,
  cursor: Cursor,
): Promise<BlockHeader | undefined> {
  const newest = await client.getSolidBlock();
  const solid = newest.number <= cursor.number ? newest : await client.getSolidBlockByNumber(cursor.number);
  if (solid === undefined) return undefined;
  const ours = await findBlockId(context.db, { network: network.name, number: solid.number });
  if (ours === undefined) return undefined;
  if (ours === solid.id) return solid;
  throw new SolidContradictionError(
    `block ${solid.number} is solid as ${solid.id} but was read as ${ours}; nothing is confirmed until they agree`,
  );
}

async function announce(
  context: Context,
  tx: Transaction,
  deposits: readonly ChangedDeposit[],
): Promise<void> {
  const matching = deposits.filter((deposit) => !deposit.unmatched);
  const charges = await loadCharges(tx, [...new Set(matching.map((deposit) => deposit.depositAddressId))]);
  await enqueueEvents(
    context,
    tx,
    matching
      .filter((deposit) => !isDust(deposit.currency, deposit.amount))
      .map((deposit) => depositConfirmedEvent(deposit, charges)),
  );
  await settleOrders(context, tx, [...charges.keys()]);
}
