import type { Currency } from "./asset.ts";
import { balanceOf, kindsOfHolding, type LedgerTotal, type SweepRecipient } from "./ledger.ts";
import { type Amount, add, amountFromUnits, subtract, zero } from "./money.ts";
import type { SweepStatus } from "./sweep.ts";

/**
 * The movements between a merchant's books and the merchant. `confirmed` − `fees` − `settled` is the debt to the
 * merchant.
 */
export type MerchantMovements = {
  /** all confirmed money, in either currency of its charge */
  readonly confirmed: Amount;
  /** the fees that the service charged for it, less those that it returned */
  readonly fees: Amount;
  /** what reached the merchant's own wallets */
  readonly settled: Amount;
};

/** The movements of one currency in these totals of a merchant. */
export function merchantMovements(currency: Currency, totals: readonly LedgerTotal[]): MerchantMovements {
  const sum = (isPart: (total: LedgerTotal) => boolean) =>
    sumOf(totals.filter((total) => total.currency === currency && isPart(total)));
  return {
    confirmed: sum(({ credit, kind }) => credit === "merchant" && kind !== "fee_returned"),
    fees: subtract(
      sum(isFee),
      sum(({ kind }) => kind === "fee_returned"),
    ),
    settled: sum((total) => total.debit === "merchant" && !isFee(total)),
  };
}

/**
 * The confirmed money on a merchant's deposit addresses; negative if an address holds less than was confirmed there.
 */
export function contentOf(currency: Currency, totals: readonly LedgerTotal[]): Amount {
  const isOfDeposits = ({ kind }: LedgerTotal) =>
    !kindsOfHolding.gas.includes(kind) && !kindsOfHolding.suspense.includes(kind);
  return balanceOf("on_addresses", currency, totals.filter(isOfDeposits));
}

function isFee({ kind }: LedgerTotal): boolean {
  return kind === "fee" || kind === "fixed_fee";
}

/** The reasons why the merchant waits for confirmed money. All of it is on deposit addresses, but for what the network took. */
export const waitingReasons = [
  "no_settlement_account",
  "not_planned",
  "in_preparation",
  "price",
  "frozen",
  "network_cost",
] as const;
export type WaitingReason = (typeof waitingReasons)[number];

/** Where the money of a sweep is, by the sweep's status: in flight, or on its address for this reason. */
const placeOfSweep = {
  PLANNED: "in_preparation",
  ACTIVATING: "in_preparation",
  RESOURCED: "in_preparation",
  SIGNED: "in_preparation",
  RETRY: "in_preparation",
  WAITING: "price",
  FROZEN: "frozen",
  SENT: "in_flight",
  SOLID: undefined,
  RECLAIMED: undefined,
  DROPPED: undefined,
} as const satisfies Readonly<Record<SweepStatus, WaitingReason | "in_flight" | undefined>>;

/** The sum of a merchant's sweeps in one status to one recipient. */
export type SweepSum = {
  readonly currency: Currency;
  readonly recipient: SweepRecipient;
  readonly status: SweepStatus;
  readonly units: Amount;
};

/** A merchant's money in one currency: `confirmed` − `fees` = `settled` + `inFlight` + `waiting`. */
export type MerchantBalance = MerchantMovements & {
  readonly currency: Currency;
  /** sent to the merchant's wallet, and not final yet */
  readonly inFlight: Amount;
  /** the rest of the debt to the merchant */
  readonly waiting: Amount;
  /** by reason: money on deposit addresses, where fees that are not paid out yet are part of it, and what the network took */
  readonly waitingFor: readonly { readonly reason: WaitingReason; readonly amount: Amount }[];
};

export type BalanceFacts = {
  readonly totals: readonly LedgerTotal[];
  /** the merchant's sweeps that have not ended */
  readonly sweeps: readonly SweepSum[];
  readonly hasSettlementAccount: boolean;
};

/** The balance of one currency. */
export function merchantBalance(currency: Currency, facts: BalanceFacts): MerchantBalance {
  const sweeps = facts.sweeps.filter((sweep) => sweep.currency === currency);
  const sweepsIn = (place: WaitingReason | "in_flight") =>
    sweeps.filter(({ status }) => placeOfSweep[status] === place);
  const movements = merchantMovements(currency, facts.totals);
  const inFlight = sumOf(sweepsIn("in_flight").filter(({ recipient }) => recipient === "merchant"));
  const owed = subtract(subtract(movements.confirmed, movements.fees), movements.settled);
  const planned = (["in_preparation", "price", "frozen"] as const).map((reason) => ({
    reason,
    amount: sumOf(sweepsIn(reason)),
  }));
  const unplanned = planned.reduce(
    (left, { amount }) => subtract(left, amount),
    contentOf(currency, facts.totals),
  );
  const why = facts.hasSettlementAccount ? "not_planned" : "no_settlement_account";
  return {
    currency,
    ...movements,
    inFlight,
    waiting: subtract(owed, inFlight),
    waitingFor: [
      { reason: why, amount: unplanned } as const,
      ...planned,
      { reason: "network_cost", amount: burned(currency, facts.totals) } as const,
    ].filter(({ amount }) => amount > zero),
  };
}

/** The merchant's TRX that the chain burned, mostly to activate the merchant's wallet. It is still owed. */
function burned(currency: Currency, totals: readonly LedgerTotal[]): Amount {
  return sumOf(totals.filter((total) => total.currency === currency && total.kind === "deposit_burn"));
}

function sumOf(parts: readonly { readonly units: Amount }[]): Amount {
  return parts.reduce((sum, { units }) => add(sum, units), amountFromUnits(0n));
}
