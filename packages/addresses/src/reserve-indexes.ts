import type { Clock } from "@daric/runtime/clock";
import type { FetchHistory, History } from "./chain-history.ts";
import type { GuardContext } from "./context.ts";
import type { IndexRange } from "./derive-range.ts";
import type { Deriver } from "./deriver.ts";
import { findOwners } from "./directory-store.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { type AccountKey, findNextIndex, GAP, leaveGap, reserveIndexRow } from "./key-store.ts";

export const ADDRESSES_CHECKED = 20;
/** More gaps in a row cannot come from lost history: a node lies, or the xpub is used elsewhere. */
export const MAX_GAPS = 10;

export type Tools = {
  readonly deriver: Deriver;
  readonly fetchHistory: FetchHistory;
  /** the gap if our own database shows that indexes may be lost */
  readonly gapSize: number;
  /** the gap if only nodes show it */
  readonly steps: Steps;
};

export type Steps = { next(): number };

const FIRST_STEP = 100;
const STEPS_WITHIN_MS = 3_600_000;

/** Several nodes may be wrong: the first gap has 100 indexes, each further one within an hour twice as many. */
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

export type IndexReservation = {
  readonly addresses: readonly IssuedAddress[];
  readonly gaps: number;
  /** the database server's start time, and whether the nodes have since confirmed that the next addresses are unused */
  readonly startedMs: number;
  readonly isHistoryKnown: boolean;
  readonly uncertain: readonly string[];
};

/**
 * Reserves the next `count` indexes of an account key and derives their addresses. The reservation comes first: a crash
 * leaves a gap, and no address is issued twice.
 *
 * It leaves a gap if the database is another one, or if the directory or the chain knows one of the next 20 addresses. The
 * last two are checked after a gap and after a server start since `historyKnownMs`, because a running server's disk
 * cannot be replaced. The watcher watches a gap before it reads on.
 *
 * @throws UsedAddressError after ten gaps in a row. @throws the errors of `fetchHistory`.
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
    const { isKnown, uncertain, ...found } = isDue
      ? await findUse(context, next, { xpub: key.xpub, own: first + count, fetchHistory })
      : NOT_USED;
    if (found.used === undefined) {
      const addresses = next.slice(0, count);
      return { addresses, gaps: taken.gaps, startedMs, isHistoryKnown: isKnown, uncertain };
    }
    const given = { key, first, count, gaps: taken.gaps };
    await giveUpIndexes(context, { gapSize, steps }, { given, ...found, used: found.used });
    historyKnownMs = undefined;
  }
  throw new UsedAddressError();
}

export class UsedAddressError extends Error {
  override readonly name = "UsedAddressError";

  constructor() {
    super(`one of the next ${ADDRESSES_CHECKED} addresses is used already, after ${MAX_GAPS} gaps too`);
  }
}

type FoundIn = { readonly by: "the chain" | "the directory" };
const NOT_USED: History & FoundIn = { isKnown: true, used: undefined, uncertain: [], by: "the directory" };

type Given = {
  readonly key: AccountKey;
  readonly first: number;
  readonly count: number;
  readonly gaps: number;
};

/** Gives up reserved indexes, of which one is `used` already, unless another gap has been left since `gaps` was read. */
export async function giveUpIndexes(
  context: GuardContext,
  { gapSize, steps }: Pick<Tools, "gapSize" | "steps">,
  { given: { key, ...taken }, used, by }: FoundIn & { given: Given; used: string },
): Promise<void> {
  const above = by === "the chain" ? Math.min(gapSize, steps.next()) : gapSize;
  const gap = await leaveGap(context.db, key.id, { ...taken, below: gapSize, above });
  if (gap.count > 0) reportUsedAddress(context, { ...gap, used, by });
}

/**
 * The first of these addresses that the directory has, or else the first used one on the chain. From index `own` on they are
 * not of this reservation: another process may have reserved them since.
 */
async function findUse(
  { db }: GuardContext,
  next: readonly IssuedAddress[],
  { xpub, own, fetchHistory }: { xpub: string; own: number; fetchHistory: FetchHistory },
): Promise<History & FoundIn> {
  const owners = await findOwners(
    db,
    next.map(({ bytes }) => bytes),
  );
  const reserved = owners.length === 0 ? own : await findNextIndex(db, xpub);
  const stored = owners.find(({ index }) => index < own || index >= reserved);
  const used = next.find(({ bytes }) => stored?.bytes.equals(bytes))?.address;
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
  return derived.map(({ index, address, bytes }) => ({
    accountKeyId,
    index,
    address,
    bytes: Buffer.from(bytes),
  }));
}

const PARTS = ["cluster", "timeline", "database", "table"] as const;

type GapFacts = { readonly first: number; readonly count: number };

function reportOtherDatabase(
  { log, metrics }: Pick<GuardContext, "log" | "metrics">,
  { first, count, before, now }: GapFacts & { before: string; now: string },
): void {
  metrics.alarms.inc({ alarm: "index_gap" });
  const [old, current] = [before.split("/"), now.split("/")];
  const changed = PARTS.filter((_, index) => old[index] !== current[index]);
  log.error(
    { event: "index_gap", first_index: first, count, changed, database_before: before, database_now: now },
    "the database was restored, copied or promoted since the last index reservation: the next indexes may have been " +
      "issued and were skipped; their addresses are watched without a merchant",
  );
}

function reportUsedAddress(
  { log, metrics }: Pick<GuardContext, "log" | "metrics">,
  { first, count, used, by }: GapFacts & { used: string; by: "the chain" | "the directory" },
): void {
  metrics.alarms.inc({ alarm: "index_gap" });
  log.error(
    { event: "index_gap", first_index: first, count, address: used, known_to: by },
    "the next address is used already, because the database is an older copy or the xpub is used elsewhere: the next " +
      "indexes were skipped; their addresses are watched without a merchant",
  );
}
