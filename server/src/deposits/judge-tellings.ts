import type { UncoveredDeposit } from "./clear-store.ts";
import type { Sighting } from "./store.ts";

/** A place that one transfer can have in a block, and what is said to be there. */
type Transfer = Pick<Sighting, "txId" | "source" | "eventIndex" | "address" | "currency" | "amount">;

/** What follows from what nodes show of one block beside what was read. */
export type TellingsJudgement<S extends Transfer> = {
  /** what is to be recorded */
  readonly missing: readonly S[];
  /** the deposits where a quorum shows another transfer in their very place */
  readonly refuted: readonly UncoveredDeposit[];
  /** what is shown at a place that is not stored by fewer than a quorum, of all nodes: who shows it is alone with it */
  readonly lone: readonly S[];
  /** whether nodes contradict each other about a place of ours, and no quorum says who is right or not all have answered */
  readonly isDisputed: boolean;
};

/**
 * Compares the transfers to us that no root covers, as several nodes show them, with those that are stored of that block. What
 * a node alone shows is recorded when all have answered, because it may be true, but for what a quorum tells the block without:
 * to be confirmed it would need a quorum like any other. Of one place in the
 * block, though, only one can be true: there what a quorum shows stands, and nothing is recorded or withdrawn without one.
 */
export function judgeTellings<S extends Transfer>(
  stored: readonly UncoveredDeposit[],
  tellings: readonly (readonly S[])[],
  { quorum, nodes }: { quorum: number; nodes: number },
): TellingsJudgement<S> {
  const known = new Map(stored.map((deposit) => [placeOf(deposit), deposit]));
  const places = new Map<string, Map<string, { transfer: S; count: number }>>();
  for (const telling of tellings) {
    for (const transfer of telling) {
      const place = placeOf(transfer);
      const variants = places.get(place) ?? new Map();
      const said = variants.get(contentOf(transfer)) ?? { transfer, count: 0 };
      places.set(place, variants.set(contentOf(transfer), { ...said, count: said.count + 1 }));
    }
  }
  const missing: S[] = [];
  const lone: S[] = [];
  const refuted: UncoveredDeposit[] = [];
  let isDisputed = false;
  for (const [place, variants] of places) {
    const deposit = known.get(place);
    const isStored = ({ transfer }: { transfer: S }) =>
      deposit !== undefined && contentOf(transfer) === contentOf(deposit);
    const agreed = [...variants.values()].filter(({ count }) => count >= quorum);
    const [only] = variants.size === 1 && deposit === undefined ? variants.values() : agreed;
    if (agreed.length > 1 || (only === undefined && ![...variants.values()].every(isStored))) {
      isDisputed = true;
    } else if (only !== undefined && deposit === undefined && only.count < quorum) {
      if (tellings.length < nodes) {
        isDisputed = true;
        continue;
      }
      lone.push(only.transfer);
      if (tellings.length - only.count < quorum) missing.push(only.transfer);
    } else if (only !== undefined && !isStored(only)) {
      missing.push(only.transfer);
      if (deposit !== undefined) refuted.push(deposit);
    }
  }
  return { missing, lone, refuted, isDisputed };
}

/** Where in a block a transfer is: two in one place cannot both be true. */
export function placeOf({
  txId,
  source,
  eventIndex,
}: Pick<Transfer, "txId" | "source" | "eventIndex">): string {
  return [txId, source, eventIndex].join("/");
}

function contentOf({ address, currency, amount }: Transfer): string {
  return [address, currency, amount].join("/");
}
