import { IncompleteBlockError, NodeError } from "../chain/node-error.ts";
import type { BlockHeader } from "../chain/parse-block.ts";
import { assertLease } from "../runtime/lease.ts";
import { type Cursor, findCursor, insertCursor } from "./block-store.ts";
import type { WatcherContext } from "./context.ts";
import { NotYetError } from "./not-yet-error.ts";
import { MIN_SOLID_LAG } from "./prove-solid.ts";
import { MAX_SOLID_LAG, proveStart, type ToldStart } from "./prove-start.ts";
import { isAheadOfClock, latestProvenMs, proveTime } from "./prove-time.ts";
import type { Scanner } from "./scanner.ts";
import { findFirstChargeTime } from "./start-store.ts";

/** Block times and our clock may differ by this much before the first cursor could miss a payment. */
const CLOCK_MARGIN_MS = 3_600_000;

/** What the chain is asked for headers through: no later ones than our clock allows, or the chain's where that was proven. */
type Headers = Pick<Scanner["client"], "getHeadBlock" | "getSolidBlock" | "getBlock" | "fetchCompleteBlock">;

/**
 * Where reading begins on a new database: the block that the settings name; otherwise the solid block, which no fork
 * can replace; but when charges were made before the first block was ever read (the nodes were away), the block an
 * hour older than the first charge, so that nothing paid meanwhile is missed. The cursor stands on the block before,
 * and counts as final: it is never nearer to the head than an honest solid block, whatever the node calls solid.
 * Where our clock calls these blocks future, the witnesses that are pinned prove the chain's. That it is a block of the chain
 * they prove too, because nothing below it is ever read again.
 */
export async function startCursor(context: WatcherContext, scanner: Scanner): Promise<Cursor> {
  const { network, lease } = scanner;
  const before = await findProvenStart(context, scanner);
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
  context.log.info({ block_number: cursor.number + 1 }, "reading the chain begins");
  return (await findCursor(context.db, network.name)) ?? cursor;
}

async function findProvenStart(context: WatcherContext, scanner: Scanner): Promise<BlockHeader> {
  const told = await findStart(context, scanner).catch(async (error: unknown) => {
    if (!isAheadOfClock(error) || !(await proveTime(context, scanner))) throw error;
    return findStart(context, scanner);
  });
  return orPassLead(scanner, proveStart(context, scanner, told));
}

/** Whoever has misled us is not asked first the next time. */
async function orPassLead<T>({ client }: Scanner, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    client.passLead();
    throw error;
  }
}

/** The block below the first that is read, and what can be known of it beside what nodes say. */
async function findStart(context: WatcherContext, scanner: Scanner): Promise<ToldStart> {
  const client: Headers = {
    ...scanner.client,
    fetchCompleteBlock: (number, parent) =>
      scanner.client.fetchCompleteBlock(number, parent, latestProvenMs(context, scanner)),
  };
  const newest = await newestFirstBlock(client);
  const { startBlock: configured } = context.config.deposits;
  const { first, untilMs } =
    configured === undefined
      ? await firstBlockToRead(context, client, newest)
      : { first: Math.min(configured, newest), untilMs: undefined };
  const header = await orPassLead(scanner, getLinkedHeader(client, Math.max(0, first - 1)));
  return { header, configured, untilMs };
}

/**
 * The highest block that may be the first to be read: what the node calls solid, within what is possible. Where no node
 * serves that, one so deep that it is solid whatever they would say.
 */
async function newestFirstBlock(client: Headers): Promise<number> {
  const head = await client.getHeadBlock();
  const possible = { least: head.number - MAX_SOLID_LAG, most: head.number - MIN_SOLID_LAG };
  const solid = await client.getSolidBlock().catch((error: unknown) => {
    if (error instanceof NodeError && error.fault === "no_solidity") return undefined;
    throw error;
  });
  return Math.max(0, possible.least, Math.min(solid?.number ?? possible.least, possible.most));
}

/** `untilMs`: the time that it is not later than, where the blocks of then are still kept. */
async function firstBlockToRead(
  context: WatcherContext,
  client: Headers,
  newest: number,
): Promise<{ first: number; untilMs: number | undefined }> {
  const firstCharge = await findFirstChargeTime(context.db);
  if (firstCharge === undefined) return { first: newest, untilMs: undefined };
  const timeMs = firstCharge.getTime() - CLOCK_MARGIN_MS;
  const { number, isMissing } = await lastBlockUpTo(client, timeMs, newest);
  if (!isMissing) return { first: number, untilMs: timeMs };
  if ((await findHeader(client, number)) !== undefined) {
    throw new NotYetError(`block ${number} was not there and now is; the beginning is looked for again`);
  }
  // The cursor stands on a block, so the oldest one that is kept is not read.
  const oldest = await getHeader(client, number + 1);
  context.log.warn(
    {
      oldest_block: oldest.number,
      oldest_block_time: new Date(oldest.timeMs),
      first_charge: firstCharge,
    },
    "the nodes do not keep the blocks since the first charge was made; a payment up to the oldest block they keep is not seen",
  );
  return { first: oldest.number + 1, untilMs: Number.POSITIVE_INFINITY };
}

/**
 * The height of the last block made up to `timeMs`, `newest` at most; or of the last one that no node keeps, where
 * that is the later one. Found by steps back that double, because a node of few blocks has the new ones, and then by
 * halving: block times grow with the height. About twice the logarithm of the distance in calls.
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

/**
 * The header at a height, only where the next block names it as its parent: the block on which all reading rests
 * hangs on more than one answer.
 */
async function getLinkedHeader(client: Headers, number: number): Promise<BlockHeader> {
  const header = await getHeader(client, number);
  const next = await findHeader(client, number + 1);
  if (next === undefined ? number === 0 : next.parentId === header.id) return header;
  throw new NotYetError(
    `block ${number + 1} does not follow block ${number} as the node told it; both are asked for again`,
  );
}

async function getHeader(client: Headers, number: number): Promise<BlockHeader> {
  const header = await findHeader(client, number);
  if (header === undefined) throw new NotYetError(`the nodes have no block ${number}`);
  return header;
}

/** Undefined where no node has the block: each is asked, so that one of few blocks does not hide what another keeps. */
async function findHeader(client: Headers, number: number): Promise<BlockHeader | undefined> {
  // Block 0 is nothing to read, and every node has it.
  if (number === 0) return (await client.getBlock(0))?.header;
  try {
    return (await client.fetchCompleteBlock(number)).header;
  } catch (error) {
    if (error instanceof IncompleteBlockError && error.reason === undefined) return undefined;
    throw error;
  }
}
