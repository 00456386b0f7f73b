import type { Queryable } from "@daric/postgres/sql";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { formatAmount } from "../domain/money.ts";
import type { Telling } from "./ask-every-node.ts";
import { findBlock, findCursor } from "./block-store.ts";
import { findComparableIn, type UncoveredDeposit } from "./clear-store.ts";
import type { WatcherContext } from "./context.ts";
import { placeOf } from "./judge-tellings.ts";
import { matchBlock } from "./match-transfers.ts";
import { withdrawRefuted } from "./mend-block.ts";
import { decodeToldBlock } from "./record-block.ts";
import type { Scanner } from "./scanner.ts";
import type { Sighting } from "./store.ts";

/** What was taken out of the chain, and how in words. */
export type Untold = {
  readonly deposits: readonly UncoveredDeposit[];
  readonly differences: readonly string[];
};

const NOTHING: Untold = { deposits: [], differences: [] };

/**
 * Takes out of the chain the deposits of a block of ours that are not confirmed and that all nodes which have the block tell
 * otherwise than our books, or not at all; with a quorum so many nodes as it has. Reading the block then records what is told now.
 */
export async function withdrawUntold(
  context: WatcherContext,
  scanner: Scanner,
  { number, tellings }: { number: number; tellings: readonly Telling[] },
): Promise<Untold> {
  const place = { network: scanner.network.name, number };
  const [ours, cursor] = [await findBlock(context.db, place), await findCursor(context.db, place.network)];
  const blocks = tellings.flatMap(({ block }) => block ?? []);
  const [first, ...others] = blocks.filter(({ header }) => header.id === ours?.blockId);
  if (cursor === undefined || first === undefined) return NOTHING;
  const { usdtContractHex, name: network } = scanner.network;
  const { block } = decodeToldBlock(first, usdtContractHex);
  const comparable = await findComparableIn(context.db, { network, blocks: [block] });
  const stored = comparable.filter(({ blockId }) => blockId === block.blockId);
  if (stored.length === 0) return NOTHING;
  const shown = await Promise.all(
    [first, ...others].map((one) => shownIn(context.db, { one, network, usdtContractHex })),
  );
  const told = shown.flatMap(({ sightings }) => sightings);
  const least = context.config.deposits.quorum ?? shown.length;
  const refuted = stored.filter((deposit) => countDenials(deposit, shown) >= least);
  await withdrawRefuted(context, scanner, { block, refuted, headNumber: cursor.number });
  return { deposits: refuted, differences: refuted.map((deposit) => sentenceOf(deposit, told)) };
}

/** What one node shows of a block to us, and the transactions of which it tells what no honest chain shows. */
type Shown = { readonly sightings: readonly Sighting[]; readonly strange: ReadonlySet<string> };

async function shownIn(
  db: Queryable,
  { one, network, usdtContractHex }: { one: CompleteBlock; network: string; usdtContractHex: string },
): Promise<Shown> {
  const { block, moves } = decodeToldBlock(one, usdtContractHex);
  const { sightings } = await matchBlock(db, { ...moves, network, block });
  return { sightings, strange: new Set(moves.anomalies.map(({ txId }) => txId)) };
}

/**
 * How many tell it otherwise: another payment in its place, or none. A node need not keep internal transfers that others show,
 * and one that tells what no honest chain shows says nothing.
 */
function countDenials(deposit: UncoveredDeposit, tellings: readonly Shown[]): number {
  const isIt = (one: Sighting) => one.id === deposit.id && one.amount === deposit.amount;
  const isShown = tellings.some(({ sightings }) => sightings.some(isIt));
  const denies = ({ sightings, strange }: Shown) => {
    if (strange.has(deposit.txId) || sightings.some(isIt)) return false;
    const isAbsent = sightings.every((one) => placeOf(one) !== placeOf(deposit));
    return !(isAbsent && isShown && deposit.source === "internal");
  };
  return tellings.filter(denies).length;
}

function sentenceOf(deposit: UncoveredDeposit, told: readonly Sighting[]): string {
  const { address, amount, currency, source, eventIndex, txId } = deposit;
  const now = told.find(
    (one) => placeOf(one) === placeOf(deposit) && (one.amount !== amount || one.address !== address),
  );
  const words =
    now === undefined ? "nothing" : `${formatAmount(now.amount)} ${now.currency} to ${now.address}`;
  return `${source} ${eventIndex} of ${txId} was ${formatAmount(amount)} ${currency} to ${address} in our books, and is ${words} to the nodes: our books follow, it was not confirmed`;
}
