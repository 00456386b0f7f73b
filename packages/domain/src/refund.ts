import { assets, type Currency } from "./asset.ts";
import { machine } from "./machine.ts";
import {
  type Amount,
  add,
  amountFromUnits,
  larger,
  shareRoundedDown,
  smaller,
  subtract,
  zero,
} from "./money.ts";
import { amountRequested, isOverpaid, isSettled, type Terms } from "./order.ts";
import type { ConfirmedSums } from "./sums.ts";

/**
 * The life of a refund. `readied`: it has an address, and the confirmation that it needs. `put_back`: its order changed, or the merchant asks the payer
 * again. `seen`: a transfer that fits is in a block. `returned`: that transfer left the chain and can land no more. `completed`: the
 * transfer is final, also of a canceled refund that was READY.
 */
export const refundMachine = machine({
  REQUESTED: { readied: "READY", canceled: "CANCELED", seen: "SENT" },
  READY: { put_back: "REQUESTED", canceled: "CANCELED", seen: "SENT" },
  SENT: { returned: "READY", completed: "COMPLETED" },
  CANCELED: { completed: "COMPLETED" },
  COMPLETED: {},
});
export const refundStatuses = refundMachine.states;
export type RefundStatus = (typeof refundStatuses)[number];

/** PROPOSED: a person decides. TAKEN: its refund is SENT by it. FINAL: its refund is COMPLETED by it. DROPPED: it left the chain for good. */
export const refundTransferStatuses = ["PROPOSED", "TAKEN", "FINAL", "DROPPED"] as const;
export type RefundTransferStatus = (typeof refundTransferStatuses)[number];

/**
 * Why a person must confirm a refund before it is READY. `address`: the merchant's side named the address, or asked for another one after a confirmation. `paid_money`: the money paid the order.
 * `other_address`: a large surplus is to go to another address than the one that sent it. `order_changed`: money or an acceptance came after the request.
 */
export const refundDoubts = ["address", "paid_money", "other_address", "order_changed"] as const;
export type RefundDoubt = (typeof refundDoubts)[number];

/** The payer named the address by the claim link, or the merchant did. */
export type RefundAddressSource = "payer" | "merchant";

/** Beyond so many refused addresses a claim link takes none. */
export const MAX_REFUSED_ADDRESSES = 10;
/** Opening *Pay* keeps the address of a refund for this time. */
export const PAY_FREEZE_MS = 30 * 60_000;
/** A canceled refund that was READY is watched for this time. */
export const WATCHED_AFTER_CANCEL_DAYS = 30;
export const MAX_REFUND_REF = 120;
export const MAX_REFUND_REASON = 500;

/** The order behind a refund. Only money that counts decides what is too much. */
export type RefundableOrder<C extends Currency = Currency> = {
  readonly terms: Terms<C>;
  readonly acceptedAt: Date | null;
  readonly confirmed: ConfirmedSums<C>;
};

/** The confirmed money above the due of a settled order; zero where any amount will do. Of an order that was not paid in time, nothing is a surplus. */
export function surplusOf<C extends Currency>(order: RefundableOrder<C>): Amount<C> {
  return isSettled(order) ? aboveDue(order) : zero;
}

function aboveDue<C extends Currency>({ terms, confirmed }: RefundableOrder<C>): Amount<C> {
  const requested = amountRequested(terms.due);
  if (requested === null || !isOverpaid(terms, confirmed.total)) return zero;
  return subtract(confirmed.total, requested);
}

/** A coin's money of one charge: what is confirmed on the chain, and the sum of its refunds that are not canceled. */
export type RefundableMoney = { readonly received: Amount; readonly promised: Amount };

/** The part of a coin that can still be refunded. */
export function refundableOf({ received, promised }: RefundableMoney): Amount {
  return larger(subtract(received, promised), zero);
}

/** The amount of a request without one: what is too much, else all that is left. `surplus` is zero for a coin that the order is not in. */
export function defaultRefund(surplus: Amount, money: RefundableMoney): Amount {
  const tooMuch = subtract(surplus, money.promised);
  return smaller(tooMuch > zero ? tooMuch : refundableOf(money), refundableOf(money));
}

/**
 * The coins behind a part of a price in fiat, rounded down: the same share of the coins that paid the order, never today's rate.
 * Amounts in fiat are in minor units of any one scale. Undefined where the part is more than the price.
 */
export function fiatRefund(
  { fiatUnits, priceUnits }: { readonly fiatUnits: bigint; readonly priceUnits: bigint },
  coins: Amount,
): Amount | undefined {
  if (fiatUnits > priceUnits || priceUnits <= 0n) return undefined;
  return amountFromUnits((coins * fiatUnits) / priceUnits);
}

/** The coins that paid an order: what came, but no more than its due once it is paid. */
export function coinsThatPaid(order: RefundableOrder, received: Amount): Amount {
  const due = amountRequested(order.terms.due);
  return due === null ? received : smaller(received, due);
}

/** Whether a refund takes money that paid the order, so that the goods may be on their way. */
export function takesPaidMoney(order: RefundableOrder, amount: Amount, promised: Amount): boolean {
  return isSettled(order) && amount > larger(subtract(surplusOf(order), promised), zero);
}

/** A surplus above 100 USDT (1,000 TRX) and twice the due goes back to its sender: overpaying would else be a way to move money. */
const LARGE_DUSTS = 10_000n;
const LARGE_SHARE = 20_000;

export function isLargeSurplus(currency: Currency, order: RefundableOrder): boolean {
  const due = amountRequested(order.terms.due);
  const surplus = aboveDue(order);
  return (
    due !== null &&
    surplus > assets[currency].dust * LARGE_DUSTS &&
    surplus > shareRoundedDown(due, LARGE_SHARE)
  );
}

/**
 * The fee share that a completed refund of a surplus brings back to the merchant, if it went to the address that sent the surplus. `returnedBefore`:
 * the sum of the charge's earlier such refunds. So the shares of several refunds add up to that of their sum.
 */
export function feeToReturn(
  amount: Amount,
  facts: { readonly surplus: Amount; readonly returnedBefore: Amount; readonly basisPoints: number },
): Amount {
  const { surplus, returnedBefore, basisPoints } = facts;
  const shareOf = (sum: Amount) => shareRoundedDown(smaller(sum, surplus), basisPoints);
  return subtract(shareOf(add(returnedBefore, amount)), shareOf(returnedBefore));
}

/** A refund as a transfer is compared with it: its coin, its amount, and since which block it may be paid. */
export type PayableRefund = {
  readonly currency: Currency;
  readonly units: Amount;
  /** the newest block when it became READY */
  readonly headNumber: number;
};

/** A transfer to an address that the refund had. */
export type PayingTransfer = {
  readonly currency: Currency;
  readonly units: Amount;
  readonly blockNumber: number;
  readonly isMerkleProven: boolean;
};

/**
 * Whether a transfer is the refund: the same coin and exact amount, in a block after READY, from a paying wallet of the merchant. One that
 * fits but for its sender, or for its amount, is a proposal to a person. So is one that only a node's word proves. Anything else is no concern of the refund.
 */
export function judgeTransfer(
  refund: PayableRefund,
  transfer: PayingTransfer,
  isPayingWallet: boolean,
): "refund" | "proposal" | undefined {
  if (transfer.currency !== refund.currency || transfer.blockNumber <= refund.headNumber) return undefined;
  const isExact = transfer.units === refund.units;
  if (isExact && isPayingWallet && transfer.isMerkleProven) return "refund";
  return isExact || isPayingWallet ? "proposal" : undefined;
}
