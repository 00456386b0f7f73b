import type { Queryable } from "@daric/postgres/sql";
import type { Clock } from "@daric/runtime/clock";
import { findLogo, findLogoIds, type StoredLogo } from "./logo-store.ts";

/** at most 100 kB each */
const MAX_KEPT = 64;
/** A new logo is found at most this long after a miss. */
const MAX_AGE_MS = 250;

/**
 * Caches logos, which never change, and the set of known ids: all invented ids together cost four queries a second.
 */
export function createLogoCache(
  db: Queryable,
  clock: Pick<Clock, "monotonicMs">,
): (id: string) => Promise<StoredLogo | undefined> {
  const kept = new Map<string, Promise<StoredLogo | undefined>>();
  let ids: Promise<ReadonlySet<string>> = Promise.resolve(new Set());
  let queriedMs = Number.NEGATIVE_INFINITY;

  async function isThere(id: string): Promise<boolean> {
    const requested = ids;
    if ((await requested).has(id)) return true;
    if (ids === requested && clock.monotonicMs() - queriedMs >= MAX_AGE_MS) readIds();
    return (await ids).has(id);
  }

  function readIds(): void {
    queriedMs = clock.monotonicMs();
    const before = ids;
    ids = findLogoIds(db);
    ids.catch(() => {
      ids = before;
      queriedMs = Number.NEGATIVE_INFINITY;
    });
  }

  function read(id: string): Promise<StoredLogo | undefined> {
    const logo = findLogo(db, id);
    logo.catch(() => kept.delete(id));
    return logo;
  }

  return async (id) => {
    if (!(await isThere(id))) return undefined;
    const logo = kept.get(id) ?? read(id);
    kept.delete(id);
    kept.set(id, logo);
    const [oldest] = kept.size > MAX_KEPT ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return logo;
  };
}
