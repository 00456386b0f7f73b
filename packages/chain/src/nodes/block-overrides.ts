import type { AcceptableCheck } from "../blocks/block-fault.ts";
import type { CompleteBlock } from "../blocks/complete-block.ts";
import { InvalidBlockError } from "../blocks/node-error.ts";

/** An operator's acceptance of this block, and of those above it up to `until`, if they fail no other checks than these. */
export type BlockOverride = {
  readonly blockId: string;
  readonly blockNumber: number;
  readonly until: number;
  readonly checks: readonly AcceptableCheck[];
};

export type BlockOverrides = {
  replace(all: readonly BlockOverride[]): void;
  /**
   * The block of a failed fetch, if an override covers one of the nodes' `responses`. The one with the fewest failed checks
   * wins, because a node that lies fails more. @throws the failure otherwise.
   */
  apply(failure: unknown, responses?: readonly InvalidBlockError[]): CompleteBlock;
};

export function createBlockOverrides(): BlockOverrides {
  let accepted: readonly BlockOverride[] = [];
  return {
    replace: (all) => {
      accepted = all;
    },
    apply: (failure, responses) => {
      if (!(failure instanceof InvalidBlockError)) throw failure;
      const applicable = (responses ?? [failure]).filter((response) =>
        accepted.some((override) => isFor(override, response)),
      );
      const [best] = fewestChecksFirst(applicable);
      if (best === undefined) throw failure;
      return best.block;
    },
  };
}

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
