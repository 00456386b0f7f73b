/** Who has just come is about to ask: until then all others make room before him. */
const FRESH_MS = 1_000;

/** A connection as Node counts what came on it. */
type Connection = { readonly bytesRead: number };

/** An address, or all proxies together, with the connections that may make room; one on which a request is answered may not. */
type Party<C> = {
  readonly key: string;
  readonly isProxy: boolean;
  readonly most: number;
  count: number;
  /** no byte had come when that was looked at last; since when each is there */
  readonly silent: Map<C, number>;
  /** the first request is not complete to the end of its headers; since when each is there */
  readonly begun: Map<C, number>;
  /** nothing was asked since an answer; the longest idle one first */
  readonly idle: Set<C>;
};

type Bounds = {
  /** a monotonic clock */
  readonly nowMs: () => number;
  readonly most: number;
  readonly perAddress: number;
  /** whether many callers come from this address: all proxies together may have all places, and make room last */
  readonly isProxy: (address: string) => boolean;
  /** what is counted as one address */
  readonly keyOf: (address: string) => string;
};

export type ConnectionPlaces<C> = {
  /** Those that are open. */
  all(): readonly C[];
  count(): number;
  /**
   * Takes a connection in and answers which one has to end for it: itself where no other makes room, and undefined where there
   * was room.
   */
  enter(connection: C, address: string): C | undefined;
  leave(connection: C): void;
  /** A request came, and is being answered. */
  keep(connection: C): void;
  /** All that was asked is answered. */
  rest(connection: C): void;
};

/**
 * So many places, and of one address so many. Beyond that a connection makes room for the new one: a silent one first, then one
 * whose first request is not complete, then the one that was idle for longest, each time of the address that has most. One that
 * came within the last second is spared as long as there is another.
 */
export function createConnectionPlaces<C extends Connection>(bounds: Bounds): ConnectionPlaces<C> {
  const parties = new Map<string, Party<C>>();
  const partyOf = new Map<C, Party<C>>();

  function findParty(address: string): Party<C> {
    const isProxy = bounds.isProxy(address);
    const key = isProxy ? "proxies" : bounds.keyOf(address);
    const most = isProxy ? bounds.most : bounds.perAddress;
    return parties.get(key) ?? { ...{ key, isProxy, most, count: 0 }, ...emptySets<C>() };
  }

  function makeRoom(party: Party<C>): C | undefined {
    const freshMs = bounds.nowMs() - FRESH_MS;
    if (party.count >= party.most) return nextOf(party, freshMs)?.connection;
    let best: ReturnType<typeof nextOf<C>>;
    for (const other of parties.values()) {
      const next = nextOf(other, freshMs);
      if (next !== undefined && (best === undefined || goesBefore(next, best))) best = next;
    }
    return best?.connection;
  }

  function leave(connection: C): void {
    const party = partyOf.get(connection);
    if (party === undefined) return;
    partyOf.delete(connection);
    for (const set of [party.silent, party.begun, party.idle]) set.delete(connection);
    party.count -= 1;
    if (party.count === 0) parties.delete(party.key);
  }

  return {
    all: () => [...partyOf.keys()],
    count: () => partyOf.size,
    enter(connection, address) {
      const party = findParty(address);
      const isFull = party.count >= party.most || partyOf.size >= bounds.most;
      const leaving = isFull ? (makeRoom(party) ?? connection) : undefined;
      if (leaving === connection) return leaving;
      if (leaving !== undefined) leave(leaving);
      parties.set(party.key, party);
      partyOf.set(connection, party);
      party.count += 1;
      party.silent.set(connection, bounds.nowMs());
      return leaving;
    },
    leave,
    keep(connection) {
      const party = partyOf.get(connection);
      for (const set of [party?.silent, party?.begun, party?.idle]) set?.delete(connection);
    },
    rest(connection) {
      partyOf.get(connection)?.idle.add(connection);
    },
  };
}

function emptySets<C>(): Pick<Party<C>, "silent" | "begun" | "idle"> {
  return { silent: new Map(), begun: new Map(), idle: new Set() };
}

type Next<C> = { readonly connection: C; readonly rank: number; readonly party: Party<C> };

/** The connection of this address that makes room first; those that have begun to ask meanwhile are no longer silent. */
function nextOf<C extends Connection>(party: Party<C>, freshMs: number): Next<C> | undefined {
  for (const [connection, sinceMs] of party.silent) {
    if (connection.bytesRead === 0) break;
    party.silent.delete(connection);
    party.begun.set(connection, sinceMs);
  }
  const [silent] = party.silent;
  const [begun] = party.begun;
  const [idle] = party.idle;
  const isOld = (entry: [C, number] | undefined) => entry !== undefined && entry[1] <= freshMs;
  const ranks = [isOld(silent) && silent?.[0], isOld(begun) && begun?.[0], idle, silent?.[0], begun?.[0]];
  const rank = ranks.findIndex(Boolean);
  const connection = ranks[rank];
  return connection ? { connection, rank, party } : undefined;
}

function goesBefore<C>(one: Next<C>, other: Next<C>): boolean {
  if (one.party.isProxy !== other.party.isProxy) return other.party.isProxy;
  return one.rank === other.rank ? one.party.count > other.party.count : one.rank < other.rank;
}
