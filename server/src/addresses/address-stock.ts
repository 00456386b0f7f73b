import { uuidv7 } from "uuidv7";
import { idOf } from "../domain/ids.ts";
import type { SourceContext } from "./context.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { type AccountKey, ensureAccountKey } from "./key-store.ts";
import { giveUpIndexes, LOOKED_UP, type Tools, takeAhead } from "./take-ahead.ts";

/** So many at a time: what a process that is killed takes with it. */
const INDEXES_AT_ONCE = 250;
/** Below this many the next ones are taken and derived. */
const LOW = INDEXES_AT_ONCE / 2;

/** The addresses that wait in this process's memory to be issued. */
export type AddressStock = {
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
  /** Whether a node has said that what comes next was never used, since the database's server was started. */
  isLookedUp(): boolean;
  /** Asks the nodes again, and gives up what waits where one of them knows an address of it. */
  lookUp(): Promise<void>;
};

export function createAddressStock(context: SourceContext, tools: Tools): AddressStock {
  let key: AccountKey | undefined;
  let ready: IssuedAddress[] = [];
  let givenOut = new WeakSet<IssuedAddress>();
  let jumps: number | undefined;
  let startedMs: number | undefined;
  let lookedUpMs: number | undefined;

  function forget(): void {
    ready = [];
    givenOut = new WeakSet();
    lookedUpMs = undefined;
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
    next: () => {
      const first = ready.shift();
      // Each who is given it has an object of their own.
      const next = first && { ...first };
      if (next !== undefined) givenOut.add(next);
      return next;
    },
    putBack: (issued) => {
      if (givenOut.delete(issued)) ready.unshift(issued);
    },
    forget,
    isLow: () => ready.length < LOW,
    size: () => ready.length,
    fill: async () => {
      const wanted = { key: await ensureKey(), count: INDEXES_AT_ONCE, lookedUpMs };
      const taken = await takeAhead(context, tools, wanted);
      // What was taken before a jump is watched without a merchant by now.
      if (jumps !== taken.jumps) forget();
      ready.push(...taken.addresses);
      ({ jumps, startedMs } = taken);
      lookedUpMs = taken.isLookedUp ? startedMs : undefined;
    },
    isLookedUp: () => lookedUpMs !== undefined,
    lookUp: async () => {
      const some = ready.slice(0, LOOKED_UP);
      if (some.length === 0 || key === undefined || jumps === undefined) return;
      const { isKnown, used } = await tools.askHistory(some.map(({ address }) => address));
      if (used !== undefined) {
        const range = rangeOf([...some, ...ready]);
        forget();
        await giveUpIndexes(context, { key, ...range, jumps, jump: tools.jump }, { used, by: "the chain" });
      } else if (isKnown) lookedUpMs = startedMs;
    },
  };
}

function rangeOf(addresses: readonly IssuedAddress[]): { first: number; count: number } {
  const indexes = addresses.map(({ index }) => index);
  const first = Math.min(...indexes);
  return { first, count: Math.max(...indexes) - first + 1 };
}
