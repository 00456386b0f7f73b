import { hexToAddress } from "@daric/tron/address";
import { type NodeTransaction, transfersOfNodeTransaction } from "../../chain/blocks/node-transaction.ts";
import type { Currency, Token } from "../../domain/asset.ts";
import { confirmations, currentConfirmations, isDust } from "../../domain/deposit.ts";
import { endOfAddress, type Lookup, lookAlikeOf } from "../../domain/lookup.ts";
import { type Amount, add, zero } from "../../domain/money.ts";
import type { Arrived } from "./store.ts";

type Money = NonNullable<Arrived["money"]>;

/** The result for the payer of a charge from our own blocks; undefined if they show nothing. */
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

/** Dust beside money that counts is not named. */
function ofMatching(all: readonly Money[]): Lookup | undefined {
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
      isElsewhere: confirmed.every(({ isElsewhere }) => isElsewhere),
    };
  const [seen] = moneys;
  if (seen === undefined) return undefined;
  const { currency, requiredConfirmations } = seen;
  const count = Math.min(currentConfirmations(seen), requiredConfirmations);
  return {
    result: "seen",
    amount: sumOf(moneys.map(({ amount }) => amount)),
    currency,
    isDust,
    confirmations: count,
    requiredConfirmations,
  };
}

function ofUnmatched(moneys: readonly Money[]): Lookup | undefined {
  const [other] = moneys;
  return (
    other && {
      result: "other_token",
      amount: sumOf(moneys.map(({ amount }) => amount)),
      currency: other.currency,
    }
  );
}

/** The charge to pay, and the height of our own blocks. */
export type ExpectedPayment = {
  /** of the charge, then of the other orders of its family; empty if the operator asks for no address */
  readonly addressesHex: readonly string[];
  readonly currency: Currency;
  readonly due: Amount | null;
  readonly tokens: readonly Token[];
  readonly headNumber: number;
  readonly requiredConfirmations: number;
};

/**
 * The result for the payer of a charge from an unproven answer of a node. It is shown and never credited. If
 * the node claims a payment in a block of ours that has none, there is no result: undefined.
 */
export function matchNodeTransaction(run: NodeTransaction, expected: ExpectedPayment): Lookup | undefined {
  if (run.transaction.contractRet !== "SUCCESS") return { result: "failed" };
  const { transfers, unsupported, callValues: spent } = transfersOfNodeTransaction(run, expected.tokens);
  const isHere = ({ toHex }: { readonly toHex: string }) => expected.addressesHex.includes(toHex);
  const here = transfers.filter(isHere);
  const [elsewhere] = [...transfers, ...unsupported, ...spent];
  if (here.length === 0 && !unsupported.some(isHere))
    return elsewhere === undefined
      ? { result: "other_address", addressEnd: null }
      : atOtherAddress(elsewhere.toHex, expected.addressesHex[0]);
  if (run.info.blockNumber <= expected.headNumber) return undefined;
  return ofMoneyHere(here, run.info.blockNumber, expected);
}

function atOtherAddress(otherHex: string, hereHex: string | undefined): Lookup {
  const other = hexToAddress(otherHex);
  const lookAlike = hereHex === undefined ? undefined : lookAlikeOf(other, hexToAddress(hereHex));
  return { result: "other_address", addressEnd: endOfAddress(other), lookAlike };
}

type MoneyHere = readonly { readonly currency: Currency; readonly units: Amount }[];

function ofMoneyHere(here: MoneyHere, blockNumber: number, expected: ExpectedPayment): Lookup {
  const { currency, due, headNumber, requiredConfirmations } = expected;
  const matching = here.filter((transfer) => transfer.currency === currency);
  if (matching.length > 0) {
    const count = confirmations(headNumber, blockNumber);
    const amounts = matching.map(({ units }) => units);
    return {
      result: "seen",
      amount: sumOf(amounts),
      currency,
      isDust: amounts.every((amount) => isDust({ currency, amount, due })),
      confirmations: count,
      requiredConfirmations,
    };
  }
  const [other] = here;
  if (other === undefined) return { result: "other_token", amount: null, currency: null };
  return { result: "other_token", amount: sumOf(here.map(({ units }) => units)), currency: other.currency };
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce<Amount>(add, zero);
}
