import type { AcceptableCheck } from "../blocks/block-fault.ts";
import type { CompleteBlock } from "../blocks/complete-block.ts";
import { InvalidBlockError } from "../blocks/node-error.ts";

/**
 * What an operator takes as it is told: this block, and those above it up to `until`, where nothing is wrong but that these
 * checks fail.
 */
export type BlockOverride = {
  readonly blockId: string;
  readonly blockNumber: number;
  readonly until: number;
  readonly checks: readonly AcceptableCheck[];
};

/** All that is accepted of a chain, for whoever fetches its blocks. */
export type BlockOverrides = {
  /** What is accepted from now on. */
  replace(all: readonly BlockOverride[]): void;
  /**
   * The block that a fetch failed to tell whole, where that is accepted. `responses`: how every node told it that was asked; of
   * those that are accepted the one with the fewest failing checks, since who lies about a block fails more of them.
   *
   * @throws what the fetch failed with, otherwise.
   */
  apply(failure: unknown, responses?: readonly InvalidBlockError[]): CompleteBlock;
};

/** Nothing is accepted yet. */
export function createBlockOverrides(): BlockOverrides {
  let accepted: readonly BlockOverride[] = [];
  return {
    replace: (all) => {
      accepted = all;
    },
    apply: (failure, responses) => {
      if (!(failure instanceof InvalidBlockError)) throw failure;
      const applicable = (responses ?? [failure]).filter((response) =>
        accepted.some((one) => isFor(one, response)),
      );
      const [best] = fewestChecksFirst(applicable);
      if (best === undefined) throw failure;
      return best.block;
    },
  };
}

/** Those with fewer failing checks before those with more, and otherwise in their order. */
export function fewestChecksFirst<T extends { readonly checks: readonly AcceptableCheck[] }>(
  responses: readonly T[],
): T[] {
  return responses.toSorted((a, b) => a.checks.length - b.checks.length);
}

function isFor(
  { blockId, blockNumber, until, checks }: BlockOverride,
  { block, checks: failing }: InvalidBlockError,
): boolean {
  const { id, number } = block.header;
  const isMeant = id === blockId || (number > blockNumber && number <= until);
  return isMeant && failing.every((check) => checks.includes(check));
}
