import type { Queryable } from "@daric/postgres/sql";
import type { UncoveredDeposit } from "./clear-store.ts";
import type { ClearingMemory } from "./clearance.ts";
import type { Purse } from "./movement-store.ts";
import { findOthers, type Others } from "./others-store.ts";
import { toldTransfers } from "./shown-transfers.ts";

/** The uncovered deposits to one address in one currency: those that are seen one by one, and the others. */
export type PurseGroup = Purse & {
  readonly key: string;
  readonly deposits: readonly UncoveredDeposit[];
  readonly others: readonly Others[];
};

/** The purses that uncovered deposits came to, in their order, each from its first one on. */
export function groupPurses(uncovered: readonly UncoveredDeposit[]): PurseGroup[] {
  const groups = new Map<string, PurseGroup & { deposits: UncoveredDeposit[] }>();
  for (const deposit of uncovered) {
    const { merchantId, chargeId, address, currency, blockNumber: from, readAt } = deposit;
    const key = `${address}/${currency}`;
    const purse = { merchantId, chargeId, address, currency, from, readAt };
    const group = groups.get(key) ?? { ...purse, key, deposits: [], others: [] };
    group.deposits.push(deposit);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The same purses with what else waits there beside the deposits of these groups, each from the first of all on. */
export async function addOthers(
  db: Queryable,
  { network, groups, memory }: { network: string; groups: readonly PurseGroup[]; memory: ClearingMemory },
): Promise<PurseGroup[]> {
  const but = groups.flatMap(({ deposits }) => deposits.map(({ id }) => id));
  const told = toldTransfers(memory, groups);
  const found = await findOthers(db, { network, purses: groups, but, told });
  return groups.map((group) => {
    const others = found.get(group) ?? [];
    const from = Math.min(group.from, others[0]?.blockNumber ?? group.from);
    const earliest = (readAt: Date, other: Others) => (other.readAt < readAt ? other.readAt : readAt);
    return { ...group, others, from, readAt: others.reduce(earliest, group.readAt) };
  });
}
