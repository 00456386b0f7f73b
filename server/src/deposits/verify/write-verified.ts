import type { Transaction } from "@daric/postgres/sql";
import { inMerchantLists } from "../../runtime/fair-rounds.ts";
import { addTransfers } from "../block-store.ts";
import { passNeedless, saveChecks } from "../check-store.ts";
import type { WatcherContext } from "../context.ts";
import type { MovedDeposit } from "../deposit-event.ts";
import { anyOpen, type BlockChanges, recordBlock } from "../record/record-block.ts";
import { type ChangedDeposit, countOccurrences, type ObservedTransfer, type Scope } from "../store.ts";
import type { QuorumResult } from "./agree.ts";
import { withdrawDeposits } from "./finality-store.ts";
import type { VerifiedBlock } from "./read-blocks.ts";
import { findConfirmed } from "./verify-store.ts";

/** What the books were set to in one block. */
export type Correction = {
  readonly verified: VerifiedBlock;
  readonly quorum: QuorumResult;
  readonly withdrawn: readonly ChangedDeposit[];
  readonly recorded: BlockChanges;
};

/**
 * Writes what was found of verified blocks: the checks of their deposits, and the deposits themselves where enough nodes tell
 * otherwise. These leave the chain; what is told instead is recorded as when a block is first read, and a transaction that is told
 * without its payment has not paid. At most one block is changed, the last one written, because events are written for it.
 * Answers the correction; the blocks behind it are for the next transaction.
 */
export async function writeVerified(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  { scope, blocks, headNumber }: { scope: Scope; blocks: readonly VerifiedBlock[]; headNumber: number },
): Promise<Correction | undefined> {
  for (const verified of blocks) {
    const { block, checks, quorum } = verified;
    await saveChecks(tx, { blockId: block.blockId, checks });
    await passNeedless(tx, { blockId: block.blockId, checks });
    if (quorum === undefined || !isCorrecting(verified, quorum)) continue;
    const correction = await correct(context, tx, { scope, verified, quorum, headNumber });
    if (isChanging(correction)) return correction;
  }
  return undefined;
}

/** What the books lack of what enough nodes tell, or of what is disputed. */
function missingOf({ stored }: VerifiedBlock, { agreed, disputed }: QuorumResult) {
  const known = new Set(stored.map(({ id, amount }) => `${id}/${amount}`));
  return [...agreed.observed, ...disputed].filter(({ id, amount }) => !known.has(`${id}/${amount}`));
}

/**
 * What is missing, without what pays an address in a transaction of which the books have a CONFIRMED payment to it that nodes do not
 * tell any more: what was confirmed stays, and the same money in another place would be paid twice.
 */
async function withoutMoved(
  tx: Transaction,
  { network }: Scope,
  { verified, quorum }: { verified: VerifiedBlock; quorum: QuorumResult },
): Promise<ObservedTransfer[]> {
  const missing = missingOf(verified, quorum);
  const confirmed = missing.length === 0 ? [] : await findConfirmed(tx, { network, observed: missing });
  const reported = new Set(quorum.agreed.observed.map(({ id, amount }) => `${id}/${amount}`));
  const unreported = confirmed.filter(({ id, units }) => !reported.has(`${id}/${units}`));
  const wayOf = ({ txId, source, address }: Pick<ObservedTransfer, "txId" | "source" | "address">) =>
    `${txId}/${source}/${address}`;
  const ways = new Set(unreported.map(wayOf));
  return missing.filter((one) => !ways.has(wayOf(one)));
}

function isCorrecting(verified: VerifiedBlock, quorum: QuorumResult): boolean {
  const { outflows, unattributed, unsupported } = quorum.agreed;
  const beside = outflows.length + unattributed.length + unsupported.length;
  return quorum.contradicted.length + missingOf(verified, quorum).length + beside > 0;
}

/** What is told again may all be in the books: then nothing is announced, and the next block may be written. */
function isChanging({ withdrawn, recorded: { confirming, transfers } }: Correction): boolean {
  const { detected, included, outflows, unattributed, unsupported } = transfers;
  const changes = [withdrawn, confirming, detected, included, outflows, unattributed, unsupported];
  return changes.some(({ length }) => length > 0);
}

async function correct(
  context: Pick<WatcherContext, "config">,
  tx: Transaction,
  {
    scope,
    verified,
    quorum,
    headNumber,
  }: {
    scope: Scope;
    verified: VerifiedBlock;
    quorum: QuorumResult;
    headNumber: number;
  },
): Promise<Correction> {
  const { block } = verified;
  const { contradicted: refuted, agreed } = quorum;
  const ids = refuted.map(({ id }) => id);
  const withdrawn = ids.length === 0 ? [] : await withdrawDeposits(tx, scope, { number: block.number, ids });
  const txIds = refuted.map(({ txId }) => txId);
  // A log is refuted also by nodes that may not store internal transfers.
  const wholeTxIds = refuted.flatMap(({ source, txId }) => (source === "internal" ? [txId] : []));
  const { recorded } = await recordBlock(context, tx, {
    scope,
    block,
    inclusions: () => ({ txIds, wholeTxIds }),
    moved: await withOccurrences(tx, withdrawn),
    matches: { ...agreed, observed: await withoutMoved(tx, scope, { verified, quorum }) },
    headNumber,
    open: anyOpen,
  });
  const { detected, included } = recorded.transfers;
  await addTransfers(tx, {
    blockId: block.blockId,
    count: detected.length + included.length - withdrawn.length,
  });
  return { verified, quorum, withdrawn, recorded };
}

/** What is recorded next may bring a deposit into the same block again: its way out is numbered by the stay that it ends. */
async function withOccurrences(
  tx: Transaction,
  withdrawn: readonly ChangedDeposit[],
): Promise<MovedDeposit[]> {
  const moved: MovedDeposit[] = [];
  for (const list of inMerchantLists(withdrawn)) {
    const occurrences = await countOccurrences(tx, list);
    moved.push(...list.map((deposit, index) => ({ ...deposit, occurrence: occurrences[index] })));
  }
  return moved;
}
