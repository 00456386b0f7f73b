import type { Queryable } from "@daric/postgres/sql";
import { formatAmount } from "../domain/money.ts";
import { type BookedPayment, findBookedBeside } from "./booked-store.ts";
import type { Sighting } from "./store.ts";

/** What is left of the payments that nodes show, and what is left out, in words. */
type WithoutMoved = { readonly sightings: readonly Sighting[]; readonly differences: readonly string[] };

/**
 * Leaves out of the payments that nodes show in a block of ours as many, and as much, as our books have of the same transaction
 * to the same address in places that no node shows: whoever told of those may have put these very payments elsewhere in it, and
 * the same money is not booked twice, however many nodes show it. Where one of several is of the amount that is booked it is that.
 */
export async function leaveOutMoved(
  db: Queryable,
  question: { network: string; blockId: string; sightings: readonly Sighting[] },
): Promise<WithoutMoved> {
  const { sightings } = question;
  const booked = await findBookedBeside(db, question);
  const shown = new Set(sightings.map(({ id }) => id));
  const known = new Set(booked.map(({ id }) => id));
  const lacking = sightings.filter(({ id }) => !known.has(id));
  const vanished = booked.filter(({ id }) => !shown.has(id));
  const moved = movedOf(lacking, vanished);
  return {
    sightings: sightings.filter((one) => !moved.has(one)),
    differences: [
      ...[...moved].map(
        ({ txId, source, eventIndex, address }) =>
          `${address} is paid by ${source} ${eventIndex} of ${txId}, where our books have another one that no node shows`,
      ),
      ...booked.flatMap((one) => {
        const told = sightings.find(({ id, amount }) => id === one.id && amount !== one.amount);
        return told === undefined ? [] : [amountSentence(one, told)];
      }),
    ],
  };
}

function amountSentence({ address, txId, source, amount }: BookedPayment, told: Sighting): string {
  const { eventIndex, currency } = told;
  return `${address} is paid ${formatAmount(told.amount)} ${currency} by ${source} ${eventIndex} of ${txId}, where our books have ${formatAmount(amount)}`;
}

/** Those that the books lack and that may be what has vanished; of no amount that is booked, the largest until they make up for it. */
function movedOf(lacking: readonly Sighting[], vanished: readonly BookedPayment[]): Set<Sighting> {
  const moved = new Set<Sighting>();
  const alikeTo = (other: BookedPayment) => lacking.filter((one) => !moved.has(one) && isAlike(one, other));
  const changed = vanished.filter((other) => {
    const same = alikeTo(other).find(({ amount }) => amount === other.amount);
    if (same !== undefined) moved.add(same);
    return same === undefined;
  });
  for (const other of changed) {
    let units = 0n;
    for (const one of alikeTo(other).toSorted((a, b) => (a.amount > b.amount ? -1 : 1))) {
      if (units >= other.amount) break;
      moved.add(one);
      units += one.amount;
    }
  }
  return moved;
}

function isAlike(one: Sighting, other: BookedPayment): boolean {
  const fields = ["txId", "source", "address", "currency"] as const;
  return fields.every((field) => one[field] === other[field]);
}
