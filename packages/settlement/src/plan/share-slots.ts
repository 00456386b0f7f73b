import { type Currency, currencies, isToken } from "@daric/domain/asset";
import type { Candidate } from "./plan-store.ts";

type Slots = {
  /** the sweeps under way of each coin */
  readonly underWay: Readonly<Record<Currency, number>>;
  readonly limit: number;
  /** the most sweeps that need energy */
  readonly tokenLimit: number;
};

/**
 * Shares free slots among the coins, so that none starves. The next slot is for the coin with fewer sweeps under way;
 * of two with equally many, for the one whose next content is older. An address has one sweep at a time. If it holds both coins, the
 * older content is swept, and the other one later.
 */
export function shareSlots(
  candidates: Readonly<Record<Currency, readonly Candidate[]>>,
  { underWay, limit, tokenLimit }: Slots,
): Candidate[] {
  const oldest = new Map<string, Candidate>();
  for (const candidate of currencies.flatMap((currency) => candidates[currency])) {
    const other = oldest.get(candidate.chargeId);
    if (other === undefined || candidate.oldestAt < other.oldestAt) oldest.set(candidate.chargeId, candidate);
  }
  const queues = currencies.map((currency) => {
    const own = candidates[currency].filter((candidate) => oldest.get(candidate.chargeId) === candidate);
    const max = isToken(currency) ? tokenLimit : limit;
    return { left: own.slice(0, max), used: underWay[currency] };
  });
  const taken: Candidate[] = [];
  while (taken.length < limit) {
    const [next] = queues
      .filter(({ left }) => left.length > 0)
      .sort((a, b) => a.used - b.used || headTime(a.left) - headTime(b.left));
    const candidate = next?.left.shift();
    if (next === undefined || candidate === undefined) break;
    next.used += 1;
    taken.push(candidate);
  }
  return taken;
}

function headTime([candidate]: readonly Candidate[]): number {
  return candidate?.oldestAt.getTime() ?? 0;
}
