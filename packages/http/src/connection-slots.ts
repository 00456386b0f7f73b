/** A new connection is about to send a request. For this time all other connections are closed before it. */
const FRESH_MS = 1_000;

/** A socket with Node's count of received bytes. */
type Connection = { readonly bytesRead: number };

/**
 * An address, or all proxies together, and its connections that may be closed. A connection with a request
 * under way may not.
 */
type Party<C> = {
  readonly key: string;
  readonly isProxy: boolean;
  readonly max: number;
  count: number;
  /** no byte had arrived at the last look; with the time of opening */
  readonly silent: Map<C, number>;
  /** an incomplete request: the headers of the first one, or a body; with the time of opening */
  readonly begun: Map<C, number>;
  /** no request since an answer; the longest idle one first */
  readonly idle: Set<C>;
  /** an answer waits and the client reads none of it */
  readonly unread: Set<C>;
};

type Bounds<C> = {
  /** a monotonic clock */
  readonly nowMs: () => number;
  readonly max: number;
  readonly perAddress: number;
  /** whether the address has many callers: all proxies together may have all slots, and are closed last */
  readonly isProxy: (address: string) => boolean;
  /** the key of an address */
  readonly keyOf: (address: string) => string;
  /** whether the body of the begun request is complete */
  readonly isWhole: (connection: C) => boolean;
};

export type ConnectionSlots<C> = {
  /** The open connections. */
  all(): readonly C[];
  count(): number;
  /**
   * Adds a connection and returns the one to close for it: itself if no other can be closed, undefined if
   * there was room.
   */
  enter(connection: C, address: string): C | undefined;
  leave(connection: C): void;
  /** Notes that the headers of a request arrived, and its body did not. */
  begin(connection: C): void;
  /** Notes that a request arrived and is being answered. */
  keep(connection: C): void;
  /** Notes that the client reads none of the waiting bytes, or reads again. */
  reportUnread(connection: C, isUnread: boolean): void;
  /** Notes that all requests are answered. */
  rest(connection: C): void;
};

/**
 * Limits the connections in total and for each address. At a limit one is closed for the new one. The order is silent
 * ones, incomplete requests, the longest idle, unread answers. Each time the address with most connections loses one.
 * Connections of the last second are spared while there are others. Of the spared ones the address with most loses
 * one, with or without a request. An address never closes its own unread answers: constant reconnects would renew
 * them all before any is detected.
 */
export function createConnectionSlots<C extends Connection>(bounds: Bounds<C>): ConnectionSlots<C> {
  const involvedParties = new Map<string, Party<C>>();
  const partyOf = new Map<C, Party<C>>();

  function findParty(address: string): Party<C> {
    const isProxy = bounds.isProxy(address);
    const key = isProxy ? "proxies" : bounds.keyOf(address);
    const max = isProxy ? bounds.max : bounds.perAddress;
    return involvedParties.get(key) ?? { ...{ key, isProxy, max, count: 0 }, ...emptySets<C>() };
  }

  function makeRoom(party: Party<C>): C | undefined {
    const freshMs = bounds.nowMs() - FRESH_MS;
    const options = { freshMs, isWhole: bounds.isWhole };
    if (party.count >= party.max) return nextOf(party, { ...options, isOfOwn: true })?.connection;
    return nextOfAll(involvedParties.values(), { ...options, isOfOwn: false })?.connection;
  }

  /** Removes a connection from the sets of its address, and returns the address. */
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
      const isFull = party.count >= party.max || partyOf.size >= bounds.max;
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
 * The connection of this address to close first. Silent ones that have sent bytes become begun ones; those with a
 * complete body leave the list.
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

/** The connection of all these addresses to close first. */
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

function goesBefore<C>(left: Next<C>, right: Next<C>): boolean {
  if (left.party.isProxy !== right.party.isProxy) return right.party.isProxy;
  return left.rank === right.rank ? left.party.count > right.party.count : left.rank < right.rank;
}
