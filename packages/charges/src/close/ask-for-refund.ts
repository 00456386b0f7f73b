import type { Currency } from "@daric/domain/asset";
import { ApiError, type ErrorDetail } from "@daric/domain/errors";
import { type ApiKeyId, type ChargeRef, idOf, type PersonId } from "@daric/domain/ids";
import { type Amount, formatAmount, parseAmount, zero } from "@daric/domain/money";
import { isSettled } from "@daric/domain/order";
import {
  coinsThatPaid,
  defaultRefund,
  fiatRefund,
  isLargeSurplus,
  type RefundableMoney,
  type RefundDoubt,
  refundableOf,
  surplusOf,
  takesPaidMoney,
} from "@daric/domain/refund";
import { isUniqueViolation } from "@daric/postgres/errors";
import type { Transaction } from "@daric/postgres/sql";
import { announceClaim } from "@daric/refunds/announce-claim";
import { claimEnd } from "@daric/refunds/ask-again";
import { lockOurRefund } from "@daric/refunds/change-refund";
import type { ActingContext } from "@daric/refunds/context";
import { type Refund, refundMac } from "@daric/refunds/refund";
import { refundEvent } from "@daric/refunds/refund-event";
import {
  findByReference,
  insertRefund,
  listReceivedCoins,
  listSenders,
  lockRefund,
} from "@daric/refunds/store";
import { sumPromised } from "@daric/refunds/task-store";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { uuidv7 } from "uuidv7";
import { type Charge, getCharge } from "../charge.ts";
import { endTime } from "../rest-store.ts";
import { archiveByMerchant, lockCharge } from "../status-store.ts";

const TOO_SMALL = { path: "fiatAmount", message: "is less than the smallest part of the coin" };

/** A request for a refund. Without an amount it is of what came too much, else of all that is left. */
export type RefundRequest = ChargeRef & {
  readonly amount: Amount | null;
  /** a part of the price in fiat, as sent */
  readonly fiatAmount: string | null;
  /** null: the coin of the charge */
  readonly currency: Currency | null;
  readonly refundRef: string | null;
  readonly reason: string | null;
  /** a checked address of the chain; null: the payer names it */
  readonly address: string | null;
  readonly askedBy: PersonId | null;
  readonly apiKeyId: ApiKeyId | null;
  /** the person that says that the order's e-mail address is the payer's, so that it gets the claim link */
  readonly emailConfirmedBy?: PersonId | null;
};

/**
 * Promises money back to the payer of a charge, and announces it. An order that is not paid is archived first: later money to it is late. The same `refundRef` on the
 * same charge answers the same refund. Refunds of a coin that are not canceled never add up to more than its confirmed money there.
 *
 * @throws in this order, NOT_FOUND; REFUND_REF_TAKEN if the reference is of another charge; NOT_FIAT_PRICED for a part in fiat of a charge that has no price in
 * fiat; NOTHING_RECEIVED if nothing is left; REFUND_EXCEEDS_RECEIVED with what is left; PAYMENT_IN_PROGRESS while money that may pay an unpaid order is not final.
 */
export async function askForRefund(context: ActingContext, request: RefundRequest): Promise<Refund> {
  const { merchantId, id, refundRef } = request;
  const asking = context.db.transaction(async (tx) => {
    const locked = await lockCharge(tx, request);
    if (locked === undefined) throw new ApiError("NOT_FOUND");
    const same = refundRef === null ? undefined : await findByReference(tx, merchantId, refundRef);
    if (same !== undefined && same.chargeId !== id) throw new ApiError("REFUND_REF_TAKEN");
    if (same !== undefined) return lockOurRefund(context, tx, same);
    const charge = await getCharge(tx, request);
    const promise = await promiseOf(tx, charge, request);
    if (charge.kind !== "receive" && !isSettled(charge)) await endUnpaid(tx, charge);
    return write(context, tx, { charge, request, promise });
  });
  return asking.catch((error: unknown) => {
    throw isUniqueViolation(error, "refunds_ref") ? new ApiError("REFUND_REF_TAKEN") : error;
  });
}

/** Later money is late. Money on its way now could still pay the order, and is waited for. */
async function endUnpaid(tx: Transaction, charge: Charge): Promise<void> {
  if (charge.kind === "order" && charge.hasOpenDeposit) throw new ApiError("PAYMENT_IN_PROGRESS");
  await archiveByMerchant(tx, charge);
  await endTime(tx, charge);
}

type Promised = Pick<Refund, "currency" | "units" | "needsConfirmation" | "defaultAddress">;

/** The promise of a refund, by the money of the charge. */
async function promiseOf(tx: Transaction, charge: Charge, request: RefundRequest): Promise<Promised> {
  const currency = request.currency ?? charge.currency;
  const isOwnCoin = currency === charge.currency;
  const coins = await listReceivedCoins(tx, charge);
  const received = coins.find((coin) => coin.currency === currency)?.units ?? zero;
  const promised = (await sumPromised(tx, [charge]))(charge, currency);
  const money = { received, promised };
  const surplus = isOwnCoin ? surplusOf(charge) : zero;
  const units = amountOf(charge, { ...request, currency }, { ...money, surplus });
  if (refundableOf(money) === zero)
    throw new ApiError("NOTHING_RECEIVED", { message: "Nothing is left to refund." });
  if (units > refundableOf(money)) throw exceeds(request, money);
  if (units === zero) throw new ApiError("VALIDATION_ERROR", { details: [TOO_SMALL] });
  const isPaidMoney = isOwnCoin && charge.kind === "order" && takesPaidMoney(charge, units, promised);
  const doubt: RefundDoubt | null = request.address !== null ? "address" : isPaidMoney ? "paid_money" : null;
  const isLarge = isOwnCoin && isLargeSurplus(currency, charge);
  const [sender] = isLarge ? await listSenders(tx, { ...charge, currency }) : [];
  return { currency, units, needsConfirmation: doubt, defaultAddress: sender?.address ?? null };
}

type Money = RefundableMoney & { readonly surplus: Amount };

function amountOf(
  charge: Charge,
  { amount, fiatAmount, currency }: RefundRequest & { readonly currency: Currency },
  money: Money,
): Amount {
  if (amount !== null) return amount;
  if (fiatAmount === null) return defaultRefund(money.surplus, money);
  if (charge.fiatAmount === null || currency !== charge.currency) throw new ApiError("NOT_FIAT_PRICED");
  const parts = {
    fiatUnits: parseAmount(fiatAmount) ?? 0n,
    priceUnits: parseAmount(charge.fiatAmount) ?? 0n,
  };
  const coins = isSettled(charge)
    ? coinsThatPaid(charge, money.received)
    : (charge.terms.due ?? money.received);
  const units = fiatRefund(parts, coins);
  if (units === undefined)
    throw new ApiError("REFUND_EXCEEDS_RECEIVED", {
      message: `fiatAmount is more than the price of ${charge.fiatAmount} ${charge.fiatCurrency}.`,
    });
  return units;
}

function exceeds({ fiatAmount }: RefundRequest, money: RefundableMoney): ApiError {
  const left = formatAmount(refundableOf(money));
  const detail: ErrorDetail = {
    path: fiatAmount === null ? "amount" : "fiatAmount",
    message: `must not be more than the ${left} that is left to refund`,
  };
  return new ApiError("REFUND_EXCEEDS_RECEIVED", {
    message: `The amount is more than the ${left} that is left to refund.`,
    details: [detail],
  });
}

/** The columns that each new refund starts with. */
const fresh = {
  status: "REQUESTED",
  confirmedBy: null,
  claimNumber: 1,
  refusedAddresses: 0,
  readyCount: 0,
  headNumber: null,
  frozenUntil: null,
  txId: null,
  paidUnits: null,
  readyAt: null,
  sentAt: null,
  completedAt: null,
  canceledAt: null,
} as const;

async function write(
  context: ActingContext,
  tx: Transaction,
  { charge, request, promise }: { charge: Charge; request: RefundRequest; promise: Promised },
): Promise<Refund> {
  const { merchantId, id: chargeId, address, fiatAmount, refundRef, reason, askedBy, apiKeyId } = request;
  const { orderRef, metadata } = charge;
  const named = {
    ...fresh,
    ...promise,
    merchantId,
    id: idOf("refund", uuidv7()),
    chargeId,
    orderRef,
    metadata,
    fiatAmount,
    refundRef,
    reason,
    address,
    namedBy: address === null ? null : ("merchant" as const),
    askedBy,
    apiKeyId,
    claimUntil: claimEnd(context, new Date()),
    hasCustomerEmail: charge.sealedCustomerEmail !== null,
    isByPerson: charge.apiKeyId === null,
  };
  await insertRefund(tx, { ...named, mac: refundMac(context, named) });
  const refund = await lockRefund(tx, named);
  if (refund === undefined) throw new Error(`refund ${named.id} is not there`);
  await announceClaim(context, tx, { refund, confirmedBy: request.emailConfirmedBy ?? null });
  await enqueueEvents(context, tx, [refundEvent(refund, "refund.requested")]);
  return refund;
}
