import type { CompleteBlock } from "./complete-block.ts";
import { StrangeBlockError } from "./node-error.ts";
import type { AcceptableCheck } from "./strange-block.ts";

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
   * The block that a fetch failed to tell whole, where that is accepted.
   *
   * @throws what the fetch failed with, otherwise.
   */
  take(failure: unknown): CompleteBlock;
};

/** Nothing is accepted yet. */
export function createAcceptances(): Acceptances {
  let accepted: readonly Acceptance[] = [];
  return {
    replace: (all) => {
      accepted = all;
    },
    take: (failure) => {
      if (failure instanceof StrangeBlockError && accepted.some((one) => isFor(one, failure)))
        return failure.told;
      throw failure;
    },
  };
}

function isFor(
  { blockId, blockNumber, until, checks }: Acceptance,
  { told, checks: failing }: StrangeBlockError,
): boolean {
  const { id, number } = told.header;
  const isMeant = id === blockId || (number > blockNumber && number <= until);
  return isMeant && failing.every((check) => checks.includes(check));
}
