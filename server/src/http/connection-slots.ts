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
  /** a request is not complete: its headers where it is the first one, or its body; since when each is there */
  readonly begun: Map<C, number>;
  /** nothing was asked since an answer; the longest idle one first */
  readonly idle: Set<C>;
  /** an answer waits, and nothing of it is taken */
  readonly unread: Set<C>;
};

type Bounds<C> = {
  /** a monotonic clock */
  readonly nowMs: () => number;
  readonly most: number;
  readonly perAddress: number;
  /** whether many callers come from this address: all proxies together may have all places, and make room last */
  readonly isProxy: (address: string) => boolean;
  /** what is counted as one address */
  readonly keyOf: (address: string) => string;
  /** whether the request that has begun on it has come to the end of its body */
  readonly isWhole: (connection: C) => boolean;
};

export type ConnectionSlots<C> = {
  /** Those that are open. */
  all(): readonly C[];
  count(): number;
  /**
   * Takes a connection in and answers which one has to end for it: itself where no other makes room, and undefined where there
   * was room.
   */
  enter(connection: C, address: string): C | undefined;
  leave(connection: C): void;
  /** The headers of a request came, and not yet its body. */
  begin(connection: C): void;
  /** A request came, and is being answered. */
  keep(connection: C): void;
  /** Whether nothing is taken of what is to be sent. */
  reportUnread(connection: C, isUnread: boolean): void;
  /** All that was asked is answered. */
  rest(connection: C): void;
};

/**
 * So many places, and of one address so many. Beyond that a connection makes room for the new one: a silent one first, then one
 * with a request that is not complete, then the one that was idle for longest, then one that does not read its answer, each time of
 * the address that has most. One that came within the last second is spared as long as there is another; of these the address that
 * has most makes room, whether they have begun to ask or not. One that does not read makes
 * no room for its own address: who comes again and again would renew them all, and none would be known for what it is.
 */
export function createConnectionSlots<C extends Connection>(bounds: Bounds<C>): ConnectionSlots<C> {
  const involvedParties = new Map<string, Party<C>>();
  const partyOf = new Map<C, Party<C>>();

  function findParty(address: string): Party<C> {
    const isProxy = bounds.isProxy(address);
    const key = isProxy ? "proxies" : bounds.keyOf(address);
    const most = isProxy ? bounds.most : bounds.perAddress;
    return involvedParties.get(key) ?? { ...{ key, isProxy, most, count: 0 }, ...emptySets<C>() };
  }

  function makeRoom(party: Party<C>): C | undefined {
    const freshMs = bounds.nowMs() - FRESH_MS;
    const options = { freshMs, isWhole: bounds.isWhole };
    if (party.count >= party.most) return nextOf(party, { ...options, isOfOwn: true })?.connection;
    return nextOfAll(involvedParties.values(), { ...options, isOfOwn: false })?.connection;
  }

  /** The address of a connection that is taken in; of what it is known to do nothing is left. */
  function unlist(connection: C): Party<C> | undefined {
    const party = partyOf.get(connection);
    for (const set of party === undefined ? [] : setsOf(party)) set.delete(connection);
    return party;
  }

  function leave(connection: C): void {
    const party = unlist(connection);
    if (party === undefined) return;
    partyOf.delete(connection);
    party.count -= 1;
    if (party.count === 0) involvedParties.delete(party.key);
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
      involvedParties.set(party.key, party);
      partyOf.set(connection, party);
      party.count += 1;
      party.silent.set(connection, bounds.nowMs());
      return leaving;
    },
    leave,
    begin(connection) {
      unlist(connection)?.begun.set(connection, bounds.nowMs());
    },
    keep: (connection) => void unlist(connection),
    reportUnread(connection, isUnread) {
      partyOf.get(connection)?.unread[isUnread ? "add" : "delete"](connection);
    },
    rest: (connection) => void partyOf.get(connection)?.idle.add(connection),
  };
}

function emptySets<C>(): Pick<Party<C>, "silent" | "begun" | "idle" | "unread"> {
  return { silent: new Map(), begun: new Map(), idle: new Set(), unread: new Set() };
}

function setsOf<C>({ silent, begun, idle, unread }: Party<C>) {
  return [silent, begun, idle, unread];
}

type Next<C> = { readonly connection: C; readonly rank: number; readonly party: Party<C> };

type SlotSearch<C> = Pick<Bounds<C>, "isWhole"> & { readonly freshMs: number; readonly isOfOwn: boolean };

/**
 * The connection of this address that makes room first. Those that have begun to ask meanwhile are no longer silent, and those
 * whose body has come have asked.
 */
function nextOf<C extends Connection>(
  party: Party<C>,
  { freshMs, isWhole, isOfOwn }: SlotSearch<C>,
): Next<C> | undefined {
  for (const [connection, sinceMs] of party.silent) {
    if (connection.bytesRead === 0) break;
    party.silent.delete(connection);
    party.begun.set(connection, sinceMs);
  }
  for (const connection of party.begun.keys()) {
    if (!isWhole(connection)) break;
    party.begun.delete(connection);
  }
  const [silent] = party.silent;
  const [begun] = party.begun;
  const [idle] = party.idle;
  const [unread] = isOfOwn ? [] : party.unread;
  const isOld = (entry: [C, number] | undefined) => entry !== undefined && entry[1] <= freshMs;
  const ranks = [
    isOld(silent) && silent?.[0],
    isOld(begun) && begun?.[0],
    idle,
    unread,
    silent?.[0] ?? begun?.[0],
  ];
  const rank = ranks.findIndex(Boolean);
  const connection = ranks[rank];
  return connection ? { connection, rank, party } : undefined;
}

/** The connection of any of these addresses that makes room first. */
function nextOfAll<C extends Connection>(
  involvedParties: Iterable<Party<C>>,
  options: SlotSearch<C>,
): Next<C> | undefined {
  let best: Next<C> | undefined;
  for (const party of involvedParties) {
    const next = nextOf(party, options);
    if (next !== undefined && (best === undefined || goesBefore(next, best))) best = next;
  }
  return best;
}

function goesBefore<C>(one: Next<C>, other: Next<C>): boolean {
  if (one.party.isProxy !== other.party.isProxy) return other.party.isProxy;
  return one.rank === other.rank ? one.party.count > other.party.count : one.rank < other.rank;
}
