import { IncompleteBlockError, NodeError } from "../../chain/blocks/node-error.ts";
import type { BlockHeader } from "../../chain/blocks/parse-block.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import { assertLease } from "../../runtime/lease.ts";
import { type Cursor, findCursor, insertCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { answersNeeded } from "../settings.ts";
import { MIN_SOLID_LAG } from "../verify/solid-height.ts";
import type { Scanner } from "./scanner.ts";
import { findFirstChargeTime } from "./start-store.ts";

/** Block times and our clock may differ by this much before the first cursor could miss a payment. */
const CLOCK_MARGIN_MS = 3_600_000;

/** Solidity stands still for minutes at worst; a node that says more (these are 50) is not followed further back. */
const MAX_SOLID_LAG = 1_000;

/** What the chain is asked for headers through: no later ones than our clock allows. */
type Headers = Pick<Scanner["client"], "getHeadBlock" | "getSolidBlock" | "getBlock" | "fetchCompleteBlock">;

/**
 * Where reading begins on a new database: the block that the settings name; otherwise the solid block, which no fork
 * can replace; but when charges were made before the first block was ever read (the nodes were away), the block an
 * hour older than the first charge, so that nothing paid meanwhile is missed. The cursor stands on the block before,
 * and counts as final: it is never nearer to the head than an honest solid block, whatever the node calls solid.
 * Where nodes must agree so many must show it, because nothing below it is ever read again.
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

/** @throws NotYetError where fewer nodes show the block than must agree. */
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

/** What a node says otherwise of a block, in words; undefined where it shows the same. */
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

/** Whoever has misled us is not asked first the next time. */
async function orDemoteLead<T>({ client }: Scanner, pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    client.demoteLead();
    throw error;
  }
}

/** The block below the first that is read, as one node shows it. */
async function findStart(context: WatcherContext, scanner: Scanner): Promise<BlockHeader> {
  const { client } = scanner;
  const newest = await newestFirstBlock(client);
  const { startBlock: configured } = context.config.deposits;
  const first =
    configured === undefined ? await firstBlockToRead(context, client, newest) : Math.min(configured, newest);
  return orDemoteLead(scanner, getLinkedHeader(client, Math.max(0, first - 1)));
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

async function firstBlockToRead(context: WatcherContext, client: Headers, newest: number): Promise<number> {
  const firstCharge = await findFirstChargeTime(context.db);
  if (firstCharge === undefined) return newest;
  const timeMs = firstCharge.getTime() - CLOCK_MARGIN_MS;
  const { number, isMissing } = await lastBlockUpTo(client, timeMs, newest);
  if (!isMissing) return number;
  if ((await findHeader(client, number)) !== undefined) {
    throw new NotYetError(`block ${number} was not there and now is; the beginning is looked for again`);
  }
  // The cursor stands on a block, so the oldest one that is kept is not read.
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
