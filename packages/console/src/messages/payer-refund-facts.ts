import { checkoutUrl } from "@daric/charges/api/row/schema";
import type { Charge } from "@daric/charges/charge";
import type { CustomerEmail } from "@daric/charges/customer-email";
import type { Currency } from "@daric/domain/asset";
import { isEnoughForMail } from "@daric/domain/message";
import { formatAmount, zero } from "@daric/domain/money";
import { amountRequested } from "@daric/domain/order";
import type { RefundEventData } from "@daric/domain/webhook-event";
import type { Message } from "@daric/messages/message";
import { readClaimCause } from "@daric/refunds/announce-claim";
import { requireOurs } from "@daric/refunds/change-refund";
import { claimUrl } from "@daric/refunds/claim-token";
import { findRefund, listReceivedCoins } from "@daric/refunds/store";
import { isTransferOurs, listTransfersOf } from "@daric/refunds/transfer-store";
import type { MessageContext } from "./context.ts";
import { eventOf } from "./event-of.ts";
import type { PayerMailOrigin, RefundMailFacts } from "./payer-facts.ts";

/** The order of a mail, and the address that its payer gave. */
export type MailReceiver = {
  readonly charge: Charge;
  readonly email: CustomerEmail;
  readonly publicBaseUrl: string;
};

const SHOWN_END = 6;

type Told<Facts> = Facts extends unknown
  ? Omit<Facts, Exclude<keyof PayerMailOrigin, "pageUrl">> | { readonly dropped: string }
  : never;

/** The facts of a mail about a refund as of now, from rows that the service sealed; or why there is none. */
export async function payerRefundFacts(
  context: MessageContext,
  message: Message,
  receiver: MailReceiver,
): Promise<Told<RefundMailFacts>> {
  return message.kind === "payer_claim"
    ? claimFacts(context, message, receiver)
    : refundedFacts(context, message, receiver);
}

/** The claim link goes to an address that the merchant's program gave, or that a person of the merchant confirmed. */
async function claimFacts(
  context: MessageContext,
  { merchantId, cause }: Message,
  { charge, email, publicBaseUrl }: MailReceiver,
): Promise<Told<RefundMailFacts>> {
  const claim = readClaimCause(cause);
  const refund = claim && (await findRefund(context.db.forTenant(merchantId), { merchantId, id: claim.id }));
  if (refund === undefined || refund.chargeId !== charge.id || !requireOurs(context, refund))
    return { dropped: "its refund was not written by the service" };
  const { status, address, claimNumber, claimUntil, currency } = refund;
  const isOpen = status === "REQUESTED" && address === null && claimUntil > context.clock.now();
  if (!isOpen || claim?.claimNumber !== claimNumber) return { dropped: "its link takes no address any more" };
  if (email.source !== "api" && claim.confirmedBy === null)
    return { dropped: "the payer's side typed the address, and no person confirmed it" };
  if (!(await hasEnoughArrived(context, charge, currency)))
    return { dropped: "too little has arrived for a mail" };
  return {
    kind: "claim",
    ...{ orderRef: charge.orderRef, currency, amount: formatAmount(refund.units) },
    ...{ until: claimUntil, isNewer: claimNumber > 1 },
    pageUrl: claimUrl(context, publicBaseUrl, refund) ?? publicBaseUrl,
  };
}

async function refundedFacts(
  context: MessageContext,
  message: Message,
  { charge, publicBaseUrl }: MailReceiver,
): Promise<Told<RefundMailFacts>> {
  const { merchantId } = message;
  const db = context.db.forTenant(merchantId);
  const event = await eventOf(context, message);
  const { refundId, depositAddressId, orderRef, completedAt } = (event?.data ??
    {}) as unknown as Partial<RefundEventData>;
  const transfers =
    refundId === undefined || depositAddressId !== charge.id
      ? []
      : await listTransfersOf(db, { merchantId, id: refundId });
  const transfer = transfers.find((row) => row.status === "FINAL" && isTransferOurs(context, row));
  if (transfer === undefined) return { dropped: "its transfer was not written by the service" };
  const { currency, txId: txHash, blockNumber, blockTime, toAddress } = transfer;
  if (!(await hasEnoughArrived(context, charge, currency)))
    return { dropped: "too little has arrived for a mail" };
  const amount = formatAmount(transfer.units);
  const confirmedAt = typeof completedAt === "string" ? new Date(completedAt) : blockTime;
  return {
    kind: "refunded",
    ...{ orderRef: orderRef ?? null, currency, amount, addressEnd: toAddress.slice(-SHOWN_END) },
    payment: { txHash, amount, blockNumber, confirmedAt },
    pageUrl: checkoutUrl(publicBaseUrl, charge.checkoutToken) ?? publicBaseUrl,
  };
}

/** Money in another coin than the order's counts by its own least amount. */
async function hasEnoughArrived(
  { db }: MessageContext,
  charge: Charge,
  currency: Currency,
): Promise<boolean> {
  const isOwn = currency === charge.currency;
  if (isOwn) return isEnoughForMail(currency, amountRequested(charge.terms.due), charge.confirmed.total);
  const coins = await listReceivedCoins(db.forTenant(charge.merchantId), charge);
  return isEnoughForMail(currency, null, coins.find((coin) => coin.currency === currency)?.units ?? zero);
}
