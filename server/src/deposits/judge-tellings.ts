import type { UncoveredDeposit } from "./clear-store.ts";
import type { Sighting } from "./store.ts";

/** A place that one transfer can have in a block, and what is said to be there. */
type Transfer = Pick<Sighting, "txId" | "source" | "eventIndex" | "address" | "currency" | "amount">;

/** What follows from what nodes show of one block beside what was read. */
export type TellingsJudgement<S extends Transfer> = {
  /** what is to be recorded */
  readonly missing: readonly S[];
  /** the deposits where a quorum shows another transfer in their very place, or a log that a quorum tells the block without */
  readonly refuted: readonly UncoveredDeposit[];
  /** what is shown at a place that is not stored by fewer than a quorum, of all nodes: who shows it is alone with it */
  readonly lone: readonly S[];
  /** whether nodes contradict each other about a place of ours, and no quorum says who is right or not all have answered */
  readonly isDisputed: boolean;
};

/** How many nodes make a quorum, how many there are, and how many of them have told the block. */
type Votes = { readonly quorum: number; readonly nodes: number; readonly told: number };

/** What is said to be at one place, and by how many. */
type Variant<S> = { readonly transfer: S; readonly count: number };

/** What follows for one place; nothing where what is stored is what is shown. */
type Verdict<S> = {
  readonly missing?: S;
  readonly lone?: S;
  readonly refuted?: UncoveredDeposit;
  readonly isDisputed?: true;
};

/**
 * Compares the transfers to us that are not native or that no root covers, as several nodes show them, with those that are stored
 * of that block. What a node alone shows is recorded when all have answered, because it may be true, but for what a quorum tells
 * the block without: to be confirmed it would need a quorum like any other. Of one place in the block, though, only one can be true:
 * there what a quorum shows stands, and nothing is recorded or withdrawn without one. A quorum that shows nothing there denies a
 * log, which every node saves, and no internal transfer.
 */
export function judgeTellings<S extends Transfer>(
  stored: readonly UncoveredDeposit[],
  tellings: readonly (readonly S[])[],
  { quorum, nodes }: { quorum: number; nodes: number },
): TellingsJudgement<S> {
  const known = new Map(stored.map((deposit) => [placeOf(deposit), deposit]));
  const votes = { quorum, nodes, told: tellings.length };
  const verdicts = [...variantsByPlace(tellings)].map(([place, variants]) =>
    judgePlace(known.get(place), variants, votes),
  );
  const denied = stored.filter((deposit) => isDenied(deposit, tellings, votes));
  return {
    missing: verdicts.flatMap(({ missing }) => missing ?? []),
    lone: verdicts.flatMap(({ lone }) => lone ?? []),
    refuted: [...new Set([...verdicts.flatMap(({ refuted }) => refuted ?? []), ...denied])],
    isDisputed: verdicts.some(({ isDisputed }) => isDisputed),
  };
}

/** Whether a quorum tells the block without this deposit, and no quorum can show it any more. */
function isDenied(
  deposit: UncoveredDeposit,
  tellings: readonly (readonly Transfer[])[],
  { quorum, nodes, told }: Votes,
): boolean {
  const isIt = (one: Transfer) => placeOf(one) === placeOf(deposit) && contentOf(one) === contentOf(deposit);
  const shows = tellings.filter((telling) => telling.some(isIt)).length;
  return deposit.source === "log" && told - shows >= quorum && shows + nodes - told < quorum;
}

function variantsByPlace<S extends Transfer>(tellings: readonly (readonly S[])[]): Map<string, Variant<S>[]> {
  const places = new Map<string, Map<string, Variant<S>>>();
  for (const transfer of tellings.flat()) {
    const variants = places.get(placeOf(transfer)) ?? new Map<string, Variant<S>>();
    const { count = 0 } = variants.get(contentOf(transfer)) ?? {};
    places.set(placeOf(transfer), variants.set(contentOf(transfer), { transfer, count: count + 1 }));
  }
  return new Map([...places].map(([place, variants]) => [place, [...variants.values()]]));
}

function judgePlace<S extends Transfer>(
  deposit: UncoveredDeposit | undefined,
  variants: readonly Variant<S>[],
  { quorum, nodes, told }: Votes,
): Verdict<S> {
  const isStored = ({ transfer }: Variant<S>) =>
    deposit !== undefined && contentOf(transfer) === contentOf(deposit);
  const agreed = variants.filter(({ count }) => count >= quorum);
  const [shown, another] = deposit === undefined && variants.length === 1 ? variants : agreed;
  if (another !== undefined) return { isDisputed: true };
  if (shown === undefined) return variants.every(isStored) ? {} : { isDisputed: true };
  if (isStored(shown)) return {};
  const { transfer, count } = shown;
  if (deposit !== undefined) return { missing: transfer, refuted: deposit };
  if (count >= quorum) return { missing: transfer };
  if (told - count >= quorum) return { lone: transfer };
  return told < nodes ? { isDisputed: true } : { lone: transfer, missing: transfer };
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
