import { checkoutUrl } from "@daric/charges/api/row/schema";
import { type Charge, findCharge } from "@daric/charges/charge";
import { type CustomerEmail, openCustomerEmail } from "@daric/charges/customer-email";
import { findFamily } from "@daric/charges/order-family";
import { isDust } from "@daric/domain/deposit";
import type { ChargeId } from "@daric/domain/ids";
import { isEnoughForMail } from "@daric/domain/message";
import { formatAmount, formatAmountOrNull, parseAmount } from "@daric/domain/money";
import { amountRequested, isSettled } from "@daric/domain/order";
import type { ChargeData, DepositEventData, OrderEventData } from "@daric/domain/webhook-event";
import type { Message } from "@daric/messages/message";
import { masterKeysOf } from "../people/context.ts";
import type { MessageContext } from "./context.ts";
import { type CheckedEvent, eventOf, findBlockNumber } from "./event-of.ts";
import { findShopFacts, findShopLogo, type ShopFacts } from "./fact-store.ts";
import { MAX_MAILED_PAYMENTS, type PayerMailFacts, type RefundMailFacts } from "./payer-facts.ts";
import { type MailReceiver, payerRefundFacts } from "./payer-refund-facts.ts";

/** A mail to the payer of an order, or why there is none. */
export type PayerLetter =
  | {
      readonly email: CustomerEmail;
      readonly shop: ShopFacts;
      readonly facts: PayerMailFacts | RefundMailFacts;
    }
  | { readonly dropped: string };

/** The part of the facts that the event decides. */
type Told = Pick<PayerMailFacts, "kind"> &
  Pick<PayerMailFacts["order"], "received" | "missing" | "payUntil" | "payments"> & {
    /** the sealed price and reference of the order */
    readonly of: Pick<ChargeData, "orderRef" | "orderAmount" | "payAmount" | "fiatAmount" | "fiatCurrency">;
  };

/** The mail to the payer of an order as of now. Amounts are those of the event; what has changed since then ends the message. */
export async function payerLetter(
  context: MessageContext,
  message: Message,
  chargeId: ChargeId,
): Promise<PayerLetter> {
  const { merchantId, kind } = message;
  const { publicBaseUrl } = context.config.http;
  const db = context.db.forTenant(merchantId);
  const charge = await findCharge(db, { merchantId, id: chargeId });
  const email = charge?.sealedCustomerEmail
    ? openCustomerEmail(masterKeysOf(context.config), charge, charge.sealedCustomerEmail)
    : null;
  const shop = await findShopFacts(db, merchantId);
  if (charge === undefined || shop === undefined || email === null || publicBaseUrl === undefined)
    return { dropped: "the order has no address of its payer" };
  const receiver = { charge, email, publicBaseUrl };
  const told =
    kind === "payer_claim" || kind === "payer_refunded"
      ? await payerRefundFacts(context, message, receiver)
      : await orderFacts(context, message, receiver);
  if ("dropped" in told) return told;
  const logo = shop.logoId === null ? undefined : await findShopLogo(context.db, shop.logoId);
  const origin = {
    shop: { ...shop, logo: logo ?? null },
    host: new URL(publicBaseUrl).host,
    language: email.language ?? shopLanguage(shop),
    network: context.config.chain.network,
    unsubscribeUrl: null,
  };
  return { email, shop, facts: { ...origin, ...told } };
}

async function orderFacts(
  context: MessageContext,
  message: Message,
  { charge, publicBaseUrl }: MailReceiver,
): Promise<Pick<PayerMailFacts, "kind" | "order" | "pageUrl"> | { readonly dropped: string }> {
  const event = await eventOf(context, message);
  if (event?.data.depositAddressId !== charge.id)
    return { dropped: "its event was not written by the service" };
  if (!isEnoughForMail(charge.currency, amountRequested(charge.terms.due), charge.confirmed.total))
    return { dropped: "too little has arrived for a mail" };
  const told = await toldBy(context, charge, event);
  if ("dropped" in told) return told;
  const { kind, of, ...money } = told;
  const due = of.payAmount ?? of.orderAmount;
  return {
    kind,
    order: {
      ...money,
      orderRef: of.orderRef,
      currency: charge.currency,
      due: due === "0" ? null : due,
      fiatAmount: of.fiatAmount,
      fiatCurrency: of.fiatCurrency,
    },
    pageUrl: checkoutUrl(publicBaseUrl, charge.checkoutToken) ?? publicBaseUrl,
  };
}

async function toldBy(
  context: MessageContext,
  charge: Charge,
  { type, data }: CheckedEvent,
): Promise<Told | { readonly dropped: string }> {
  if (type === "deposit.confirmed")
    return toldOfDeposit(context, charge, data as unknown as DepositEventData);
  const { amountReceived, deposits } = data as unknown as OrderEventData;
  const { merchantId } = charge;
  const payments = [];
  for (const { depositId, txHash, amount, confirmedAt } of deposits.slice(0, MAX_MAILED_PAYMENTS)) {
    const blockNumber = await findBlockNumber(context, { merchantId, depositId });
    payments.push({ txHash, amount, blockNumber, confirmedAt: new Date(confirmedAt) });
  }
  const of = data as unknown as OrderEventData;
  return { kind: "paid", received: amountReceived, missing: null, payUntil: null, payments, of };
}

/** A payment that does not pay the order: a part of the price in time, or money after the late window. */
async function toldOfDeposit(
  { db, clock }: MessageContext,
  charge: Charge,
  data: DepositEventData,
): Promise<Told | { readonly dropped: string }> {
  const { currency, terms } = charge;
  const amount = parseAmount(data.amount);
  if (amount === undefined || isDust({ currency, amount, due: terms.due }))
    return { dropped: "the payment is too small to count" };
  if (isSettled(charge)) return { dropped: "the order is paid" };
  if (data.amountReceived !== formatAmount(charge.received.total))
    return { dropped: "more money has come since" };
  const { txHash, blockNumber, confirmedAt } = data;
  const payment = { txHash, amount: data.amount, blockNumber, confirmedAt: new Date(confirmedAt ?? 0) };
  const told = { received: data.amountReceived, payments: [payment], of: data };
  const rest = charge.status === "ARCHIVED" ? await findOpenRest(db, charge) : undefined;
  const payUntil = rest === undefined ? payableUntil(charge, clock.now()) : rest.expiresAt;
  if (payUntil === null && data.late) return { ...told, kind: "late", missing: null, payUntil };
  const missing = rest === undefined ? data.difference : formatAmountOrNull(rest.terms.due);
  return { ...told, kind: "short", missing: missing?.replace("-", "") ?? null, payUntil };
}

/** The open order of the money that is missing: the page of the first order leads to its page. */
async function findOpenRest(db: MessageContext["db"], charge: Charge): Promise<Charge | undefined> {
  const { rests } = await findFamily(db.forTenant(charge.merchantId), charge);
  return rests.find(({ status }) => status === "ACTIVE");
}

/** Until when the rest of an order pays it; null once it does not any more. */
function payableUntil({ status, expiresAt, lateUntil, isTimeOver }: Charge, now: Date): Date | null {
  if (status === "ACTIVE") return isTimeOver ? lateUntil : expiresAt;
  return status === "EXPIRED" && lateUntil !== null && lateUntil > now ? lateUntil : null;
}

/** A shop that offers one language beside English speaks it to payers who have not opened its page. */
function shopLanguage({ languages }: ShopFacts): string {
  const [only, ...others] = languages.filter((tag) => tag !== "en");
  return only !== undefined && others.length === 0 ? only : "en";
}
