import { uuidv7 } from "uuidv7";
import { idOf } from "../domain/ids.ts";
import type { SourceContext } from "./context.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { type AccountKey, ensureAccountKey } from "./key-store.ts";
import {
  ADDRESSES_CHECKED,
  giveUpIndexes,
  type IndexReservation,
  reserveIndexes,
  type Tools,
} from "./reserve-indexes.ts";

/** So many at a time: what a process that is killed takes with it. */
const INDEXES_AT_ONCE = 250;
/** Below this many the next ones are taken and derived. */
const LOW = INDEXES_AT_ONCE / 2;
/** So many are held back at most while a node calls one of them used: a node that calls all used stops no orders. */
const MAX_HELD = 1_000;

/** The addresses that wait in this process's memory to be issued. */
export type AddressPool = {
  /** The one that has waited longest. */
  next(): IssuedAddress | undefined;
  /**
   * One that `next` gave is free again; nothing where who was given it has put it back already, whoever has it since, or
   * all was forgotten since.
   */
  putBack(issued: IssuedAddress): void;
  /** Gives up what is ready; what comes next is looked up, for it may have been issued too. */
  forget(): void;
  isLow(): boolean;
  /** How many wait. */
  size(): number;
  /** Takes and derives 250 more. */
  fill(): Promise<void>;
  /** Whether the nodes have said that what comes next was never used, since the database's server was started. */
  isHistoryKnown(): boolean;
  /** Asks the nodes again, and gives up what waits where they know an address of it; one that is in doubt is not issued. */
  checkHistory(): Promise<void>;
};

export function createAddressPool(context: SourceContext, tools: Tools): AddressPool {
  const shelf = createShelf();
  let key: AccountKey | undefined;
  let gaps: number | undefined;
  let startedMs: number | undefined;
  let historyKnownMs: number | undefined;

  function forget(): void {
    shelf.clear();
    historyKnownMs = undefined;
  }

  async function ensureKey(): Promise<AccountKey> {
    const xpub = context.config.addresses.accountXpub;
    key ??= {
      id: await ensureAccountKey(context.db, { id: idOf("accountKey", uuidv7()), xpub }),
      xpub,
    };
    return key;
  }

  return {
    next: shelf.next,
    putBack: shelf.putBack,
    forget,
    isLow: () => shelf.ready().length < LOW,
    size: () => shelf.ready().length,
    fill: async () => {
      const wanted = { key: await ensureKey(), count: INDEXES_AT_ONCE, historyKnownMs };
      const taken = await reserveIndexes(context, tools, wanted);
      // What was taken before a gap is watched without a merchant soon.
      if (gaps !== taken.gaps) forget();
      shelf.add(taken);
      ({ gaps, startedMs } = taken);
      historyKnownMs = taken.isHistoryKnown ? startedMs : undefined;
    },
    isHistoryKnown: () => historyKnownMs !== undefined && shelf.held().length === 0,
    checkHistory: async () => {
      const some = [...shelf.held(), ...shelf.ready().slice(0, ADDRESSES_CHECKED)];
      if (some.length === 0 || key === undefined || gaps === undefined) return;
      const { used, isKnown, uncertain } = await tools.fetchHistory(shelf.toBeChecked());
      if (used !== undefined) {
        const given = { key, ...rangeOf([...some, ...shelf.ready()]), gaps };
        forget();
        return giveUpIndexes(context, tools, { given, used, by: "the chain" });
      }
      shelf.settle(uncertain);
      if (isKnown) historyKnownMs = startedMs;
    },
  };
}

/**
 * Addresses that wait in their order. Those that were taken with one that a node calls used are held back: what comes after
 * them is issued, and they are when that is denied.
 */
function createShelf() {
  let ready: IssuedAddress[] = [];
  let held: readonly IssuedAddress[] = [];
  let uncertain: readonly string[] = [];
  let givenOut = new WeakSet<IssuedAddress>();
  return {
    ready: (): readonly IssuedAddress[] => ready,
    held: () => held,
    toBeChecked: (): string[] => {
      const next = ready.slice(0, ADDRESSES_CHECKED).map(({ address }) => address);
      return [...uncertain, ...next];
    },
    next: (): IssuedAddress | undefined => {
      const first = ready.shift();
      // Each who is given it has an object of their own.
      const next = first && { ...first };
      if (next !== undefined) givenOut.add(next);
      return next;
    },
    putBack: (issued: IssuedAddress): void => {
      if (givenOut.delete(issued)) ready.unshift(issued);
    },
    add: ({
      addresses,
      uncertain: uncertainNow,
    }: Pick<IndexReservation, "addresses" | "uncertain">): void => {
      const isHeld = uncertainNow.length > 0 && held.length + addresses.length <= MAX_HELD;
      if (isHeld)
        [held, uncertain] = [
          [...held, ...addresses],
          [...uncertain, ...uncertainNow],
        ];
      else ready.push(...addresses.filter(({ address }) => !uncertainNow.includes(address)));
    },
    /** Of those that were to be asked about, these are in doubt now. */
    settle: (uncertainNow: readonly string[]): void => {
      const all = [...held, ...ready];
      if (uncertainNow.length === 0) [ready, held] = [all, []];
      else if (all.length <= MAX_HELD) [ready, held] = [[], all];
      uncertain = uncertainNow;
    },
    clear: (): void => {
      [ready, held, uncertain, givenOut] = [[], [], [], new WeakSet()];
    },
  };
}

function rangeOf(addresses: readonly IssuedAddress[]): { first: number; count: number } {
  const indexes = addresses.map(({ index }) => index);
  const first = Math.min(...indexes);
  return { first, count: Math.max(...indexes) - first + 1 };
}
