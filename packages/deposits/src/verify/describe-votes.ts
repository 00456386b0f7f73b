import { endOfAddress } from "@daric/domain/lookup";
import { formatAmount } from "@daric/domain/money";
import type { ObservedTransfer } from "../store.ts";

type Paid = Pick<ObservedTransfer, "amount" | "currency" | "address">;

/** Describes each node's report of a transaction that too few report alike. */
export function describeVotes(
  votes: readonly {
    readonly nodes: readonly string[];
    readonly matches: { readonly observed: readonly Paid[] };
  }[],
  needed: number,
): string {
  if (votes.length === 0) return `${needed} nodes must agree on it, and none has reported it yet`;
  const each = votes.map(({ nodes, matches: { observed } }) => {
    const paid = observed.map(
      ({ amount, currency, address }) => `${amount} units of ${currency} to ${address}`,
    );
    return `${nodes.join(" and ")}: ${paid.length === 0 ? "no payment" : paid.join(", ")}`;
  });
  return `${needed} nodes must agree on it; ${each.join("; ")}`;
}

/** Payments for readers of public checks, so only with the ends of addresses. */
export function describePaid(paid: readonly Paid[]): string {
  const each = paid.map(
    ({ amount, currency, address }) => `${formatAmount(amount)} ${currency} to …${endOfAddress(address)}`,
  );
  return each.length === 0 ? "no payment" : each.join(" and ");
}

/** The nodes without a vote on internal transfers, and the cure; empty if there is none. */
export function describeSilent(silent: readonly { readonly node: string }[]): string[] {
  if (silent.length === 0) return [];
  const nodes = silent.map(({ node }) => node).join(" and ");
  const verbs = silent.length === 1 ? ["shows", "has"] : ["show", "have"];
  return [
    `${nodes} ${verbs[0]} no internal transaction of its block and ${verbs[1]} no vote: ${STORE_INTERNALS}. A node stores those of later blocks only, so this deposit needs a node that stored them, or your decision`,
  ];
}

/** The cure of a node that does not store internal transactions. */
export const STORE_INTERNALS = "java-tron needs vm.saveInternalTx = true";
