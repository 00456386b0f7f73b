import type { Amount } from "../domain/money.ts";
import type { PurseMovement } from "./clear-store.ts";

/** What lies on an address at some height, and what our blocks show to have come and left up to there. */
export type Purses = {
  readonly balance: bigint;
  readonly movement: PurseMovement;
};

/** An uncovered deposit: whether it was once found to lack what it says, and whether a node did not show it since. */
export type Judged = { readonly amount: Amount; readonly hasLacked: boolean; readonly isRefuted: boolean };

/**
 * Which of the uncovered deposits to one address, all of blocks up to the height of the balance, are there: the balance
 * must hold them beside everything else that has come since the first of them, less what has left or was burnt. All of them; where that
 * is more than there is, those that every node has shown; or those that have never lacked; or none. So one that was made up
 * neither holds up what comes with it and after it, nor is ever paid for by that.
 */
export function findBacked<D extends Judged>(
  deposits: readonly D[],
  { balance, movement }: Purses,
): readonly D[] {
  const room = balance + movement.left + movement.mostBurnt - movement.came;
  const fits = (some: readonly D[]) => some.reduce((sum, { amount }) => sum + amount, 0n) <= room;
  const shown = deposits.filter(({ isRefuted }) => !isRefuted);
  const fresh = shown.filter(({ hasLacked }) => !hasLacked);
  return [deposits, shown, fresh].find(fits) ?? [];
}
