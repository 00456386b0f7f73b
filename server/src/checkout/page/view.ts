import { contractOf, explorerTxUrl, knownNetwork, type NetworkSettings } from "../../chain/nodes/networks.ts";
import type { ShownCharge } from "../../charges/charge.ts";
import { type Currency, otherThan } from "../../domain/asset.ts";
import { type CheckoutRecord, type CheckoutState, hasEnded, receivedOf } from "../../domain/checkout.ts";
import type { DepositStatus } from "../../domain/deposit.ts";
import type { LookupAnswer } from "../../domain/lookup.ts";
import { type Amount, formatAmount, subtract, zero } from "../../domain/money.ts";
import { amountRequested, type PaymentState } from "../../domain/order.ts";
import type { Messages, Subject } from "../messages/catalogue.ts";
import type { Figures } from "../messages/figures.ts";
import type { Language } from "../messages/languages.ts";
import { cancelRedirect, finalRedirect, type Redirect } from "./redirects.ts";

/** What a page reads of the public view of its charge, which its script polls. */
type PageProjection = {
  readonly state: CheckoutState;
  readonly order: { readonly payAmount: string | null; readonly quoteExpiresAt: string | null };
  readonly payment: { readonly expiresAt: string | null };
  readonly status: {
    readonly depositStatus: DepositStatus | null;
    readonly confirmations: number;
    readonly requiredConfirmations: number;
    readonly amountReceived: string;
    readonly paymentState: PaymentState;
    readonly txHash: string | null;
  };
};

/** What a page is made of. Pure data: the same input makes the same page. */
export type PageInput = {
  readonly charge: ShownCharge;
  readonly record: CheckoutRecord;
  readonly projection: PageProjection;
  /** the tag of what is shown, by which its socket knows whether anything has changed since */
  readonly version: string;
  readonly network: NetworkLabel;
  readonly language: Language;
  /** those that the payer may choose from */
  readonly languages: readonly Language[];
  /** where this page is, to name it elsewhere; null where no public base address is configured */
  readonly pageUrl: string | null;
  /** what became of the transaction that the page was asked for */
  readonly lookup?: LookupAnswer | undefined;
};

/** How much there is still to wait for: polled often, seldom, or not at all. */
type Pace = "live" | "slow" | "final";

/** What the parts of the page show: the input, and what follows from it. */
export type PageView = PageInput & {
  readonly messages: Messages;
  readonly figures: Figures;
  readonly received: Amount;
  /** what to send (the rest of it, once some has arrived); null where any amount will do or nothing is to be sent */
  readonly toSend: Amount | null;
  /** the rate of what is to send is no longer locked, and another one can be asked for */
  readonly hasLapsed: boolean;
  /** whether the address is shown with an invitation to pay */
  readonly invitesPayment: boolean;
  /** whether the page ends with money that arrived, which is worth keeping on paper */
  readonly isReceipt: boolean;
  readonly pace: Pace;
  readonly final: Redirect | null;
  /** whether the page goes there after a pause */
  readonly leavesByItself: boolean;
  readonly cancel: Redirect | null;
};

/**
 * Decides what a page shows. A payer is asked for money only while it would count and is still owed: not while the
 * whole amount is being confirmed, and not after the expiry. A receive address is never finished, so it keeps its
 * invitation and sends nobody away.
 */
export function pageView(input: PageInput): PageView {
  const { charge, projection } = input;
  const received = receivedOf(charge);
  const invitesPayment = mayPay(charge, projection);
  const isStanding = charge.kind === "receive";
  const toSend = invitesPayment ? restOf(charge) : null;
  const final = isStanding
    ? null
    : finalRedirect(charge, { state: projection.state, isExpired: hasEnded(charge) });
  return {
    ...input,
    messages: input.language.messages,
    figures: input.language.figures,
    received,
    toSend,
    hasLapsed: toSend !== null && isLockOver(input) && !charge.hasOpenDeposit,
    invitesPayment,
    isReceipt: !isStanding && isReceipt(projection.state, invitesPayment),
    pace: isStanding ? "live" : paceOf(projection.state, hasEnded(charge)),
    final,
    leavesByItself: final !== null && (final.status === "paid" || !hasMoney(input)),
    cancel: projection.state === "awaiting" ? cancelRedirect(charge) : null,
  };
}

/** An amount with its currency as a payer reads it: `25.50 USDT`. The currency is the charge's, unless said otherwise. */
export function moneyText(view: PageView, amount: Amount, currency: Currency = view.charge.currency): string {
  return view.figures.money(formatAmount(amount), currency);
}

/** The supported currency that the charge is not in. */
export function otherCurrency({ charge }: Pick<PageView, "charge">): Currency {
  return otherThan(charge.currency);
}

/** What a payer takes the address for: that of one order, or one to send any amount to. */
export function subjectOf({ kind }: ShownCharge): Subject {
  return kind === "order" ? "order" : "address";
}

/**
 * The text that `seenOf` of the checkout workspace makes of a projection: as long as the two are equal, the page in a
 * browser is up to date.
 */
export function seenText({ state, order, payment, status }: PageProjection): string {
  const { depositStatus, amountReceived, txHash } = status;
  const requested = [order.payAmount, order.quoteExpiresAt, payment.expiresAt];
  return [state, ...requested, depositStatus, amountReceived, txHash, hasAllConfirmations(status)].join(" ");
}

/** Whether the deposit has so many confirmations that only its being final is waited for, if that is not there too. */
export function hasAllConfirmations({
  confirmations,
  requiredConfirmations,
}: Pick<PageProjection["status"], "confirmations" | "requiredConfirmations">): boolean {
  return confirmations >= requiredConfirmations;
}

/** Whether a price in fiat is no longer held, by the database's clock. */
export function isLockOver({ charge, record }: Pick<PageInput, "charge" | "record">): boolean {
  return charge.quote !== null && charge.quote.expiresAt <= record.databaseNow;
}

/** Whether anything has arrived at all: an order that ended unpaid then has something to say to its payer. */
function hasMoney({ charge, record }: PageInput): boolean {
  return receivedOf(charge) > zero || record.unmatched > zero;
}

function mayPay(charge: ShownCharge, { state, status }: PageProjection): boolean {
  if (charge.kind === "receive") return state !== "error";
  if (charge.isExpired || charge.isTimeOver) return false;
  if (state === "confirming") return isShort(status.paymentState);
  return state === "awaiting" || state === "underpaid";
}

function isShort(paymentState: PaymentState): boolean {
  return paymentState === "none" || paymentState === "under";
}

function isReceipt(state: CheckoutState, invitesPayment: boolean): boolean {
  return state === "paid" || state === "overpaid" || (state === "underpaid" && !invitesPayment);
}

/** What is still owed at the rate that counts now; null where nothing in particular is. */
function restOf({ terms, credited }: ShownCharge): Amount | null {
  const requested = amountRequested(terms.due);
  return requested === null ? null : subtract(requested, credited);
}

/** Money may come to an order that is paid or closed too, and makes another state of it; only overpaid stays what it is. */
function paceOf(state: CheckoutState, isExpired: boolean): Pace {
  if (state === "overpaid") return "final";
  const isOver = state === "paid" || state === "error" || state === "expired";
  return isOver || (state === "underpaid" && isExpired) ? "slow" : "live";
}

/** What a payer, and a wallet in the payer's browser, is told of the network. */
type NetworkLabel = {
  /** null on mainnet: there, nothing needs to be said about the value of coins */
  readonly testNetwork: Exclude<NetworkSettings["network"], "mainnet"> | null;
  /** the id of block 0, which tells the network from others; null of a devnet, which makes its own */
  readonly genesisId: string | null;
  /** the contract of a coin; null for TRX, and where the node says it */
  contractOf(currency: Currency): string | null;
  /** the page of a transaction at an explorer; null where the network has none */
  transactionUrl(txId: string): string | null;
};

/** The label of the network that this deployment is of. */
export function networkLabel(settings: NetworkSettings): NetworkLabel {
  const network = knownNetwork(settings);
  return {
    testNetwork: settings.network === "mainnet" ? null : settings.network,
    genesisId: network?.genesisId ?? null,
    contractOf: (currency) => (network && contractOf(network, currency)) ?? null,
    transactionUrl: (txId) => (network === undefined ? null : explorerTxUrl(network, txId)),
  };
}
