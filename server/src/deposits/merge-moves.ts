import type {
  DecodedTransfers,
  Transfer,
  TransferAnomaly,
  UnsupportedTransfer,
} from "../chain/decode-transfers.ts";

/** Where in a block something stands, and whom it pays: a node that hides a log gives its place to the next. */
type Placed = Pick<TransferAnomaly, "txId" | "source" | "eventIndex"> & { readonly toHex?: string };

/** What pays somebody so much, wherever in its transaction. */
type Payment = Transfer | UnsupportedTransfer;

/** What one is paid in one place of a block, as so many nodes tell it. */
type Version<T> = { readonly content: string; readonly moves: readonly T[]; count: number };

/**
 * What several nodes tell of one block, as one: all that any of them shows, because no root covers what contracts did and a
 * node may hide it. Where they show one payment in several ways, what most of them show stands, and of as many what the
 * first shows; that is an anomaly. Of payments of one transaction that are alike there are no more than one node shows, in the
 * places that most show: one that is told in another place is not another one.
 */
export function mergeMoves(tellings: readonly [DecodedTransfers, ...DecodedTransfers[]]): DecodedTransfers {
  const [first, ...others] = tellings;
  if (others.length === 0) return first;
  const transfers = merge(tellings.map((moves) => moves.transfers));
  const spent = merge(tellings.map((moves) => moves.spent));
  const unsupported = merge(tellings.map((moves) => moves.unsupported));
  const anomalies = merge(tellings.map((moves) => moves.anomalies));
  const disputed = [...transfers.disputed, ...spent.disputed, ...unsupported.disputed];
  return {
    ...first,
    transfers: capped(
      transfers.moves,
      tellings.map((moves) => moves.transfers),
    ),
    spent: spent.moves,
    unsupported: capped(
      unsupported.moves,
      tellings.map((moves) => moves.unsupported),
    ),
    anomalies: [...anomalies.moves, ...disputed],
  };
}

function merge<T extends Placed>(
  tellings: readonly (readonly T[])[],
): { moves: T[]; disputed: TransferAnomaly[] } {
  const places = new Map<string, Version<T>[]>();
  for (const telling of tellings) {
    for (const [place, moves] of byPlace(telling)) {
      const versions = places.get(place) ?? [];
      places.set(place, versions);
      const content = contentOf(moves);
      const known = versions.find((version) => version.content === content);
      if (known === undefined) versions.push({ content, moves, count: 1 });
      else known.count += 1;
    }
  }
  const all = [...places.values()];
  return {
    moves: all.flatMap((versions) => versions.toSorted((a, b) => b.count - a.count)[0]?.moves ?? []),
    disputed: all.flatMap((versions) => (versions.length > 1 ? disputeOf(versions) : [])),
  };
}

/** Of moves that are alike as many as one telling has at most, those in the places that most have, and of as many the first. */
function capped<T extends Payment>(moves: readonly T[], tellings: readonly (readonly T[])[]): T[] {
  const counts = tellings.map((telling) => groupsOfAlike(telling));
  const shownBy = (move: T) =>
    tellings.filter((telling) => telling.some((other) => contentOf([other]) === contentOf([move]))).length;
  const left = [...groupsOfAlike(moves)].flatMap(([payment, alike]) => {
    const most = Math.max(...counts.map((count) => count.get(payment)?.length ?? 0));
    return alike.length <= most ? [] : alike.toSorted((a, b) => shownBy(b) - shownBy(a)).slice(most);
  });
  return left.length === 0 ? [...moves] : moves.filter((move) => !left.includes(move));
}

function groupsOfAlike<T extends Payment>(moves: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const move of moves) {
    const money = "units" in move ? [move.currency, move.units] : [move.contractHex, move.rawValue];
    const payment = [move.txId, move.source, move.toHex, ...money].join("/");
    const group = groups.get(payment);
    if (group === undefined) groups.set(payment, [move]);
    else group.push(move);
  }
  return groups;
}

function byPlace<T extends Placed>(telling: readonly T[]): Map<string, T[]> {
  const places = new Map<string, T[]>();
  for (const move of telling) {
    const place = [move.txId, move.source, move.eventIndex, move.toHex].join("/");
    places.set(place, [...(places.get(place) ?? []), move]);
  }
  return places;
}

function contentOf(moves: readonly object[]): string {
  return JSON.stringify(moves, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}

function disputeOf<T extends Placed>(versions: readonly Version<T>[]): TransferAnomaly[] {
  return (versions[0]?.moves ?? []).slice(0, 1).map(({ txId, source, eventIndex }) => {
    const detail = `nodes tell it in ${versions.length} ways; what most of them tell is taken`;
    return { txId, source, eventIndex, kind: "contradictory_result", detail };
  });
}
