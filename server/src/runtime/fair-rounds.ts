import { maxTenants } from "@daric/postgres/tenants";

/**
 * Processes at most `limit` rows in fair rounds: each unit gets an equal share, and unused shares are shared again.
 * So a large backlog of one unit does not delay the others.
 * `work` gets as many units as one statement may name merchants and returns the rows that it processed, at most `limitEach` of a unit. Returns all
 * processed rows, and whether a unit may have more.
 */
export async function inFairRounds<Unit, Row>(
  units: readonly Unit[],
  { limit, unitOf }: { limit: number; unitOf: (row: Row | Unit) => string },
  work: (units: readonly Unit[], limitEach: number) => Promise<readonly Row[]>,
): Promise<{ rows: Row[]; isMoreWaiting: boolean }> {
  const rows: Row[] = [];
  let waiting = units;
  while (waiting.length > 0 && rows.length < limit) {
    const limitEach = Math.max(1, Math.floor((limit - rows.length) / waiting.length));
    const visited = waiting.slice(0, limit - rows.length);
    const counts = new Map<string, number>();
    for (const list of inLists(visited)) {
      for (const row of await work(list, limitEach)) {
        rows.push(row);
        counts.set(unitOf(row), (counts.get(unitOf(row)) ?? 0) + 1);
      }
    }
    const hadMore = visited.filter((unit) => (counts.get(unitOf(unit)) ?? 0) >= limitEach);
    waiting = [...waiting.slice(visited.length), ...hadMore];
  }
  return { rows, isMoreWaiting: waiting.length > 0 };
}

/** Splits units into lists as long as one statement may name merchants. */
export function inLists<Unit>(units: readonly Unit[]): Unit[][] {
  const most = maxTenants();
  return Array.from({ length: Math.ceil(units.length / most) }, (_, index) =>
    units.slice(index * most, (index + 1) * most),
  );
}

/** Splits rows into lists about at most as many merchants as one statement may name, in the order of merchants. */
export function inMerchantLists<Row extends { readonly merchantId: string }>(rows: readonly Row[]): Row[][] {
  const places = new Map(
    [...new Set(rows.map(({ merchantId }) => merchantId))].toSorted().map((id, index) => [id, index]),
  );
  const most = maxTenants();
  const listOf = ({ merchantId }: Row) => Math.floor((places.get(merchantId) ?? 0) / most);
  const lists: Row[][] = [];
  for (const row of rows) {
    const list = listOf(row);
    lists[list] ??= [];
    lists[list]?.push(row);
  }
  return lists;
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
