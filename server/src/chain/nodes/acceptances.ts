import type { CompleteBlock } from "../blocks/complete-block.ts";
import { StrangeBlockError } from "../blocks/node-error.ts";
import type { AcceptableCheck } from "../blocks/strange-block.ts";

/**
 * What an operator takes as it is told: this block, and those above it up to `until`, where nothing is wrong but that these
 * checks fail.
 */
export type Acceptance = {
  readonly blockId: string;
  readonly blockNumber: number;
  readonly until: number;
  readonly checks: readonly AcceptableCheck[];
};

/** All that is accepted of a chain, for whoever fetches its blocks. */
export type Acceptances = {
  /** What is accepted from now on. */
  replace(all: readonly Acceptance[]): void;
  /**
   * The block that a fetch failed to tell whole, where that is accepted. `tellings`: how every node told it that was asked; of
   * those that are accepted the one with the fewest failing checks, since who lies about a block fails more of them.
   *
   * @throws what the fetch failed with, otherwise.
   */
  take(failure: unknown, tellings?: readonly StrangeBlockError[]): CompleteBlock;
};

/** Nothing is accepted yet. */
export function createAcceptances(): Acceptances {
  let accepted: readonly Acceptance[] = [];
  return {
    replace: (all) => {
      accepted = all;
    },
    take: (failure, tellings) => {
      if (!(failure instanceof StrangeBlockError)) throw failure;
      const taken = (tellings ?? [failure]).filter((telling) => accepted.some((one) => isFor(one, telling)));
      const [best] = fewestChecksFirst(taken);
      if (best === undefined) throw failure;
      return best.told;
    },
  };
}

/** Those with fewer failing checks before those with more, and otherwise in their order. */
export function fewestChecksFirst<T extends { readonly checks: readonly AcceptableCheck[] }>(
  tellings: readonly T[],
): T[] {
  return tellings.toSorted((a, b) => a.checks.length - b.checks.length);
}

function isFor(
  { blockId, blockNumber, until, checks }: Acceptance,
  { told, checks: failing }: StrangeBlockError,
): boolean {
  const { id, number } = told.header;
  const isMeant = id === blockId || (number > blockNumber && number <= until);
  return isMeant && failing.every((check) => checks.includes(check));
}
