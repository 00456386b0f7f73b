import type { Context } from "../context.ts";
import type { BlockHeader } from "../tron/parse-block.ts";
import { type Cursor, findFirstChargeTime, insertCursor, loadCursor } from "./block-store.ts";
import type { Scanner } from "./scanner.ts";

/** Block times and our clock may differ by this much before the first cursor could miss a payment. */
const CLOCK_MARGIN_MS = 3_600_000;

/**
 * Where reading begins on a new database: SCAN_START_BLOCK where it is set; otherwise the solid block, which no fork
 * can replace; but when charges were made before the first block was ever read (the nodes were away), the solid block
 * an hour older than the first charge, so that nothing paid meanwhile is missed. The cursor stands on the block before.
 */
export async function startCursor(context: Context, scanner: Scanner): Promise<Cursor> {
  const { client, network, lease } = scanner;
  const solid = await client.getSolidBlock();
  const first = context.config.SCAN_START_BLOCK ?? (await firstBlockToRead(context, scanner, solid));
  const before = await headerAt(client, Math.min(first, solid.number) - 1);
  const cursor = {
    number: before.number,
    blockId: before.id,
    time: new Date(before.timeMs),
    solidNumber: before.number,
  };
  await context.db.transaction((tx) =>
    insertCursor(tx, { network: network.name, cursor, epoch: lease.epoch }),
  );
  context.log.info({ block_number: cursor.number + 1 }, "reading the chain begins");
  return (await loadCursor(context.db, network.name)) ?? cursor;
}

async function firstBlockToRead(context: Context, scanner: Scanner, solid: BlockHeader): Promise<number> {
  const firstCharge = await findFirstChargeTime(context.db);
  if (firstCharge === undefined) return solid.number;
  return lastBlockUpTo(scanner.client, firstCharge.getTime() - CLOCK_MARGIN_MS, solid);
}

/** The height of the last block made up to `timeMs`, by halving: block times grow with the height. */
async function lastBlockUpTo(
  client: Scanner["client"],
  timeMs: number,
  newest: BlockHeader,
): Promise<number> {
  let low = 0;
  let high = newest.number;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const header = await headerAt(client, middle);
    if (header.timeMs <= timeMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

async function headerAt(client: Scanner["client"], number: number): Promise<BlockHeader> {
  const height = Math.max(0, number);
  const header = await client.getSolidBlockByNumber(height);
  if (header === undefined) throw new Error(`the node has no solid block ${height}`);
  return header;
}
