import type { Amount } from "../domain/money.ts";
import type { PurseMovement } from "./movement-store.ts";

/**
 * What lies on an address at some height, and what our blocks show to have come and left up to there: since the first
 * uncovered deposit, and ever, of which what left is only what the roots of blocks cover.
 */
export type Purses = {
  readonly balance: bigint;
  readonly movement: PurseMovement;
  readonly ever: PurseMovement;
};

/**
 * An uncovered deposit: whether it was once found to lack what it says, whether a node that was asked for its block since
 * refuted it by not showing it, and whether it was added to a block that had been read without it.
 */
export type Judged = {
  readonly amount: Amount;
  readonly hasLacked: boolean;
  readonly isRefuted: boolean;
  readonly isLate: boolean;
};

/**
 * Which of the uncovered deposits to one address, all of blocks up to the height of the balance, are there. The balance
 * must hold them beside everything else that has come since the first of them, less what has left or was burnt:
 *
 * - all of them;
 * - where that is more than there is, those that were not refuted;
 * - where that is too much still, those of them that have never lacked;
 * - or none.
 *
 * So one that was made up neither holds up what comes with it and after it, nor is ever paid for by that.
 *
 * One that is late holds up nothing there, and is judged by itself: the balance must hold it beside all that ever came and
 * all in time that was not refuted, less what is proven to have left. So no money that was ever credited pays for it.
 */
export function findBacked<D extends Judged>(
  deposits: readonly D[],
  { balance, movement, ever }: Purses,
): readonly D[] {
  const inTime = deposits.filter(({ isLate }) => !isLate);
  const late = deposits.filter(({ isLate }) => isLate);
  const held = findFitting(inTime, balance + movement.left + movement.mostBurnt - movement.came);
  const claiming = inTime.filter((deposit) => !deposit.isRefuted || held.includes(deposit));
  // What may have been burnt is only a bound, which grows with every transaction.
  const roomOfLate = balance + ever.left - ever.came - sumOf(claiming);
  return [...held, ...findFitting(late, roomOfLate)];
}

function findFitting<D extends Judged>(deposits: readonly D[], room: bigint): readonly D[] {
  const shown = deposits.filter(({ isRefuted }) => !isRefuted);
  const fresh = shown.filter(({ hasLacked }) => !hasLacked);
  return [deposits, shown, fresh].find((some) => sumOf(some) <= room) ?? [];
}

function sumOf(deposits: readonly Judged[]): bigint {
  return deposits.reduce((sum, { amount }) => sum + amount, 0n);
}
