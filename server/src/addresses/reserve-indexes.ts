import type { Clock } from "../runtime/clock.ts";
import type { FetchHistory, History } from "./chain-history.ts";
import type { GuardContext } from "./context.ts";
import type { Deriver, IndexRange } from "./deriver.ts";
import { findOwners } from "./directory-store.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { type AccountKey, GAP, leaveGap, reserveIndexRow } from "./key-store.ts";
import { reportOtherDatabase, reportUsedAddress } from "./report-index-gap.ts";

/** So many of those that come next are looked up on the chain. */
export const ADDRESSES_CHECKED = 20;
/** So many gaps in a row no lost history explains: a node, or somebody who has the xpub, is against us. */
const MAX_GAPS = 10;

/** What derives, and asks for what was; and by how many indexes it is jumped. */
export type Tools = {
  readonly deriver: Deriver;
  readonly fetchHistory: FetchHistory;
  /** where our own database tells that some may be lost */
  readonly gapSize: number;
  /** where only nodes tell it */
  readonly steps: Steps;
};

/** By how many indexes to skip next because of what nodes say. */
export type Steps = { next(): number };

const FIRST_STEP = 100;
const STEPS_WITHIN_MS = 3_600_000;

/** Nodes may be wrong together: 100 indexes at first, and twice as many with each further gap within an hour. */
export function createSteps({ monotonicMs }: Pick<Clock, "monotonicMs">): Steps {
  let taken: number[] = [];
  return {
    next: () => {
      const nowMs = monotonicMs();
      taken = taken.filter((atMs) => nowMs - atMs < STEPS_WITHIN_MS);
      const step = Math.min(GAP, FIRST_STEP * 2 ** taken.length);
      taken.push(nowMs);
      return step;
    },
  };
}

/** Indexes that were taken, with their addresses in order. */
export type IndexReservation = {
  readonly addresses: readonly IssuedAddress[];
  /** how often indexes of the key were skipped by then */
  readonly gaps: number;
  /** when the server was started, and whether a node has said since then that what comes next was never used */
  readonly startedMs: number;
  readonly isHistoryKnown: boolean;
  /** those that one node calls used, which is not certain yet */
  readonly uncertain: readonly string[];
};

/**
 * Takes the next `count` indexes of an account key and derives their addresses; none of them was ever given to anybody.
 * The indexes are taken before anything is derived: a crash in between leaves a gap, never an address issued twice.
 *
 * What may have been issued without this database knowing is skipped, and left for the watcher to derive and watch before
 * it reads on: where the database is another one than before; where the directory has one of the addresses; and where nodes
 * know one of the next 20. Both are asked after a gap, and when the server was started since `historyKnownMs`: nobody puts a
 * disk back under a server that runs. An address that gets into the directory by another way is refused by its key there.
 *
 * @throws Error after ten gaps in a row; whatever `fetchHistory` throws.
 */
export async function reserveIndexes(
  context: GuardContext,
  { deriver, fetchHistory, gapSize, steps }: Tools,
  {
    key,
    count,
    historyKnownMs: before,
  }: { key: AccountKey; count: number; historyKnownMs: number | undefined },
): Promise<IndexReservation> {
  let historyKnownMs = before;
  for (let gaps = 0; gaps <= MAX_GAPS; gaps += 1) {
    const { first, startedMs, gap, ...taken } = await reserveIndexRow(context.db, key.id, {
      count,
      gapSize,
    });
    if (gap !== undefined) reportOtherDatabase(context, gap);
    const next = await derive(deriver, key, { first, count: Math.max(count, ADDRESSES_CHECKED) });
    const isDue = gap !== undefined || historyKnownMs !== startedMs;
    const { isKnown, uncertain, ...found } = isDue ? await findUse(context, next, fetchHistory) : NOT_USED;
    if (found.used === undefined) {
      const addresses = next.slice(0, count);
      return { addresses, gaps: taken.gaps, startedMs, isHistoryKnown: isKnown, uncertain };
    }
    const given = { key, first, count, gaps: taken.gaps };
    await giveUpIndexes(context, { gapSize, steps }, { given, ...found, used: found.used });
    historyKnownMs = undefined;
  }
  throw new Error(
    `one of the next ${ADDRESSES_CHECKED} addresses is used already, after ${MAX_GAPS} gaps too`,
  );
}

/** Where it was found that an address is used. */
type FoundIn = { readonly by: "the chain" | "the directory" };
/** Of addresses that were taken where those before them were looked up. */
const NOT_USED: History & FoundIn = { isKnown: true, used: undefined, uncertain: [], by: "the directory" };

/** Indexes of a key that were taken, and how often it had been skipped by then. */
type Given = {
  readonly key: AccountKey;
  readonly first: number;
  readonly count: number;
  readonly gaps: number;
};

/**
 * Gives up indexes that were taken, of which one is `used` already, and skips further, unless somebody has since `gaps`
 * was read. The watcher takes them in before it reads on.
 */
export async function giveUpIndexes(
  context: GuardContext,
  { gapSize, steps }: Pick<Tools, "gapSize" | "steps">,
  { given: { key, ...taken }, used, by }: FoundIn & { given: Given; used: string },
): Promise<void> {
  const above = by === "the chain" ? Math.min(gapSize, steps.next()) : gapSize;
  const gap = await leaveGap(context.db, key.id, { ...taken, below: gapSize, above });
  if (gap.count > 0) reportUsedAddress(context, { ...gap, used, by });
}

/** The first of these addresses that the directory has, or else, of those that come first, the chain. */
async function findUse(
  { db }: GuardContext,
  next: readonly IssuedAddress[],
  fetchHistory: FetchHistory,
): Promise<History & FoundIn> {
  const [stored] = await findOwners(
    db,
    next.map(({ hash }) => hash),
  );
  const used = next.find(({ hash }) => stored?.hash.equals(hash))?.address;
  if (used !== undefined) return { isKnown: true, used, uncertain: [], by: "the directory" };
  const history = await fetchHistory(next.slice(0, ADDRESSES_CHECKED).map(({ address }) => address));
  return { ...history, by: "the chain" };
}

async function derive(
  deriver: Deriver,
  { id: accountKeyId, xpub }: AccountKey,
  range: Omit<IndexRange, "xpub">,
): Promise<IssuedAddress[]> {
  const derived = await deriver.derive({ xpub, ...range });
  return derived.map(({ index, address, hash }) => ({
    accountKeyId,
    index,
    address,
    hash: Buffer.from(hash),
  }));
}
