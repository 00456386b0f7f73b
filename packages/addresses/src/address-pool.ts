import { idOf, type MerchantId } from "@daric/domain/ids";
import { uuidv7 } from "uuidv7";
import type { SourceContext } from "./context.ts";
import { reserveFor } from "./directory-store.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { type AccountKey, ensureAccountKey } from "./key-store.ts";
import {
  ADDRESSES_CHECKED,
  giveUpIndexes,
  type IndexReservation,
  MAX_GAPS,
  reserveIndexes,
  type Tools,
  UsedAddressError,
} from "./reserve-indexes.ts";

/** The most indexes that a killed process wastes; of each merchant, if it reserves for merchants. */
export const INDEXES_AT_ONCE = 250;
/** The first batch of one merchant. Each next one is twice as large. */
const FIRST_OF_MERCHANT = 16;
/**
 * The most addresses that are held back while one node reports one of them as used. A node that reports all of them
 * as used stops no order.
 */
const MAX_HELD = 1_000;

export type AddressPool = {
  next(): IssuedAddress | undefined;
  /** Takes back an address that `next` returned. A second call for it, or one after `forget`, has no effect. */
  putBack(issued: IssuedAddress): void;
  /** Drops the ready addresses. The next ones are checked on the chain, because they may have been issued too. */
  forget(): void;
  isLow(): boolean;
  size(): number;
  fill(): Promise<void>;
  /** Whether the nodes have confirmed, since the database server started, that the next addresses are unused. */
  isHistoryKnown(): boolean;
  /**
   * Queries the nodes again. If they report one of the addresses as used, the ready ones are given up. Uncertain ones
   * are not issued.
   */
  checkHistory(): Promise<void>;
};

/** The knowledge of one process's pools about the account key and the chain. */
export type PoolMemory = { key?: AccountKey; startedMs?: number; historyKnownMs?: number | undefined };

/** The addresses of a process; with `merchantId`, those that are reserved for this merchant. */
export function createAddressPool(
  context: SourceContext,
  tools: Tools,
  { memory, merchantId }: { readonly memory: PoolMemory; readonly merchantId: MerchantId | undefined },
): AddressPool {
  const shelf = createReadyAddresses();
  const reserve = createReserving(context, tools, { memory, merchantId });
  let count = merchantId === undefined ? INDEXES_AT_ONCE : FIRST_OF_MERCHANT;
  let low = count / 2;
  let gaps: number | undefined;

  function forget(): void {
    shelf.clear();
    memory.historyKnownMs = undefined;
  }

  return {
    next: shelf.next,
    putBack: shelf.putBack,
    forget,
    isLow: () => shelf.ready().length < low,
    size: () => shelf.ready().length,
    fill: async () => {
      const taken = await reserve(count);
      // Another gap since the last reservation covers the older addresses.
      if (gaps !== taken.gaps) forget();
      shelf.add(taken);
      gaps = taken.gaps;
      memory.startedMs = taken.startedMs;
      memory.historyKnownMs = taken.isHistoryKnown ? taken.startedMs : undefined;
      low = count / 2;
      count = Math.min(2 * count, INDEXES_AT_ONCE);
    },
    isHistoryKnown: () => memory.historyKnownMs !== undefined && shelf.held().length === 0,
    checkHistory: async () => {
      const some = [...shelf.held(), ...shelf.ready().slice(0, ADDRESSES_CHECKED)];
      const { key } = memory;
      if (some.length === 0 || key === undefined || gaps === undefined) return;
      const { used, isKnown, uncertain } = await tools.fetchHistory(shelf.toBeChecked());
      if (used !== undefined) {
        const given = { key, ...rangeOf([...some, ...shelf.ready()]), gaps };
        forget();
        return giveUpIndexes(context, tools, { given, used, by: "the chain" });
      }
      shelf.settle(uncertain);
      if (isKnown) memory.historyKnownMs = memory.startedMs;
    },
  };
}

/**
 * Reserves the next indexes. With `merchantId` it enters their addresses in the directory, which is on every node. While a node is away
 * the same indexes are tried again, so that an outage uses up no others.
 */
function createReserving(
  context: SourceContext,
  tools: Tools,
  { memory, merchantId }: { readonly memory: PoolMemory; readonly merchantId: MerchantId | undefined },
): (count: number) => Promise<IndexReservation> {
  let unentered: IndexReservation | undefined;

  async function ensureKey(): Promise<AccountKey> {
    const xpub = context.config.addresses.accountXpub;
    memory.key ??= {
      id: await ensureAccountKey(context.db, { id: idOf("accountKey", uuidv7()), xpub }),
      xpub,
    };
    return memory.key;
  }

  return async (count) => {
    const key = await ensureKey();
    for (let tries = 0; tries <= MAX_GAPS; tries += 1) {
      const { historyKnownMs } = memory;
      const taken = unentered ?? (await reserveIndexes(context, tools, { key, count, historyKnownMs }));
      if (merchantId === undefined) return taken;
      unentered = taken;
      const used = await reserveFor(context.db, merchantId, taken.addresses);
      unentered = undefined;
      if (used === undefined) return taken;
      const given = { key, ...rangeOf(taken.addresses), gaps: taken.gaps };
      await giveUpIndexes(context, tools, { given, used, by: "the directory" });
      memory.historyKnownMs = undefined;
    }
    throw new UsedAddressError();
  };
}

/**
 * The ready addresses in order. A batch with an address that one node reports as used is held back; later batches are
 * issued before it. It becomes ready when the node's claim is refuted.
 */
function createReadyAddresses() {
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
      // A copy per caller, so that a second `putBack` of an earlier one has no effect.
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
