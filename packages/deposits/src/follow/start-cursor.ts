import { IncompleteBlockError, NodeError } from "@daric/chain/blocks/node-error";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import { assertLease } from "@daric/runtime/lease";
import { type Cursor, findCursor, insertCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { answersNeeded } from "../settings.ts";
import { MIN_SOLID_LAG } from "../verify/solid-height.ts";
import type { Scanner } from "./scanner.ts";
import { findFirstChargeTime } from "./start-store.ts";

/** How far block times and our clock may differ without a missed payment. */
const CLOCK_MARGIN_MS = 3_600_000;

/** Solidity lags for minutes at worst; a solid block further below the head (50 minutes) is not used. */
const MAX_SOLID_LAG = 1_000;

type Headers = Pick<Scanner["client"], "getHeadBlock" | "getSolidBlock" | "getBlock" | "fetchCompleteBlock">;

/**
 * Writes the first cursor of a new database. It stands below the configured start block, or else below the solid block. If charges
 * were made before the first reading, it stands an hour before the first of them, so that no payment is missed. Blocks up
 * to it count as final and are never read, so a quorum of nodes must agree on it.
 */
export async function startCursor(context: WatcherContext, scanner: Scanner): Promise<Cursor> {
  const { network, lease } = scanner;
  const before = await findAgreedStart(context, scanner);
  const cursor = {
    number: before.number,
    blockId: before.id,
    time: new Date(before.timeMs),
    solidNumber: before.number,
  };
  await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await insertCursor(tx, { network: network.name, cursor, epoch: lease.epoch });
  });
  context.log.info({ block_number: cursor.number + 1 }, "the scan starts");
  return (await findCursor(context.db, network.name)) ?? cursor;
}

async function findAgreedStart(context: WatcherContext, scanner: Scanner): Promise<BlockHeader> {
  const header = await findStart(context, scanner);
  await orDemoteLead(scanner, requireQuorum(context, scanner, header));
  return header;
}

/** @throws NotYetError if fewer nodes than the quorum have this block. */
async function requireQuorum(
  { config }: WatcherContext,
  { client: { nodes } }: Scanner,
  { number, id }: BlockHeader,
): Promise<void> {
  const needed = answersNeeded(config.deposits, nodes.length);
  if (needed === 1) return;
  const answers = await Promise.all(nodes.map((node) => answerOf(node, { number, id })));
  const others = answers.filter((answer) => answer !== undefined);
  const agreeing = answers.length - others.length;
  if (agreeing >= needed) return;
  throw new NotYetError(
    `block ${number}, above which reading would begin, is shown alike by ${agreeing} of the ${needed} nodes that must; nothing is read until they do (${others.join("; ")})`,
  );
}

async function answerOf(
  node: TronNode,
  { number, id }: Pick<BlockHeader, "number" | "id">,
): Promise<string | undefined> {
  try {
    const header = await node.getHeader(number);
    if (header?.id === id) return undefined;
    return `${node.label}: ${header === undefined ? "has no such block" : "shows another one"}`;
  } catch (error) {
    if (error instanceof NodeError) return error.safeMessage;
    throw error;
  }
}

async function orDemoteLead<T>({ client }: Scanner, pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    client.demoteLead();
    throw error;
  }
}

async function findStart(context: WatcherContext, scanner: Scanner): Promise<BlockHeader> {
  const { client } = scanner;
  const newest = await newestFirstBlock(client);
  const { startBlock: configured } = context.config.deposits;
  const first =
    configured === undefined ? await firstBlockToRead(context, client, newest) : Math.min(configured, newest);
  return orDemoteLead(scanner, getLinkedHeader(client, Math.max(0, first - 1)));
}

/**
 * The highest start: the node's solid block, within possible bounds. Without solid blocks it is one deep enough to be solid in
 * any case.
 */
async function newestFirstBlock(client: Headers): Promise<number> {
  const head = await client.getHeadBlock();
  const possible = { min: head.number - MAX_SOLID_LAG, max: head.number - MIN_SOLID_LAG };
  const solid = await client.getSolidBlock().catch((error: unknown) => {
    if (error instanceof NodeError && error.fault === "no_solidity") return undefined;
    throw error;
  });
  return Math.max(0, possible.min, Math.min(solid?.number ?? possible.min, possible.max));
}

async function firstBlockToRead(context: WatcherContext, client: Headers, newest: number): Promise<number> {
  const firstCharge = await findFirstChargeTime(context.db);
  if (firstCharge === undefined) return newest;
  const timeMs = firstCharge.getTime() - CLOCK_MARGIN_MS;
  const { number, isMissing } = await lastBlockUpTo(client, timeMs, newest);
  if (!isMissing) return number;
  if ((await findHeader(client, number)) !== undefined) {
    throw new NotYetError(
      `block ${number} was missing and is there now; the search for the start is repeated`,
    );
  }
  // The cursor stands on a block, so reading starts above the oldest one that is kept.
  const oldest = await getHeader(client, number + 1);
  context.log.warn(
    {
      event: "blocks_not_kept",
      oldest_block: oldest.number,
      oldest_block_time: new Date(oldest.timeMs),
      first_charge: firstCharge,
    },
    "the nodes do not keep the blocks since the first charge was made; payments before oldest_block are not seen",
  );
  return oldest.number + 1;
}

/**
 * The height of the last block up to `timeMs`, or of the last one that no node keeps if that is later. It searches by doubling
 * steps back, since a node may keep new blocks only, and then by halving.
 */
async function lastBlockUpTo(
  client: Headers,
  timeMs: number,
  newest: number,
): Promise<{ number: number; isMissing: boolean }> {
  const isOlder = async (number: number): Promise<"older" | "missing" | undefined> => {
    const header = await findHeader(client, number);
    if (header === undefined) return "missing";
    return header.timeMs <= timeMs ? "older" : undefined;
  };
  let high = newest;
  if ((await getHeader(client, high)).timeMs <= timeMs) return { number: high, isMissing: false };
  let low = high;
  let found: "older" | "missing" | undefined;
  for (let step = 1; found === undefined; step *= 2) {
    if (low === 0) return { number: 0, isMissing: false };
    high = low;
    low = Math.max(0, low - step);
    found = await isOlder(low);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const answer = await isOlder(middle);
    if (answer === undefined) high = middle;
    else [low, found] = [middle, answer];
  }
  return { number: low, isMissing: found === "missing" };
}

/** The header at a height, confirmed by the parent id of the next block, because all reading builds on it. */
async function getLinkedHeader(client: Headers, number: number): Promise<BlockHeader> {
  const header = await getHeader(client, number);
  const next = await findHeader(client, number + 1);
  if (next === undefined ? number === 0 : next.parentId === header.id) return header;
  throw new NotYetError(
    `block ${number + 1} does not follow block ${number} as the node reported it; both are fetched again`,
  );
}

async function getHeader(client: Headers, number: number): Promise<BlockHeader> {
  const header = await findHeader(client, number);
  if (header === undefined) throw new NotYetError(`the nodes have no block ${number}`);
  return header;
}

/** Undefined if no node has the block. All nodes are called, because one may keep fewer blocks than another. */
async function findHeader(client: Headers, number: number): Promise<BlockHeader | undefined> {
  if (number === 0) return (await client.getBlock(0))?.header;
  try {
    return (await client.fetchCompleteBlock(number)).header;
  } catch (error) {
    if (error instanceof IncompleteBlockError && error.reason === undefined) return undefined;
    throw error;
  }
}
