import type { Arrived } from "@daric/deposits/lookup/arrival-store";
import { type NodeReport, resultOf } from "@daric/deposits/lookup/node-report";
import type { Currency } from "@daric/domain/asset";
import { currentConfirmations, isDust } from "@daric/domain/deposit";
import type { ChargeId } from "@daric/domain/ids";
import { endOfAddress, type Lookup, lookAlikeOf } from "@daric/domain/lookup";
import { type Amount, add, zero } from "@daric/domain/money";
import { hexToAddress } from "@daric/tron/address";

type Money = NonNullable<Arrived["money"]> & Pick<Arrived, "chargeId">;
type Payer = { readonly chargeId: ChargeId; readonly headNumber: number };

/** The result for the payer of a charge from our own blocks, which have arrivals. */
export function matchArrivals(arrivals: readonly Arrived[], payer: Payer): Lookup {
  const moneys = arrivals.flatMap(({ money, chargeId }) =>
    money === undefined ? [] : [{ ...money, chargeId }],
  );
  const alive = moneys.filter(({ status }) => status !== "FAILED");
  return (
    findMatching(
      alive.filter(({ unmatched }) => !unmatched),
      payer,
    ) ??
    findUnmatched(alive) ??
    (moneys.length > 0 ? { result: "failed" } : { result: "other_token", amount: null, currency: null })
  );
}

/** Dust beside money that counts is not named. */
function findMatching(all: readonly Money[], { chargeId, headNumber }: Payer): Lookup | undefined {
  const counting = all.filter(({ dust }) => !dust);
  const isDust = counting.length === 0;
  const moneys = isDust ? all : counting;
  const confirmed = moneys.filter(({ status }) => status === "CONFIRMED");
  const [counted] = confirmed;
  if (counted !== undefined)
    return {
      result: "counted",
      amount: sumOf(confirmed.map(({ amount }) => amount)),
      currency: counted.currency,
      isDust,
      isElsewhere: confirmed.every((money) => money.chargeId !== chargeId),
    };
  const [seen] = moneys;
  if (seen === undefined) return undefined;
  const { currency, requiredConfirmations } = seen;
  const count = Math.min(currentConfirmations({ ...seen, headNumber }), requiredConfirmations);
  return {
    result: "seen",
    amount: sumOf(moneys.map(({ amount }) => amount)),
    currency,
    isDust,
    confirmations: count,
    requiredConfirmations,
  };
}

function findUnmatched(moneys: readonly Money[]): Lookup | undefined {
  const [other] = moneys;
  if (other === undefined) return undefined;
  const { currency } = other;
  const alike = moneys.filter((money) => money.currency === currency);
  return { result: "other_token", amount: sumOf(alike.map(({ amount }) => amount)), currency };
}

/** The charge to pay. */
export type ExpectedPayment = {
  /** undefined if the charge has gone */
  readonly address: string | undefined;
  readonly currency: Currency;
  readonly due: Amount | null;
  readonly requiredConfirmations: number;
};

/**
 * The result for the payer of a charge from an unproven answer of a node. It is shown and never credited. If
 * the node claims a payment in a block of ours that has none, there is no result: undefined.
 */
export function matchReport(report: NodeReport, expected: ExpectedPayment): Lookup | undefined {
  const result = resultOf(report);
  switch (result) {
    case "failed":
      return { result };
    case "other_address":
      return atOtherAddress(report.elsewhere[0]?.toHex, expected.address);
    case "other_token":
      return { result, amount: null, currency: null };
    case "missed":
      return undefined;
    case "seen":
      return lookupOfMoney(report, expected);
  }
}

function atOtherAddress(otherHex: string | undefined, here: string | undefined): Lookup {
  if (otherHex === undefined) return { result: "other_address", addressEnd: null };
  const other = hexToAddress(otherHex);
  const lookAlike = here === undefined ? undefined : lookAlikeOf(other, here);
  return { result: "other_address", addressEnd: endOfAddress(other), lookAlike };
}

function lookupOfMoney({ toUs }: NodeReport, expected: ExpectedPayment): Lookup {
  const { currency, due, requiredConfirmations } = expected;
  const moneys = toUs.flatMap(({ money }) => money ?? []);
  const amounts = moneys.filter((money) => money.currency === currency).map(({ amount }) => amount);
  if (amounts.length > 0)
    return {
      result: "seen",
      amount: sumOf(amounts),
      currency,
      isDust: amounts.every((amount) => isDust({ currency, amount, due })),
      // Our own blocks do not go that far yet.
      confirmations: 0,
      requiredConfirmations,
    };
  const other = moneys[0]?.currency ?? currency;
  const alike = moneys.filter((money) => money.currency === other);
  return { result: "other_token", amount: sumOf(alike.map(({ amount }) => amount)), currency: other };
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce<Amount>(add, zero);
}
