import type { Transaction } from "@daric/postgres/sql";
import type { CompleteBlock } from "../../chain/blocks/complete-block.ts";
import { infosDigestOf } from "../../chain/blocks/decode-infos.ts";
import { decodeTransfers } from "../../chain/blocks/decode-transfers.ts";
import { IncompleteBlockError, NodeError } from "../../chain/blocks/node-error.ts";
import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import { formatAmount } from "../../domain/money.ts";
import { assertLease } from "../../runtime/lease.ts";
import {
  addTransfers,
  type Cursor,
  findBlock,
  findBlockId,
  findCursor,
  insertBlock,
} from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { matchBlock, nativeOf } from "../record/match-transfers.ts";
import { anyOpen, blockOf, inclusionsOf, recordBlock, rowOf } from "../record/record-block.ts";
import { reportBlock } from "../record/report-block.ts";
import { answersNeeded } from "../settings.ts";
import { addBalances } from "../verify/check-balances.ts";
import { fetchAnswers, forgetAnswers, labelOf } from "../verify/node-answers.ts";
import { asSolidBlock, readSolidBlocks } from "../verify/read-blocks.ts";
import { reportCorrection } from "../verify/report-verified.ts";
import { settleAgain } from "../verify/state.ts";
import type { VerifiedBlock } from "../verify/verified-block.ts";
import type { Verifier } from "../verify/verifier.ts";
import { type Correction, writeVerified } from "../verify/write-verified.ts";
import { compareConfirmed } from "./compare-confirmed.ts";
import { countAnswers, type RescanAnswer } from "./rescan-nodes.ts";
import { advanceRescan, lockRescan, type Rescan, type RescanStep, refuseRescan } from "./rescan-store.ts";

/** Our block at a height. If it was not read, it is the parent of our first block. */
type OurBlock = { readonly isRead: boolean; readonly blockId: string; readonly cursor: Cursor };

export type FetchedBlock = {
  readonly number: number;
  readonly ours: OurBlock | undefined;
  readonly answers: readonly (RescanAnswer & { readonly otherId?: string | undefined })[];
  /** our complete block; undefined if no node has it */
  readonly body: CompleteBlock | undefined;
};

/**
 * Fetches the ids of a block from all nodes, the block from one, and its infos from as many as must agree. `child` is the block above,
 * which may not be written yet: our first block's parent is known by it.
 *
 * @throws NodeError if no node answers.
 */
export async function fetchForRescan(
  context: WatcherContext,
  verifier: Verifier,
  { number, child }: { readonly number: number; readonly child?: FetchedBlock | undefined },
): Promise<FetchedBlock> {
  const ours = (await findOurs(context.db, verifier.network.name, number)) ?? parentOf(child, number);
  const { nodes, overrides } = verifier.client;
  const ids = await Promise.all(nodes.map((node, at) => fetchIdOf(node, number, labelOf(verifier, at))));
  const failures = ids.flatMap(({ failure }) => failure ?? []);
  if (failures.length === nodes.length && failures[0] !== undefined) throw failures[0];
  const answers = ids.map(({ node, id, failure }) => {
    if (failure !== undefined) return { node, reason: failure.summary };
    if (id === ours?.blockId) return { node, reason: undefined };
    return { node, reason: `block ${number}: the node has another one than ours`, otherId: id };
  });
  if (ours === undefined || answers.every(({ reason }) => reason !== undefined))
    return { number, ours, answers, body: undefined };
  const body = await verifier.client.query(async (node) => {
    const block = await node.fetchCompleteBlock(number).catch(overrides.apply);
    if (block.header.id !== ours.blockId)
      throw new IncompleteBlockError(node.label, number, "it is another block than ours");
    return block;
  });
  const solid = asSolidBlock(body);
  const { infosDigest } = solid;
  if (infosDigest !== undefined)
    await fetchAnswers(context, verifier, {
      blocks: [{ ...solid, infosDigest }],
      needed: neededIn(context, verifier),
    });
  return { number, ours, answers, body };
}

/**
 * Records the next block of a range together with the range's progress. Missing native transfers are added. The other deposits of a
 * verified block are corrected to the nodes' agreement, except CONFIRMED ones. Another block of the nodes is listed, and
 * ours stays.
 *
 * @throws NotYetError if the nodes have another block above the verified ones, or ours was replaced since the fetch.
 */
export async function rescanBlock(
  context: WatcherContext,
  verifier: Verifier,
  { rescan, fetched }: { rescan: Rescan; fetched: FetchedBlock },
): Promise<void> {
  const { number, answers, body } = fetched;
  const key = { network: verifier.network.name, id: rescan.id };
  const now = await findOurs(context.db, key.network, number);
  const isLinked = now?.blockId === fetched.ours?.blockId;
  // A fork may have replaced the block since the fetch, and the answers would be written to an orphaned one.
  if (fetched.ours?.isRead && !isLinked) throw new NotYetError(`block ${number} was replaced meanwhile`);
  const ours = isLinked ? now : fetched.ours;
  if (ours === undefined || !isLinked || (body === undefined && !ours.isRead)) {
    const note = `block ${number} of the nodes is not the parent of our first block. Use nodes of another operator, or run \`daric doctor --deep\``;
    await refuseRescan(context.db, { ...key, note });
    return;
  }
  const isVerified = number <= ours.cursor.solidNumber;
  const differences = isVerified ? answers.flatMap((answer) => differenceOf(answer, fetched)) : [];
  if (body === undefined) {
    if (!isVerified) throw new NotYetError(`block ${number} is another one than ours, and not final yet`);
    await finish(context, verifier, { rescan, fetched, step: { isAdded: false, deposits: 0, differences } });
    report(context, { number, differences });
    return;
  }
  const recorded = await recordAgain(context, verifier, { ours, body, isVerified });
  const again = isVerified ? await readAgain(context, verifier, body) : undefined;
  differences.push(...(again?.differences ?? []));
  const step = { isAdded: !ours.isRead, deposits: recorded, differences };
  const correction = await finish(context, verifier, { rescan, fetched, step, verified: again?.verified });
  if (correction !== undefined) reportCorrection(context, verifier, correction);
  const found = recorded + depositsOf(correction);
  report(context, { number, differences });
  if (found + (correction?.withdrawn.length ?? 0) === 0) return;
  settleAgain(verifier.verifying);
  verifier.afterCommit();
  context.log.warn(
    { event: "rescan_found_payments", block_number: number, deposits: found },
    "a rescan found payments that were not recorded",
  );
}

function depositsOf(correction: Correction | undefined): number {
  if (correction === undefined) return 0;
  const { detected, included } = correction.recorded.transfers;
  return detected.length + included.length;
}

function neededIn(context: WatcherContext, { client }: Verifier): number {
  return answersNeeded(context.config.deposits, client.nodes.length);
}

async function fetchIdOf(
  node: TronNode,
  number: number,
  label: string,
): Promise<{ node: string; id?: string; failure?: NodeError }> {
  try {
    const header = await node.getHeader(number);
    if (header === undefined) return { node: label, failure: new IncompleteBlockError(node.label, number) };
    return { node: label, id: header.id };
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return { node: label, failure: error };
  }
}

async function findOurs(
  db: WatcherContext["db"],
  network: string,
  number: number,
): Promise<OurBlock | undefined> {
  const cursor = await findCursor(db, network);
  if (cursor === undefined) return undefined;
  const read = await findBlock(db, { network, number });
  if (read !== undefined) return { isRead: true, blockId: read.blockId, cursor };
  const atCursor = number === cursor.number ? cursor.blockId : undefined;
  const blockId = (await findBlockId(db, { network, number })) ?? atCursor;
  return blockId === undefined ? undefined : { isRead: false, blockId, cursor };
}

function parentOf(child: FetchedBlock | undefined, number: number): OurBlock | undefined {
  if (child?.ours === undefined || child.body?.header.number !== number + 1) return undefined;
  return { isRead: false, blockId: child.body.header.parentId, cursor: child.ours.cursor };
}

function differenceOf(answer: FetchedBlock["answers"][number], { number, ours }: FetchedBlock): string[] {
  const { node, otherId } = answer;
  if (otherId === undefined) return [];
  return [`block ${number} is ${otherId} to ${node} where ours is ${ours?.blockId}`];
}

/** Adds missing native transfers, and all missing transfers of a block that is not verified yet. */
async function recordAgain(
  context: WatcherContext,
  { network, lease, guard }: Verifier,
  { ours, body, isVerified }: { ours: OurBlock; body: CompleteBlock; isVerified: boolean },
): Promise<number> {
  const scope = { network: network.name, epoch: lease.epoch };
  const decoded = decodeTransfers(body, network.tokens);
  const block = blockOf(body.header);
  const { recorded, count } = await context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    await guard.require(tx);
    const all = await matchBlock(tx, { ...decoded, network: network.name, block });
    const matches = isVerified ? nativeOf(all) : all;
    const { recorded } = await recordBlock(context, tx, {
      scope,
      block,
      inclusions: () => inclusionsOf({ transactions: body.transactions, decoded }, all),
      matches,
      headNumber: ours.cursor.number,
      open: anyOpen,
    });
    const count = recorded.transfers.detected.length + recorded.transfers.included.length;
    if (ours.isRead) await addTransfers(tx, { blockId: block.blockId, count });
    else await addBlock(tx, { scope, body, recorded });
    return { recorded, count };
  });
  const { anomalies, unparsed } = decoded;
  reportBlock(context, { ...recorded, isAccepted: body.isAccepted, anomalies, unparsed });
  return count;
}

type Added = {
  readonly scope: { readonly network: string; readonly epoch: bigint };
  readonly body: CompleteBlock;
  readonly recorded: Parameters<typeof rowOf>[1];
};

async function addBlock(tx: Transaction, { scope, body, recorded }: Added): Promise<void> {
  const summary = { ...body, transactionCount: body.transactions.length, infosDigest: infosDigestOf(body) };
  await insertBlock(tx, { ...scope, block: rowOf(summary, recorded) });
}

/** The nodes' current agreement about a verified block, and their differences about CONFIRMED deposits. */
async function readAgain(
  context: WatcherContext,
  verifier: Verifier,
  body: CompleteBlock,
): Promise<{ verified: VerifiedBlock | undefined; differences: string[] }> {
  const needed = neededIn(context, verifier);
  const block = asSolidBlock(body);
  const read = await readSolidBlocks(context, verifier, { blocks: [block], needed });
  const differences = await compareConfirmed(context, verifier, block);
  forgetAnswers(verifier, (blockId) => blockId !== block.blockId);
  const one = read.get(block.blockId);
  if (one === undefined)
    throw new NotYetError(`block ${block.number}: too few nodes agree yet; they are queried again`);
  const [verified] = await addBalances(context, verifier, { blocks: [one], needed });
  return { verified, differences };
}

type Finished = {
  readonly rescan: Rescan;
  readonly fetched: FetchedBlock;
  readonly step: RescanStep;
  readonly verified?: VerifiedBlock | undefined;
};

async function finish(
  context: WatcherContext,
  { network: { name: network }, lease }: Verifier,
  { rescan, fetched, step, verified }: Finished,
): Promise<Correction | undefined> {
  return context.db.transaction(async (tx) => {
    await assertLease(tx, lease);
    const before = await lockRescan(tx, { ...rescan, network });
    if (before === undefined) return undefined;
    const scope = { network, epoch: lease.epoch };
    const headNumber = fetched.ours?.cursor.number ?? fetched.number;
    const correction = await writeVerified(context, tx, {
      scope,
      blocks: verified ? [verified] : [],
      headNumber,
    });
    const differences = [...step.differences, ...(correction === undefined ? [] : describe(correction))];
    const deposits = step.deposits + depositsOf(correction);
    const nodes = countAnswers(before, fetched.answers);
    await advanceRescan(tx, network, { rescan, step: { ...step, deposits, differences, nodes } });
    return correction;
  });
}

function describe({ quorum, withdrawn }: Correction): string[] {
  return withdrawn.map(({ id, address, amount, currency, source, eventIndex, txId }) => {
    const now = quorum.agreed.observed.find(
      (one) => one.txId === txId && one.source === source && one.eventIndex === eventIndex,
    );
    const text = now ? `${formatAmount(now.amount)} ${now.currency} to ${now.address}` : "nothing";
    return `${source} ${eventIndex} of ${txId} was ${formatAmount(amount)} ${currency} to ${address} in our database (deposit ${id}), and is ${text} at the nodes. It was not confirmed, so ours is corrected`;
  });
}

function report(
  { log, metrics }: Pick<WatcherContext, "log" | "metrics">,
  { number, differences }: { number: number; differences: readonly string[] },
): void {
  if (differences.length === 0) return;
  metrics.alarms.inc({ alarm: "rescan_differs" });
  log.error(
    { event: "rescan_differs", block_number: number, detail: differences.join("; ") },
    "a rescanned final block differs from the stored one; the stored one stands",
  );
}
