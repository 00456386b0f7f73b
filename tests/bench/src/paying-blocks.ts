import { setTimeout as sleep } from "node:timers/promises";
import { ORDER_AMOUNT } from "./charge-requests.ts";
import { control, pay } from "./payments.ts";
import { waitUntil } from "./programs.ts";
import type { Stage, StagedDeployment } from "./stage.ts";

/** 12,000 paid orders in an hour. */
const ORDERS_A_BLOCK = 2;
const BLOCK_EVERY_MS = 600;
/** A block is solid, and its payments are final, under so many others. */
const SOLID_LAG = 18;

/** The orders that are paid in a stretch of about this length, and some more. */
export function ordersOf(seconds: number): number {
  const blocks = Math.ceil((1.5 * seconds * 1_000) / BLOCK_EVERY_MS);
  return Math.min(blocks, SOLID_LAG - 1) * ORDERS_A_BLOCK;
}

/** Has these orders paid, and waits until all are. */
export async function payAtOnce(
  stage: Stage,
  { db }: StagedDeployment,
  addresses: readonly string[],
): Promise<void> {
  await pay(stage, addresses, ORDER_AMOUNT);
  await control(stage, "mine", { blocks: 2 * SOLID_LAG });
  await waitUntil("each order is paid", async () => {
    const { rowCount } = await db.query("select from webhook_events where type = 'order.paid'");
    return rowCount === addresses.length;
  });
}

/** Has these unpaid orders paid, each in a block that is not final yet. The service must be watching. */
export async function payInBlocks(
  stage: Stage,
  { db }: StagedDeployment,
  addresses: readonly string[],
): Promise<void> {
  const blocks = addresses.length / ORDERS_A_BLOCK;
  for (let block = 0; block < blocks; block += 1) {
    await pay(stage, addresses.slice(block * ORDERS_A_BLOCK, (block + 1) * ORDERS_A_BLOCK), ORDER_AMOUNT);
    await control(stage, "mine", { blocks: 1 });
  }
  await control(stage, "mine", { blocks: SOLID_LAG - blocks });
  const isSeen = async () => (await countOpen(db)) === addresses.length;
  await waitUntil("each payment is seen", isSeen);
}

/** Does the work while block after block becomes final. Afterwards the others do too. */
export async function whileBlocksEnd<T>(
  stage: Stage,
  { db }: StagedDeployment,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const mining = mineInTurn(stage, ended.signal);
  try {
    return await work();
  } finally {
    ended.abort();
    await mining;
    await control(stage, "mine", { blocks: SOLID_LAG });
    await waitUntil("each order is paid", async () => (await countOpen(db)) === 0);
  }
}

async function mineInTurn(stage: Stage, ended: AbortSignal): Promise<void> {
  for (let next = performance.now(); !ended.aborted; next += BLOCK_EVERY_MS) {
    await control(stage, "mine", { blocks: 1 });
    await sleep(next + BLOCK_EVERY_MS - performance.now(), undefined, { signal: ended }).catch(
      () => undefined,
    );
  }
}

async function countOpen(db: StagedDeployment["db"]): Promise<number> {
  const { rowCount } = await db.query("select from deposits where status in ('DETECTED', 'CONFIRMING')");
  return rowCount ?? 0;
}
