import type { UncoveredDeposit } from "./clear-store.ts";
import type { Purse } from "./movement-store.ts";

/** The uncovered deposits to one address in one currency. */
export type PurseGroup = Purse & { readonly key: string; readonly deposits: readonly UncoveredDeposit[] };

/** The purses that uncovered deposits came to, in their order, each from its first one on. */
export function groupPurses(uncovered: readonly UncoveredDeposit[]): PurseGroup[] {
  const groups = new Map<string, PurseGroup & { deposits: UncoveredDeposit[] }>();
  for (const deposit of uncovered) {
    const { merchantId, chargeId, address, currency, blockNumber: from, readAt } = deposit;
    const key = `${address}/${currency}`;
    const purse = { merchantId, chargeId, address, currency, from, readAt };
    const group = groups.get(key) ?? { ...purse, key, deposits: [] };
    group.deposits.push(deposit);
    groups.set(key, group);
  }
  return [...groups.values()];
}
