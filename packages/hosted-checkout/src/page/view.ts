import {
  contractOf,
  explorerTxUrl,
  knownNetwork,
  type Network,
  type NetworkSettings,
} from "@daric/chain/nodes/networks";
import type { ShownCharge } from "@daric/charges/charge";
import type { Currency } from "@daric/domain/asset";
import { type ChargeState, chargeStateOf } from "@daric/domain/charge-state";
import { type CheckoutRecord, type CheckoutState, countedOf, hasEnded } from "@daric/domain/checkout";
import type { DepositStatus } from "@daric/domain/deposit";
import type { LookupAnswer } from "@daric/domain/lookup";
import { type Amount, formatAmount, zero } from "@daric/domain/money";
import { amountToSend, amountToType, type PaymentState } from "@daric/domain/order";
import type { RefundStatus } from "@daric/domain/refund";
import type { Messages } from "../messages/en.ts";
import type { Figures } from "../messages/figures.ts";
import type { Language } from "../messages/languages.ts";
import type { Frame } from "./frame.ts";
import type { Operator } from "./operator.ts";
import { cancelRedirect, finalRedirect, type Redirect } from "./redirects.ts";

/** The part of the public projection that the page shows and its script polls. */
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

/** The input of a page. Pure data: the same input makes the same page. */
export type PageInput = {
  readonly charge: ShownCharge;
  readonly record: CheckoutRecord;
  readonly projection: PageProjection;
  /** the version of the shown state; the page's socket compares it */
  readonly version: string;
  readonly network: NetworkLabel;
  readonly language: Language;
  /** the languages to choose from */
  readonly languages: readonly Language[];
  /** the page's own URL; null without a public base URL */
  readonly pageUrl: string | null;
  /** whether a phone shows the page: it gets ways into its wallets, and a QR code only if it asks */
  readonly isPhone: boolean;
  /** the QR code that the page's address asks for */
  readonly qr?: QrContent | undefined;
  /** on a deployment of several merchants */
  readonly operator?: Operator | undefined;
  /** the frame of another page that shows this one */
  readonly frame?: Frame | undefined;
  /** the result of the payer's look-up */
  readonly lookup?: LookupAnswer | undefined;
  /** what the form for the receipt says; undefined where there is no mail server */
  readonly receipt?: ReceiptAnswer | undefined;
  /** money of the order that goes back or went back */
  readonly refunds?: readonly ShownRefund[] | undefined;
};

/** A refund, as the page of its order tells it. */
export type ShownRefund = {
  readonly status: RefundStatus;
  readonly currency: Currency;
  readonly amount: Amount;
  /** the last characters of its address; null without one */
  readonly addressEnd: string | null;
  readonly waitsForShop: boolean;
};

/** The content of a QR code: the plain address, which all read, or a payment URI, which also has the amount. */
export type QrContent = "address" | "uri";

/** The form for the receipt asks for an address, thanks for one, or says why a text is none. */
export const receiptAnswers = ["asks", "thanks", "missing", "wrong"] as const;
export type ReceiptAnswer = (typeof receiptAnswers)[number];

/** How often the page polls: often, seldom, or never. */
type Pace = "live" | "slow" | "final";

/** The input of the page's parts: the page's input and derived values. */
export type PageView = PageInput & {
  readonly state: ChargeState;
  readonly messages: Messages;
  readonly figures: Figures;
  /** confirmed and pending, without dust */
  readonly received: Amount;
  /** the amount or the rest to send, as it can be typed; null for any amount or none */
  readonly toSend: Amount | null;
  /** what is due of it if that has too many decimals to be typed, else null */
  readonly exactDue: Amount | null;
  /** the rate's lock is over, and a new one can be requested */
  readonly hasLapsed: boolean;
  /** whether the page invites a payment to the address */
  readonly invitesPayment: boolean;
  /** whether the page ends with received money, worth printing */
  readonly isReceipt: boolean;
  readonly pace: Pace;
  readonly final: Redirect | null;
  readonly redirectsAfterPause: boolean;
  readonly cancel: Redirect | null;
};

/**
 * Derives the view of a page. A page asks for money only while it would count and is still owed. So it does
 * not during confirmation of the whole amount, nor after the expiry. A receive address never ends, so it
 * keeps its invitation and does not redirect.
 */
export function pageView(input: PageInput): PageView {
  const { charge, projection } = input;
  const received = countedOf(charge);
  const state = chargeStateOf(charge);
  const invitesPayment = mayPay(charge, state, projection.status.paymentState);
  const isStanding = charge.kind === "receive";
  const isLeft = input.record.otherPage?.takesPlace === true;
  const { terms, credited } = charge;
  const rest = invitesPayment ? amountToSend(charge.currency, terms.due, credited) : null;
  const toSend = rest === null ? null : amountToType(terms, credited, rest);
  const final =
    isStanding || isLeft
      ? null
      : finalRedirect(charge, { state: projection.state, isExpired: hasEnded(charge) });
  return {
    ...input,
    state,
    messages: input.language.messages,
    figures: input.language.figures,
    received,
    toSend,
    exactDue: rest === toSend ? null : rest,
    hasLapsed: toSend !== null && isLockOver(input) && !charge.hasOpenDeposit,
    invitesPayment,
    isReceipt: !isStanding && isReceipt(projection.state, invitesPayment),
    pace: isStanding ? "live" : paceOf(projection.state, hasEnded(charge)),
    final,
    redirectsAfterPause:
      final !== null && input.frame === undefined && (final.status === "paid" || !hasMoney(input)),
    cancel: projection.state === "awaiting" ? cancelRedirect(charge) : null,
  };
}

/** An amount with its currency as a payer reads it: `25.50 USDT`. The default currency is the charge's. */
export function moneyText(view: PageView, amount: Amount, currency: Currency = view.charge.currency): string {
  return view.figures.money(formatAmount(amount), currency);
}

/** The money in other coins than the charge's: `5 TRX`. */
export function unmatchedText(view: PageView): string {
  return view.record.unmatched.map(({ amount, currency }) => moneyText(view, amount, currency)).join(" + ");
}

/** Whether an order that ended unpaid gives its money back: its page then asks for nothing. */
export function givesBack({ charge, state, refunds = [] }: PageView): boolean {
  if (refunds.length === 0 || charge.kind !== "order") return false;
  return state === "underpaidEnded" || state === "tooLate" || state === "closed" || state === "expired";
}

/** The address's purpose for the payer: one order, or any amount. */
export function subjectOf({ kind }: ShownCharge): "order" | "address" {
  return kind === "order" ? "order" : "address";
}

/** Equals the text of `seenOf` in the checkout workspace: while both are the same, the page is current. */
export function seenText({ state, order, payment, status }: PageProjection): string {
  const { depositStatus, amountReceived, txHash } = status;
  const requested = [order.payAmount, order.quoteExpiresAt, payment.expiresAt];
  return [state, ...requested, depositStatus, amountReceived, txHash, hasAllConfirmations(status)].join(" ");
}

/** Whether a deposit has all its confirmations, final or not. */
export function hasAllConfirmations({
  confirmations,
  requiredConfirmations,
}: Pick<PageProjection["status"], "confirmations" | "requiredConfirmations">): boolean {
  return confirmations >= requiredConfirmations;
}

/** Whether the hold of a fiat price is over, by the database's clock. */
export function isLockOver({ charge, record }: Pick<PageInput, "charge" | "record">): boolean {
  return charge.quote !== null && charge.quote.expiresAt <= record.databaseNow;
}

/** Whether any money has arrived: then an order that ended unpaid has a message for its payer. */
function hasMoney({ charge, record }: PageInput): boolean {
  return countedOf(charge) > zero || record.unmatched.length > 0;
}

function mayPay(charge: ShownCharge, state: ChargeState, paymentState: PaymentState): boolean {
  if (charge.kind === "receive") return state !== "closed";
  if (charge.isExpired || charge.isTimeOver) return false;
  if (state === "seen" || state === "confirming") return isShort(paymentState);
  return state === "waiting" || state === "open" || state === "underpaid";
}

function isShort(paymentState: PaymentState): boolean {
  return paymentState === "none" || paymentState === "under";
}

function isReceipt(state: CheckoutState, invitesPayment: boolean): boolean {
  return state === "paid" || state === "overpaid" || (state === "underpaid" && !invitesPayment);
}

/** A paid or closed order may receive more and change its state; only overpaid is stable. */
function paceOf(state: CheckoutState, isExpired: boolean): Pace {
  if (state === "overpaid") return "final";
  const isOver = state === "paid" || state === "error" || state === "expired";
  return isOver || (state === "underpaid" && isExpired) ? "slow" : "live";
}

/** The network's texts and ids for the payer and a browser wallet. */
export type NetworkLabel = {
  /** null on mainnet, whose coins need no warning */
  readonly testNetwork: Exclude<NetworkSettings["network"], "mainnet"> | null;
  /** the id of block 0, which identifies the network; null until the node of a devnet has said it */
  readonly genesisId: string | null;
  /** the contract of a coin; null for TRX, and where the node says it */
  contractOf(currency: Currency): string | null;
  /** the transaction's page in an explorer; null if the network has none */
  transactionUrl(txId: string): string | null;
};

/** The facts that a verified node has told. */
export type ReadNetwork = Pick<Network, "genesisId" | "tokens" | "explorerTxTemplate">;

export function networkLabel(settings: NetworkSettings, read?: ReadNetwork): NetworkLabel {
  const network: ReadNetwork | undefined = knownNetwork(settings) ?? read;
  return {
    testNetwork: settings.network === "mainnet" ? null : settings.network,
    genesisId: network?.genesisId ?? null,
    contractOf: (currency) => (network && contractOf(network, currency)) ?? null,
    transactionUrl: (txId) => (network === undefined ? null : explorerTxUrl(network, txId)),
  };
}
