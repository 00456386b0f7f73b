import { inShards, shardOf } from "@daric/postgres/tenants";

/**
 * Processes at most `limit` rows in fair rounds: each unit gets an equal share, and unused shares are shared again.
 * So a large backlog of one unit does not delay the others.
 * `work` gets as many units as one statement may name merchants and returns the rows that it processed, at most `limitEach` of a unit. Returns all
 * processed rows, and whether a unit may have more. A unit with a `size` has no more rows than that, together with others of its key.
 */
export async function inFairRounds<Unit extends OfMerchant, Row>(
  units: readonly Unit[],
  { limit, unitOf }: { limit: number; unitOf: (row: Row | Unit) => string },
  work: (units: readonly Unit[], limitEach: number) => Promise<readonly Row[]>,
): Promise<{ rows: Row[]; isMoreWaiting: boolean }> {
  const rows: Row[] = [];
  const left = sizesOf(units, unitOf);
  let waiting = units;
  while (waiting.length > 0 && rows.length < limit) {
    const limitEach = Math.max(1, Math.floor((limit - rows.length) / waiting.length));
    const visited = waiting.slice(0, limit - rows.length);
    const counts = new Map<string, number>();
    for (const list of inLists(visited)) {
      for (const row of await work(list, limitEach)) {
        rows.push(row);
        const key = unitOf(row);
        counts.set(key, (counts.get(key) ?? 0) + 1);
        left.set(key, (left.get(key) ?? Infinity) - 1);
      }
    }
    const hadMore = visited.filter(
      (unit) => (counts.get(unitOf(unit)) ?? 0) >= limitEach && (left.get(unitOf(unit)) ?? Infinity) > 0,
    );
    waiting = [...waiting.slice(visited.length), ...hadMore];
  }
  return { rows, isMoreWaiting: waiting.length > 0 };
}

/** The rows of the units of each key; infinitely many where one of them has no size. */
function sizesOf<Unit extends OfMerchant>(
  units: readonly Unit[],
  unitOf: (unit: Unit) => string,
): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const unit of units) {
    const size = typeof unit === "string" ? undefined : unit.size;
    sizes.set(unitOf(unit), (sizes.get(unitOf(unit)) ?? 0) + (size ?? Infinity));
  }
  return sizes;
}

/** A merchant, or something of one, with how many rows it has if that is known. */
type OfMerchant = string | { readonly merchantId: string; readonly size?: number };

/** Splits units into lists as long as one statement may name merchants, each about merchants of one shard. */
export function inLists<Unit extends OfMerchant>(units: readonly Unit[]): Unit[][] {
  return inShards(units, (unit) => (typeof unit === "string" ? unit : unit.merchantId));
}

/**
 * Splits rows into lists about at most as many merchants of one shard as one statement may name, in the order of shards and
 * merchants.
 */
export function inMerchantLists<Row extends { readonly merchantId: string }>(rows: readonly Row[]): Row[][] {
  const merchantIds = [...new Set(rows.map(({ merchantId }) => merchantId))].toSorted();
  const lists = inLists(merchantIds).toSorted(byShard);
  const places = new Map(lists.flatMap((list, place) => list.map((id) => [id, place])));
  const found: Row[][] = lists.map(() => []);
  for (const row of rows) found[places.get(row.merchantId) ?? 0]?.push(row);
  return found;
}

function byShard([one = ""]: readonly string[], [other = ""]: readonly string[]): number {
  return shardOf(one).localeCompare(shardOf(other));
}

/** Runs `work` on each list of {@link inMerchantLists}, one after the other; returns all rows. So locks are taken in order. */
export async function byMerchantLists<Row extends { readonly merchantId: string }, Result>(
  rows: readonly Row[],
  work: (list: readonly Row[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const found: Result[] = [];
  for (const list of inMerchantLists(rows)) found.push(...(await work(list)));
  return found;
}

/** The units in round-robin order: every merchant's first one, then every merchant's second one, and so on. */
export function roundRobin<Unit extends { readonly merchantId: string }>(units: readonly Unit[]): Unit[] {
  const turns = new Map<string, number>();
  const inTurn = units.map((unit) => {
    const turn = turns.get(unit.merchantId) ?? 0;
    turns.set(unit.merchantId, turn + 1);
    return { unit, turn };
  });
  return inTurn.toSorted((a, b) => a.turn - b.turn).map(({ unit }) => unit);
}
