import type { Queryable } from "@daric/postgres/sql";
import type { Clock } from "../runtime/clock.ts";
import { findLogo, findLogoIds, type StoredLogo } from "./logo-store.ts";

/** At most 100 kB each. */
const MAX_KEPT = 64;
/** A new logo is found so long after another one was asked for in vain, at the latest. */
const MAX_AGE_MS = 250;

/**
 * Finds logos of which it remembers some, and which ids there are: a logo never changes, and an id that was made up
 * costs no statement of its own, but all of them together four a second.
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
