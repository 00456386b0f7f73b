import { MAX_TENANTS } from "@daric/postgres/sql";

/**
 * Works through a backlog of many in bounded steps, so that none who has much keeps those waiting who have little: of
 * `limit` rows each unit gets the same share, who has no more drops out, and what is left over is shared again.
 * `work` takes units of 200 merchants at most and answers the rows that it did, `limitEach` of a unit at most. Answers all of
 * them, and whether any unit may have more.
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

/** These units in lists of 200 at most, as many merchants as one statement may name. */
export function inLists<Unit>(units: readonly Unit[]): Unit[][] {
  return Array.from({ length: Math.ceil(units.length / MAX_TENANTS) }, (_, index) =>
    units.slice(index * MAX_TENANTS, (index + 1) * MAX_TENANTS),
  );
}

/** These rows in lists of 200 merchants at most, whatever each merchant has. */
export function inMerchantLists<Row extends { readonly merchantId: string }>(rows: readonly Row[]): Row[][] {
  const places = new Map(
    [...new Set(rows.map(({ merchantId }) => merchantId))].map((id, index) => [id, index]),
  );
  const listOf = ({ merchantId }: Row) => Math.floor((places.get(merchantId) ?? 0) / MAX_TENANTS);
  const lists: Row[][] = [];
  for (const row of rows) {
    const list = listOf(row);
    lists[list] ??= [];
    lists[list]?.push(row);
  }
  return lists;
}

/** The same units, such that of each merchant's the first come first, then the second, and so on. */
export function takingTurns<Unit extends { readonly merchantId: string }>(units: readonly Unit[]): Unit[] {
  const turns = new Map<string, number>();
  const inTurn = units.map((unit) => {
    const turn = turns.get(unit.merchantId) ?? 0;
    turns.set(unit.merchantId, turn + 1);
    return { unit, turn };
  });
  return inTurn.toSorted((a, b) => a.turn - b.turn).map(({ unit }) => unit);
}
