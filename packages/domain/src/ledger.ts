import type { Currency } from "./asset.ts";
import type { ChargeId, LedgerTransactionId, MerchantId, SweepId } from "./ids.ts";
import { type Amount, add, amountFromUnits, subtract, zero } from "./money.ts";

/**
 * The accounts of each merchant's books. A balance is the sum of debits less the sum of credits.
 *
 * - `merchant`: the debt to the merchant; credited by deposits, debited by fees and by payments to its wallets
 * - `operator_fees`: the debt to the operator for service fees
 * - `on_addresses`: money on the merchant's deposit addresses
 * - `in_flight`: money that was sent from there and is not final yet
 * - `gas`: TRX that the operator's gas wallet paid for these addresses
 * - `network_cost`: TRX that the chain burned; the operator bears it
 * - `suspense`: money without an explanation
 */
export const ledgerAccounts = [
  "merchant",
  "operator_fees",
  "on_addresses",
  "in_flight",
  "gas",
  "network_cost",
  "suspense",
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

/** Why money moves from one account to another. The migration of the ledger lists the accounts of each. */
export const ledgerKinds = [
  "deposit",
  "unmatched",
  "fee",
  "fixed_fee",
  "fee_returned",
  "sweep_sent",
  "sweep_landed",
  "sweep_returned",
  "top_up",
  "activation",
  "gas_burn",
  "deposit_burn",
  "excess",
  "outflow",
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** One amount, in units of its currency, that moves between two accounts: so every line balances by itself. */
export type LedgerLine = {
  readonly kind: LedgerKind;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly currency: Currency;
  /** above zero */
  readonly units: Amount;
};

/** Lines that are booked together, or not at all. Every transaction is about one deposit address. */
export type LedgerTransaction = {
  /** the id of the booked deposit; for everything else an id that derives from the booked transaction */
  readonly id: LedgerTransactionId;
  readonly merchantId: MerchantId;
  readonly chargeId: ChargeId;
  /** the sweep that it is a part of */
  readonly sweepId?: SweepId;
  /** the chain's transaction that it books; left out for a deposit, whose row has it */
  readonly txId?: string;
  readonly lines: readonly LedgerLine[];
};

/** An amount and its currency, as a row has them. */
export type Money = { readonly currency: Currency; readonly units: Amount };

/** The recipient of a sweep: the merchant's wallet, or the operator's for its fees. */
export const sweepRecipients = ["merchant", "operator"] as const;
export type SweepRecipient = (typeof sweepRecipients)[number];

/** Confirmed money in the currency of its charge. */
export function depositLines(money: Money): LedgerLine[] {
  return line("deposit", { debit: "on_addresses", credit: "merchant" }, money);
}

/** Confirmed money in another coin. The merchant is owed it too, and it bears no fee. */
export function unmatchedLines(money: Money): LedgerLine[] {
  return line("unmatched", { debit: "on_addresses", credit: "merchant" }, money);
}

/** The service's fee of a confirmed deposit: its share, and its part of the fixed fee. */
export function feeLines(
  currency: Currency,
  { share, fixed }: { share: Amount; fixed: Amount },
): LedgerLine[] {
  const accounts = { debit: "merchant", credit: "operator_fees" } as const;
  return [
    ...line("fee", accounts, { currency, units: share }),
    ...line("fixed_fee", accounts, { currency, units: fixed }),
  ];
}

/** A surplus was refunded to its sender: the fee share that was taken of it goes back to the merchant. */
export function feeReturnedLines(money: Money): LedgerLine[] {
  return line("fee_returned", { debit: "operator_fees", credit: "merchant" }, money);
}

/** A sweep was sent: its money is in flight. */
export function sweepSentLines(money: Money): LedgerLine[] {
  return line("sweep_sent", { debit: "in_flight", credit: "on_addresses" }, money);
}

/** A verified block has a sweep: its money was paid out. */
export function sweepLandedLines(money: Money, recipient: SweepRecipient): LedgerLine[] {
  return line("sweep_landed", { debit: claimOf(recipient), credit: "in_flight" }, money);
}

/** A sweep expired or failed: its money is on the address as before. */
export function sweepReturnedLines(money: Money): LedgerLine[] {
  return line("sweep_returned", { debit: "on_addresses", credit: "in_flight" }, money);
}

/** TRX of the gas wallet arrived on a deposit address. */
export function topUpLines(units: Amount<"TRX">): LedgerLine[] {
  return line("top_up", { debit: "on_addresses", credit: "gas" }, { currency: "TRX", units });
}

/** TRX that the chain took from the gas wallet: for an activation, or for the bandwidth of a transaction. */
export function activationLines(units: Amount<"TRX">): LedgerLine[] {
  return line("activation", { debit: "network_cost", credit: "gas" }, { currency: "TRX", units });
}

/**
 * TRX that the chain burned on a deposit address: first the rest of top-ups (`gasUnits`), then a payer's money, which stays owed
 * to the merchant.
 */
export function burnLines(units: Amount<"TRX">, { gasUnits }: { gasUnits: Amount<"TRX"> }): LedgerLine[] {
  const gasPart = units < gasUnits ? units : gasUnits;
  const accounts = { debit: "network_cost", credit: "on_addresses" } as const;
  return [
    ...line("gas_burn", accounts, { currency: "TRX", units: gasPart }),
    ...line("deposit_burn", accounts, { currency: "TRX", units: subtract(units, gasPart) }),
  ];
}

/** An address holds money that the ledger does not explain. */
export function suspenseLines(money: Money): LedgerLine[] {
  return line("excess", { debit: "on_addresses", credit: "suspense" }, money);
}

/** Money left an address by no sweep of ours: to a wallet of the merchant or of the operator, or to an unknown one. */
export function outflowLines(money: Money, to: SweepRecipient | "unknown"): LedgerLine[] {
  const debit = to === "unknown" ? "suspense" : claimOf(to);
  return line("outflow", { debit, credit: "on_addresses" }, money);
}

function claimOf(recipient: SweepRecipient): LedgerAccount {
  return recipient === "merchant" ? "merchant" : "operator_fees";
}

/** A list of one line, empty if the amount is zero. */
function line(
  kind: LedgerKind,
  accounts: Pick<LedgerLine, "debit" | "credit">,
  { currency, units }: Money,
): LedgerLine[] {
  if (units < zero) throw new Error(`a line of ${kind} moves ${units} units`);
  return units === zero ? [] : [{ kind, ...accounts, currency, units }];
}

/** The source of money on an address. A sweep may send `deposits` alone. */
export type Holding = "deposits" | "gas" | "suspense";

/** The kinds that move other money than deposits. */
export const kindsOfHolding: Readonly<Record<Exclude<Holding, "deposits">, readonly LedgerKind[]>> = {
  gas: ["top_up", "gas_burn"],
  suspense: ["excess"],
};

/** The sum of lines of one kind between two accounts. */
export type LedgerTotal = LedgerLine;

/** The balance of an account in one currency: debits less credits. */
export function balanceOf(
  account: LedgerAccount,
  currency: Currency,
  totals: readonly LedgerTotal[],
): Amount {
  return sumOf(totals, (total) => {
    if (total.currency !== currency) return 0n;
    return total.debit === account ? total.units : total.credit === account ? -total.units : 0n;
  });
}

function sumOf(totals: readonly LedgerTotal[], unitsOf: (total: LedgerTotal) => bigint): Amount {
  return totals.reduce<Amount>((sum, total) => add(sum, amountFromUnits(unitsOf(total))), zero);
}
