import type { DepositId } from "../domain/ids.ts";
import { amountFromUnits } from "../domain/money.ts";
import type { UncoveredDeposit } from "./clear-store.ts";
import type { ClearingMemory } from "./clearance.ts";
import type { PurseGroup } from "./group-purses.ts";
import { findBacked, type Judged, type Purses } from "./judge-balance.ts";
import type { Others } from "./others-store.ts";
import { countShown } from "./shown-transfers.ts";

/** What is known of one purse: what waits there, what lies in it, and what our blocks show to have come and left. */
export type PurseFacts = Purses & { readonly group: PurseGroup };

/** To which height the balances hold what came, and to which one it lacks for sure that they do not hold. */
type Bounds = { readonly heldAt: number; readonly sureTo: number };

type Verdict = {
  readonly cleared: readonly UncoveredDeposit[];
  readonly lacking: readonly UncoveredDeposit[];
};

/** Which deposits of these purses the balances hold, and which they are known not to hold. */
export function judgePurses(
  facts: readonly PurseFacts[],
  { heldAt, sureTo }: Bounds,
  memory: ClearingMemory,
): Verdict {
  const judged = facts.map(({ group, ...purse }) => {
    const isHeld = ({ blockNumber }: { readonly blockNumber: number }) => blockNumber <= heldAt;
    const deposits = group.deposits.filter(isHeld).map((deposit) => asJudged(deposit, memory));
    const others = group.others.filter(isHeld).flatMap(othersAsJudged);
    const backed = new Set<Judged>(findBacked<Judged>([...deposits, ...others], purse));
    return {
      cleared: deposits.filter((deposit) => backed.has(deposit)),
      lacking: deposits.filter((deposit) => deposit.blockNumber <= sureTo && !backed.has(deposit)),
    };
  });
  return {
    cleared: judged.flatMap(({ cleared }) => cleared),
    lacking: judged.flatMap(({ lacking }) => lacking),
  };
}

/** The ids of these deposits. */
export const idsOf = (deposits: readonly UncoveredDeposit[]): DepositId[] => deposits.map(({ id }) => id);

function asJudged(deposit: UncoveredDeposit, memory: ClearingMemory): UncoveredDeposit & Judged {
  const { shows, asked } = countShown(deposit, memory);
  const hasLacked = deposit.isStuck || memory.lacked.has(deposit.id);
  return { ...deposit, hasLacked, isRefuted: shows < asked };
}

/**
 * What is added up stands for its deposits: those that are shown, and those that are not. As each of them claims what it says and
 * none is confirmed by it, a deposit that is seen is never judged by less than all that waits beside it. Whether one
 * has lacked, was not STUCK by then, and whether it came late is not known of these: they claim like others.
 */
function othersAsJudged({ isStuck, units, shownUnits }: Others): Judged[] {
  const part = (amount: bigint, isRefuted: boolean): Judged => {
    return { amount: amountFromUnits(amount), hasLacked: isStuck, isRefuted, isLate: false };
  };
  return [part(shownUnits, false), part(units - shownUnits, true)];
}
