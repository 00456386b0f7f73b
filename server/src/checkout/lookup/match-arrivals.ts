import { currentConfirmations } from "../../domain/deposit.ts";
import type { Lookup } from "../../domain/lookup.ts";
import { type Amount, add, zero } from "../../domain/money.ts";
import type { Arrived } from "./store.ts";

type Money = NonNullable<Arrived["money"]>;

/** What a transaction is to the payer of a charge, by what our own blocks show of it there; undefined where they show nothing. */
export function matchArrivals(arrivals: readonly Arrived[]): Lookup | undefined {
  if (arrivals.length === 0) return undefined;
  const moneys = arrivals.flatMap(({ money }) => money ?? []);
  const alive = moneys.filter(({ status }) => status !== "FAILED");
  return (
    ofMatching(alive.filter(({ unmatched }) => !unmatched)) ??
    ofUnmatched(alive) ??
    (moneys.length > 0 ? { result: "failed" } : { result: "other_token", amount: null, currency: null })
  );
}

function ofMatching(moneys: readonly Money[]): Lookup | undefined {
  const confirmed = moneys.filter(({ status }) => status === "CONFIRMED");
  const [counted] = confirmed;
  if (counted !== undefined)
    return { result: "counted", amount: sumOf(confirmed), currency: counted.currency };
  const [seen] = moneys;
  if (seen === undefined) return undefined;
  const { currency, requiredConfirmations } = seen;
  const count = Math.min(currentConfirmations(seen), requiredConfirmations);
  return { result: "seen", amount: sumOf(moneys), currency, confirmations: count, requiredConfirmations };
}

function ofUnmatched(moneys: readonly Money[]): Lookup | undefined {
  const [other] = moneys;
  return other && { result: "other_token", amount: sumOf(moneys), currency: other.currency };
}

function sumOf(moneys: readonly Money[]): Amount {
  return moneys.reduce<Amount>((sum, { amount }) => add(sum, amount), zero);
}
