import { minIdAt } from "@daric/charges/min-id";
import type { Database } from "@daric/postgres/sql";
import type { Clock } from "@daric/runtime/clock";
import {
  holdProgress,
  insertTerms,
  type ListOfMerchant,
  moveProgress,
  type Place,
  readProgress,
  readTermPage,
  readTotals,
  restartIfMissed,
} from "./term-store.ts";

/** Rows of a page: some thousand terms, written in some hundredths of a second. */
const PAGE = 500;
/** Rows older than this are read a second time, for those that were committed later than rows after them. */
const SETTLED_MS = 60_000;
/** So much of what was read last is read again with newer rows. */
const OVERLAP_MS = 2_000;
const SETTLE_EVERY_MS = 30_000;
/** The longest time of one step for rows that are settled, so that new rows do not wait for old ones. */
const SETTLING_MS = 500;

type Context = { readonly db: Database; readonly clock: Pick<Clock, "now" | "monotonicMs"> };

export type TermWriter = {
  /** Writes the terms of new rows, then those of some old ones. Returns whether more old ones wait. */
  step(): Promise<boolean>;
};

/**
 * Follows the lists of all merchants. New rows are found by the lists' totals, which the same commits change, and get their terms at once.
 * Each list is read a second time, from its start to a minute ago, and its progress is kept. So a crash, a late commit or an upgrade leaves
 * no row without terms. Writing terms twice changes nothing, so two writers at once are harmless.
 */
export function createTermWriter(context: Context): TermWriter {
  const { db, clock } = context;
  const totals = new Map<string, bigint>();
  const newest = new Map<string, Place>();
  let waiting: ListOfMerchant[] = [];
  let settledMs = Number.NEGATIVE_INFINITY;

  async function findUnsettled(lists: Awaited<ReturnType<typeof readTotals>>): Promise<ListOfMerchant[]> {
    const settled = new Map((await readProgress(db)).map((row) => [keyOf(row), row.rows]));
    for (const row of lists)
      if (settled.get(keyOf(row)) === row.rows) {
        totals.set(keyOf(row), row.rows);
        newest.delete(keyOf(row));
      }
    return lists.filter((row) => (settled.get(keyOf(row)) ?? 0n) !== row.rows);
  }

  async function settleSome(): Promise<void> {
    const startedMs = clock.monotonicMs();
    while (waiting.length > 0 && clock.monotonicMs() - startedMs < SETTLING_MS) {
      const [list, ...others] = waiting as [ListOfMerchant, ...ListOfMerchant[]];
      waiting = (await settlePage(context, list)) ? [...others, list] : others;
    }
  }

  return {
    step: async () => {
      const lists = await readTotals(db);
      if (clock.monotonicMs() - settledMs >= SETTLE_EVERY_MS) {
        settledMs = clock.monotonicMs();
        waiting = await findUnsettled(lists);
      }
      for (const row of lists) {
        const key = keyOf(row);
        if (totals.get(key) === row.rows) continue;
        const last = await writeNewest(context, row, newest.get(key));
        if (last !== undefined) newest.set(key, last);
        totals.set(key, row.rows);
      }
      await settleSome();
      return waiting.length > 0;
    },
  };
}

/** Writes the terms of the rows after the last one that was read, and a little before. Returns the new last one. */
async function writeNewest(
  { db, clock }: Context,
  list: ListOfMerchant,
  from: Place | undefined,
): Promise<Place | undefined> {
  let after = from === undefined ? placeAt(new Date(clock.now().getTime() - SETTLED_MS)) : earlier(from);
  for (;;) {
    const { rows, last } = await db.transaction(async (tx) => {
      await holdProgress(tx, list, { change: false });
      const page = await readTermPage(tx, list, { after, before: undefined, limit: PAGE });
      await insertTerms(tx, list.merchantId, page.rows);
      return page;
    });
    if (last === undefined) return from;
    if (rows.length < PAGE) return last;
    after = last;
  }
}

/** One page of the rows that no running transaction can precede. Returns whether more of them may wait. */
async function settlePage({ db, clock }: Context, list: ListOfMerchant): Promise<boolean> {
  const before = new Date(clock.now().getTime() - SETTLED_MS);
  return db.transaction(async (tx) => {
    const after = await holdProgress(tx, list, { change: true });
    const { rows, last } = await readTermPage(tx, list, { after, before, limit: PAGE });
    await insertTerms(tx, list.merchantId, rows);
    if (last !== undefined) await moveProgress(tx, list, { ...last, rows: after.rows + BigInt(rows.length) });
    return rows.length === PAGE || restartIfMissed(tx, list);
  });
}

function keyOf({ merchantId, list }: ListOfMerchant): string {
  return `${merchantId} ${list}`;
}

function placeAt(time: Date): Place {
  return { at: time.toISOString(), id: minIdAt(time) };
}

/** A place so much before this one that rows which were committed at about the same time are read again. */
function earlier({ at, id }: Place): Place {
  const made = at === "-infinity" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : Date.parse(at);
  return placeAt(new Date(made - OVERLAP_MS));
}
