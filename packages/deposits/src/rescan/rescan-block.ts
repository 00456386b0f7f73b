import type { CompleteBlock } from "@daric/chain/blocks/complete-block";
import { infosDigestOf } from "@daric/chain/blocks/decode-infos";
import { decodeTransfers } from "@daric/chain/blocks/decode-transfers";
import { formatAmount } from "@daric/domain/money";
import type { Transaction } from "@daric/postgres/sql";
import { recordRefundTransfers } from "@daric/refunds/record-transfers";
import { readWatched } from "@daric/refunds/watch";
import { assertLease } from "@daric/runtime/lease";
import { addTransfers, insertBlock } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { NotYetError } from "../not-yet-error.ts";
import { refundTransfersOf } from "../record/match-refunds.ts";
import { matchBlock, nativeOf } from "../record/match-transfers.ts";
import { anyOpen, blockOf, inclusionsOf, recordBlock, rowOf } from "../record/record-block.ts";
import { reportBlock } from "../record/report-block.ts";
import { answersNeeded } from "../settings.ts";
import { type AnswerCache, answersOf, forgetAnswers } from "../verify/answer-cache.ts";
import { addBalances } from "../verify/check-balances.ts";
import { readSolidBlocks } from "../verify/read-blocks.ts";
import { reportCorrection } from "../verify/report-verified.ts";
import { asSolidBlock, type VerifiedBlock } from "../verify/verified-block.ts";
import type { Verifier } from "../verify/verifier.ts";
import { findStored } from "../verify/verify-store.ts";
import { type Correction, writeVerified } from "../verify/write-verified.ts";
import { compareConfirmed } from "./compare-confirmed.ts";
import { describeOthers, type FetchedBlock, findOurs, type OurBlock } from "./fetch-again.ts";
import { countAnswers } from "./rescan-nodes.ts";
import { advanceRescan, lockRescan, type Rescan, type RescanStep, refuseRescan } from "./rescan-store.ts";

type Fetched = { readonly rescan: Rescan; readonly fetched: FetchedBlock; readonly answers: AnswerCache };

/**
 * Records the next block of a range together with the range's progress. Missing native transfers are added. The other deposits of a
 * verified block are corrected to the nodes' agreement, except CONFIRMED ones. Another block of the nodes is listed, and
 * ours stays. Returns whether deposits were recorded or withdrawn, so that the watcher must settle again.
 *
 * @throws NotYetError if the nodes have another block above the verified ones, or ours was replaced since the fetch.
 */
export async function rescanBlock(
  context: WatcherContext,
  verifier: Verifier,
  { rescan, fetched, answers }: Fetched,
): Promise<boolean> {
  const { number, body } = fetched;
  const key = { network: verifier.network.name, id: rescan.id };
  const now = await findOurs(context.db, key.network, number);
  const isLinked = now?.blockId === fetched.ours?.blockId;
  // A fork may have replaced the block since the fetch, and the answers would be written to an orphaned one.
  if (fetched.ours?.isRead && !isLinked) throw new NotYetError(`block ${number} was replaced meanwhile`);
  const ours = isLinked ? now : fetched.ours;
  if (ours === undefined || !isLinked || (body === undefined && !ours.isRead)) {
    const note = `block ${number} of the nodes is not the parent of our first block. Use nodes of another operator, or run \`daric doctor --deep\``;
    await refuseRescan(context.db, { ...key, note });
    return false;
  }
  const isVerified = number <= ours.cursor.solidNumber;
  const others = isVerified ? describeOthers(fetched) : [];
  if (body === undefined) {
    if (!isVerified) throw new NotYetError(`block ${number} is another one than ours, and not final yet`);
    const step = { isAdded: false, deposits: 0, differences: others };
    await finish(context, verifier, { rescan, fetched, step });
    report(context, { number, differences: others });
    return false;
  }
  const recorded = await recordAgain(context, verifier, { ours, body, isVerified });
  const again = isVerified ? await readAgain(context, verifier, { body, answers }) : undefined;
  const differences = [...others, ...(again?.differences ?? [])];
  const step = { isAdded: !ours.isRead, deposits: recorded, differences };
  const correction = await finish(context, verifier, { rescan, fetched, step, verified: again?.verified });
  if (correction !== undefined) reportCorrection(context, correction);
  const found = recorded + depositsOf(correction);
  report(context, { number, differences });
  if (found + (correction?.withdrawn.length ?? 0) === 0) return false;
  verifier.afterCommit();
  context.log.warn(
    { event: "rescan_found_payments", block_number: number, deposits: found },
    "a rescan found payments that were not recorded",
  );
  return true;
}

function depositsOf(correction: Correction | undefined): number {
  if (correction === undefined) return 0;
  const { detected, included } = correction.recorded.transfers;
  return detected.length + included.length;
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
    const watched = await readWatched(tx);
    await recordRefundTransfers(
      context,
      tx,
      refundTransfersOf(watched, { ...decoded, network: network.name, block }),
    );
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

/**
 * The nodes' current agreement about a verified block, and their differences about CONFIRMED deposits.
 *
 * @throws NotYetError if too few nodes agree.
 */
async function readAgain(
  context: WatcherContext,
  verifier: Verifier,
  { body, answers }: { body: CompleteBlock; answers: AnswerCache },
): Promise<{ verified: VerifiedBlock | undefined; differences: readonly string[] }> {
  const needed = answersNeeded(context.config.deposits, verifier.client.nodes.length);
  const block = asSolidBlock(body);
  const { blockId, number } = block;
  const stored = await findStored(context.db, { network: verifier.network.name, numbers: [number] });
  const { read } = await readSolidBlocks(context, verifier, { blocks: [block], stored, needed, answers });
  const given = answersOf(answers, verifier, block);
  const differences = await compareConfirmed(context, verifier, { blockId, answers: given });
  forgetAnswers(answers, (id) => id !== blockId);
  const verified = read.get(blockId);
  if (verified === undefined)
    throw new NotYetError(`block ${number}: too few nodes agree yet; they are queried again`);
  const { blocks } = await addBalances(context, verifier, { blocks: [verified], needed });
  return { verified: blocks[0], differences };
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
      (transfer) =>
        transfer.txId === txId && transfer.source === source && transfer.eventIndex === eventIndex,
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
