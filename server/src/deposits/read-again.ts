import type { Transaction } from "@daric/postgres/sql";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { assertLease } from "../runtime/lease.ts";
import type { Telling } from "./ask-every-node.ts";
import { addTransfers, type Cursor, findBlock, findBlockId, findCursor, insertBlock } from "./block-store.ts";
import { clearingMemoryOf } from "./clearance.ts";
import type { WatcherContext } from "./context.ts";
import { leaveOutMoved } from "./leave-out-moved.ts";
import { matchBlock } from "./match-transfers.ts";
import { NotYetError } from "./not-yet-error.ts";
import { anyOpen, decodeTellings, recordBlock, rowOf } from "./record-block.ts";
import { type ReportedBlock, reportBlock } from "./report-block.ts";
import { countAnswers, type RescanAnswer } from "./rescan-nodes-store.ts";
import { advanceRescan, lockRescan, type Rescan, type RescanStep, refuseRescan } from "./rescan-store.ts";
import type { Scanner } from "./scanner.ts";
import { askSoon } from "./shown-transfers.ts";
import type { Sighting } from "./store.ts";
import { type Untold, withdrawUntold } from "./withdraw-untold.ts";

/** What a block that was read again came to; nothing is recorded where no node has it as ours. */
type Finding = RescanStep & { readonly recorded?: ReportedBlock; readonly untold?: Untold };

/** Our block at a height; one that was not read is the one that our first names as its parent. */
type OurBlock = { readonly isRead: boolean; readonly blockId: string | undefined; readonly cursor: Cursor };

/**
 * Takes up the next block of a range, as every node tells it now, in one transaction with the range's progress. Of what any
 * node shows of our block, what our books lack is recorded and announced as when it was first read. What is not confirmed and
 * is told otherwise now leaves the chain first, in a transaction of its own. The parent of our
 * first block is added to the chain. Where a node's block differs from ours, at or below what is final, that is reported and ours stands.
 *
 * @throws NotYetError when all nodes have another block than ours above what is final: the scanner follows forks.
 */
export async function readAgain(
  context: WatcherContext,
  scanner: Scanner,
  { rescan, tellings }: { rescan: Rescan; tellings: readonly Telling[] },
): Promise<void> {
  const network = scanner.network.name;
  const { id, next: number } = rescan;
  const untold = await withdrawUntold(context, scanner, { number, tellings });
  const finding = await context.db.transaction(async (tx) => {
    await assertLease(tx, scanner.lease);
    await scanner.guard.require(tx);
    if (!(await lockRescan(tx, { ...rescan, network }))) return undefined;
    const ours = await findOurs(tx, network, number);
    const found = ours && (await compareWithOurs(context, tx, { scanner, ours, number, tellings, untold }));
    if (ours === undefined || found === undefined) {
      const note = `block ${number} as the nodes tell it is not the parent of our first block: ask nodes of another operator, or find out with \`daric doctor --deep\` who is right`;
      await refuseRescan(tx, { network, id, note });
      return undefined;
    }
    const step = { ...found, differences: [...found.differences, ...untold.differences] };
    await advanceRescan(tx, network, { rescan, step });
    await countAnswers(tx, { network, id, answers: tellings.map((telling) => answerOf(telling, ours)) });
    return found;
  });
  if (finding !== undefined) report(context, scanner, { number, finding });
}

async function findOurs(tx: Transaction, network: string, number: number): Promise<OurBlock | undefined> {
  const cursor = await findCursor(tx, network);
  if (cursor === undefined) return undefined;
  const read = await findBlock(tx, { network, number });
  if (read !== undefined) return { isRead: true, blockId: read.blockId, cursor };
  const atCursor = number === cursor.number ? cursor.blockId : undefined;
  return { isRead: false, blockId: (await findBlockId(tx, { network, number })) ?? atCursor, cursor };
}

type Told = {
  readonly scanner: Scanner;
  readonly ours: OurBlock;
  readonly number: number;
  readonly tellings: readonly Telling[];
  readonly untold: Untold;
};

/** Records the block where a node has it as ours. Undefined where it was not read, and none has the parent of our first. */
async function compareWithOurs(
  context: WatcherContext,
  tx: Transaction,
  { scanner, ours, number, tellings, untold }: Told,
): Promise<Finding | undefined> {
  const told = tellings.flatMap((telling) => telling.block ?? []);
  const [block, ...others] = told.filter(({ header }) => header.id === ours.blockId);
  const isFinal = ours.isRead && number <= ours.cursor.solidNumber;
  const differences = isFinal ? tellings.flatMap((telling) => differenceOf(telling, ours)) : [];
  if (block !== undefined) {
    const again = await recordAgain(context, tx, { scanner, ours, blocks: [block, ...others], untold });
    return { ...again, untold, differences: [...differences, ...again.differences] };
  }
  if (!ours.isRead) return undefined;
  if (!isFinal) throw new NotYetError(`block ${number} is another one than ours, and not final yet`);
  return { isAdded: false, deposits: 0, differences };
}

function differenceOf({ node, block }: Telling, { blockId }: OurBlock): string[] {
  if (block === undefined || block.header.id === blockId) return [];
  const { number, id } = block.header;
  return [`block ${number} is ${id} to ${node} where ours is ${blockId}`];
}

function answerOf({ node, block, failure }: Telling, { blockId }: OurBlock): RescanAnswer {
  if (failure !== undefined) return { node, reason: failure.words };
  const { id, number } = block.header;
  return { node, reason: id === blockId ? undefined : `block ${number}: the node has another one than ours` };
}

type SameBlock = {
  readonly scanner: Scanner;
  readonly ours: OurBlock;
  readonly blocks: readonly [CompleteBlock, ...CompleteBlock[]];
  readonly untold: Untold;
};

async function recordAgain(
  context: WatcherContext,
  tx: Transaction,
  { scanner, ours, blocks, untold }: SameBlock,
): Promise<Finding> {
  const scope = { network: scanner.network.name, epoch: scanner.lease.epoch };
  const decoded = decodeTellings(blocks, scanner.network.usdtContractHex);
  const { told: first, block, moves } = decoded;
  const told = await matchBlock(tx, { ...moves, network: scope.network, block });
  const { blockId } = block;
  const wasWithdrawn = ({ id, amount }: Sighting) =>
    untold.deposits.some((one) => one.id === id && one.amount === amount);
  const shown = told.sightings.filter((one) => !wasWithdrawn(one));
  const known = { network: scope.network, blockId, sightings: shown };
  const { sightings, differences } = await leaveOutMoved(tx, known);
  const matches = { ...told, sightings };
  const headNumber = ours.cursor.number;
  const contents = () => ({ transactions: first.transactions, moves });
  const recording = { scope, block, contents, matches, headNumber, open: anyOpen };
  const { recorded } = await recordBlock(context, tx, recording);
  const { detected, included } = recorded.transfers;
  const deposits = detected.length + included.length;
  if (ours.isRead) await addTransfers(tx, { blockId, count: deposits });
  else {
    const outline = { ...first, transactionCount: first.transactions.length };
    await insertBlock(tx, { ...scope, block: rowOf(outline, recorded) });
  }
  const { anomalies, unparsed } = moves;
  const { isAccepted } = first;
  return {
    isAdded: !ours.isRead,
    deposits,
    differences,
    recorded: { ...recorded, isAccepted, anomalies, unparsed },
  };
}

function report(
  context: WatcherContext,
  scanner: Scanner,
  { number, finding }: { number: number; finding: Finding },
): void {
  const { recorded, deposits, differences, untold } = finding;
  if (untold !== undefined && untold.differences.length > 0)
    context.log.warn(
      { block_number: number, detail: untold.differences.join("; ") },
      "a block that was read again holds other payments than the books had, which were not confirmed; the books follow",
    );
  if (differences.length > 0) {
    context.metrics.alarms.inc({ alarm: "rescan_differs" });
    context.log.error(
      { block_number: number, detail: differences.join("; ") },
      "a final block that was read again differs from ours; ours stands",
    );
  }
  if (deposits > 0) {
    // What is final may have something to settle again, although no block came.
    scanner.memory.settledAt = undefined;
    scanner.onCommit();
    context.log.warn(
      { block_number: number, deposits },
      "a block that was read again holds payments which the books lacked",
    );
  }
  if (recorded === undefined) return;
  askSoon(clearingMemoryOf(scanner), recorded.block.blockId);
  reportBlock(context, recorded);
}
