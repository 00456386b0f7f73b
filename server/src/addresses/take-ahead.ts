import type { AskHistory, History } from "./chain-history.ts";
import type { GuardContext } from "./context.ts";
import type { Deriver, IndexRange } from "./deriver.ts";
import { findOwners } from "./directory-store.ts";
import type { IssuedAddress } from "./issued-address.ts";
import { type AccountKey, skipIndexes, takeIndexes } from "./key-store.ts";
import { reportOtherDatabase, reportUsedAddress } from "./report-jump.ts";
import { watchSkipped } from "./watch-skipped.ts";

/** So many of those that come next are looked up on the chain. */
export const LOOKED_UP = 20;
/** So many jumps in a row no lost history explains: a node, or somebody who has the xpub, is against us. */
const MAX_JUMPS = 10;

/** What derives, and asks for what was; and by how many indexes it is jumped. */
export type Tools = {
  readonly deriver: Deriver;
  readonly askHistory: AskHistory;
  /** Lets another node than the one that answered be asked first for a while. */
  doubtNode(): void;
  readonly jump: number;
};

/** Indexes that were taken, with their addresses in order. */
export type TakenAhead = {
  readonly addresses: readonly IssuedAddress[];
  /** how often indexes of the key were jumped over by then */
  readonly jumps: number;
  /** when the server was started, and whether a node has said since then that what comes next was never used */
  readonly startedMs: number;
  readonly isLookedUp: boolean;
};

/**
 * Takes the next `count` indexes of an account key and derives their addresses; none of them was ever given to anybody.
 * The indexes are taken before anything is derived: a crash in between leaves a gap, never an address issued twice.
 *
 * What may have been issued without this database knowing is jumped over, and watched before this resolves: where the
 * database is another one than before; where the directory has one of the addresses; and where the chain knows one of
 * the next 20. Both are asked after a jump, and when the server was started since `lookedUpMs`: nobody puts a disk
 * back under a server that runs. A node that knows them right behind a jump too is asked last: it may say so for ever. An
 * address that gets into the directory by another way is refused by its key there.
 *
 * @throws Error after ten jumps in a row; whatever `askHistory` throws.
 */
export async function takeAhead(
  context: GuardContext,
  { deriver, askHistory, doubtNode, jump }: Tools,
  { key, count, lookedUpMs: before }: { key: AccountKey; count: number; lookedUpMs: number | undefined },
): Promise<TakenAhead> {
  let lookedUpMs = before;
  for (let jumps = 0; jumps <= MAX_JUMPS; jumps += 1) {
    const { first, startedMs, skipped, ...taken } = await takeIndexes(context.db, key.id, { count, jump });
    if (skipped !== undefined) reportOtherDatabase(context, skipped);
    await watchSkipped(context, deriver);
    const next = await derive(deriver, key, { first, count: Math.max(count, LOOKED_UP) });
    const isDue = skipped !== undefined || lookedUpMs !== startedMs;
    const { isKnown, ...found } = isDue ? await findUse(context, next, askHistory) : NOT_USED;
    if (found.used === undefined) {
      const addresses = next.slice(0, count);
      return { addresses, jumps: taken.jumps, startedMs, isLookedUp: isKnown };
    }
    await giveUpIndexes(
      context,
      { key, first, count, jumps: taken.jumps, jump },
      { ...found, used: found.used },
    );
    if (jumps > 0 && found.by === "the chain") doubtNode();
    lookedUpMs = undefined;
  }
  throw new Error(`one of the next ${LOOKED_UP} addresses is used already, after ${MAX_JUMPS} jumps too`);
}

/** Where it was found that an address is used. */
type FoundIn = { readonly by: "the chain" | "the directory" };
/** Of addresses that were taken where those before them were looked up. */
const NOT_USED: History & FoundIn = { isKnown: true, used: undefined, by: "the directory" };

/**
 * Gives up indexes that were taken, of which one is `used` already, and jumps further, unless somebody has since `jumps`
 * was read. The next {@link takeAhead} watches them.
 */
export async function giveUpIndexes(
  context: GuardContext,
  { key, ...taken }: { key: AccountKey; first: number; count: number; jumps: number; jump: number },
  found: FoundIn & { used: string },
): Promise<void> {
  const skipped = await skipIndexes(context.db, key.id, taken);
  reportUsedAddress(context, { ...skipped, ...found });
}

/** The first of these addresses that the directory has, or else, of those that come first, the chain. */
async function findUse(
  { db }: GuardContext,
  next: readonly IssuedAddress[],
  askHistory: AskHistory,
): Promise<History & FoundIn> {
  const [stored] = await findOwners(
    db,
    next.map(({ hash }) => hash),
  );
  const used = next.find(({ hash }) => stored?.hash.equals(hash))?.address;
  if (used !== undefined) return { isKnown: true, used, by: "the directory" };
  const history = await askHistory(next.slice(0, LOOKED_UP).map(({ address }) => address));
  return { ...history, by: "the chain" };
}

async function derive(
  deriver: Deriver,
  { id: accountKeyId, xpub }: AccountKey,
  range: Omit<IndexRange, "xpub">,
): Promise<IssuedAddress[]> {
  const derived = await deriver.derive({ xpub, ...range });
  return derived.map(({ index, address, hash }) => ({
    accountKeyId,
    index,
    address,
    hash: Buffer.from(hash),
  }));
}
