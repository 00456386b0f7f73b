import type { ChargeKind } from "./charge.ts";
import type { CheckoutState } from "./checkout.ts";
import { zero } from "./money.ts";
import { isOverpaid, isPaid, isSettled, type OrderPaymentStatus } from "./order.ts";
import { answerToRest, type Family, type MoneyFacts, type RestFacts } from "./rest.ts";

/** The words for the state of a payment, as the dashboard shows it. */
export const stateWords = [
  "waiting",
  "lastBlocks",
  "seen",
  "confirming",
  "paid",
  "overpaid",
  "accepted",
  "underpaid",
  "tooLate",
  "expired",
  "closed",
  "open",
  "receiving",
  "received",
] as const;
export type StateWord = (typeof stateWords)[number];

/** The actions of a merchant on a payment. `rest` asks for the money that is missing of the order and its rests. */
export const chargeActions = ["accept", "rest", "extend", "archive"] as const;
export type ChargeAction = (typeof chargeActions)[number];

/** Why the state of an order needs a decision of its merchant. */
export type OrderTask = "underpaid" | "late" | "overpaid";

type StateRow = {
  /** `payment_status`, which only orders have */
  readonly paymentStatus: OrderPaymentStatus;
  /** `state` of the checkout */
  readonly checkout: CheckoutState;
  readonly shown: StateWord;
  readonly task: OrderTask | null;
  /** offered in this state, as far as {@link possibleActions} allows each now */
  readonly actions: readonly ChargeAction[];
};

/**
 * All states of a payment, with what each place says about it. Pages, the look-up, the dashboard, the API and exports read the state
 * here. The columns are those of a row.
 */
export const chargeStates = tableOf({
  /** an order without money that counts */
  waiting: ["awaiting", "awaiting", "waiting", null, ["rest", "extend", "archive"]],
  /** the time is over, and no solid block says so yet: a payment in time may still come */
  lastBlocks: ["expired", "awaiting", "lastBlocks", null, ["rest", "archive"]],
  seen: ["detected", "confirming", "seen", null, ["accept", "rest", "extend", "archive"]],
  confirming: ["confirming", "confirming", "confirming", null, ["accept", "rest", "extend", "archive"]],
  /** archived unpaid, and money is on its way */
  closedConfirming: ["expired", "confirming", "confirming", null, ["accept", "rest"]],
  paid: ["paid", "paid", "paid", null, []],
  /** the surplus came in time or in the late window */
  overpaid: ["paid", "overpaid", "overpaid", "overpaid", []],
  /** paid, and the surplus came after the late window */
  overpaidLate: ["paid", "paid", "overpaid", "overpaid", []],
  /** the merchant took less than the price, or late money, as full payment */
  accepted: ["paid", "paid", "accepted", null, []],
  /** part of the price, and there is time to send the rest */
  underpaid: ["awaiting", "underpaid", "underpaid", null, ["accept", "rest", "extend", "archive"]],
  underpaidLastBlocks: ["expired", "underpaid", "underpaid", null, ["accept", "rest", "archive"]],
  /** part of the price, and the order has expired or was archived */
  underpaidEnded: ["expired", "underpaid", "underpaid", "underpaid", ["accept", "rest", "archive"]],
  /** the whole price, of which a part came after the late window */
  tooLate: ["expired", "underpaid", "tooLate", "late", ["accept", "archive"]],
  expired: ["expired", "expired", "expired", null, ["rest", "archive"]],
  /** archived before its time was over, without money that counts */
  closed: ["expired", "error", "closed", null, ["rest"]],
  /** an open address without money that counts */
  open: ["awaiting", "awaiting", "open", null, ["extend", "archive"]],
  /** a receive address without money that counts */
  receiving: ["awaiting", "awaiting", "receiving", null, []],
  /** an open or receive address with confirmed money */
  received: ["paid", "paid", "received", null, ["extend", "archive"]],
});

/** The state of a payment: the name of a row of the table. */
export type ChargeState = keyof typeof chargeStates;

type StateColumns = readonly [
  StateRow["paymentStatus"],
  StateRow["checkout"],
  StateRow["shown"],
  StateRow["task"],
  StateRow["actions"],
];

function tableOf<State extends string>(
  table: Readonly<Record<State, StateColumns>>,
): Readonly<Record<State, StateRow>> {
  const rows = Object.entries<StateColumns>(table).map(
    ([state, [paymentStatus, checkout, shown, task, actions]]) =>
      [state, { paymentStatus, checkout, shown, task, actions }] as const,
  );
  return Object.fromEntries(rows) as Record<State, StateRow>;
}

/** The facts that decide the state of a payment. */
export type StateFacts = MoneyFacts & {
  readonly kind: ChargeKind;
  /** by the time of the newest scanned block, even if no solid block is that late yet */
  readonly isExpired: boolean;
};

/** The state of a payment: the first line that fits. */
export function chargeStateOf(charge: StateFacts): ChargeState {
  const money = charge.kind === "order" ? stateByMoney(charge) : standingByMoney(charge);
  return money ?? stateByTime(charge);
}

function stateByMoney(order: StateFacts): ChargeState | undefined {
  const { terms, confirmed, status } = order;
  if (isOverpaid(terms, confirmed.inWindow)) return "overpaid";
  if (isSettled(order)) {
    if (!isPaid(terms, confirmed.inWindow)) return "accepted";
    return isOverpaid(terms, confirmed.total) ? "overpaidLate" : "paid";
  }
  if (hasOpenDeposit(order)) {
    if (status === "ARCHIVED") return "closedConfirming";
    return order.hasConfirming ? "confirming" : "seen";
  }
  if (isPaid(terms, confirmed.total)) return "tooLate";
  if (confirmed.total <= zero) return undefined;
  if (status !== "ACTIVE") return "underpaidEnded";
  return order.isExpired ? "underpaidLastBlocks" : "underpaid";
}

/** Without an amount any confirmed money is welcome. */
function standingByMoney(charge: StateFacts): ChargeState | undefined {
  if (hasOpenDeposit(charge)) return charge.hasConfirming ? "confirming" : "seen";
  return charge.confirmed.total > zero ? "received" : undefined;
}

function stateByTime({ kind, status, isExpired }: StateFacts): ChargeState {
  if (isExpired) return status === "ACTIVE" ? "lastBlocks" : "expired";
  if (status === "ARCHIVED") return "closed";
  if (kind === "order") return "waiting";
  return kind === "open" ? "open" : "receiving";
}

function hasOpenDeposit({ hasConfirming, hasDetected }: StateFacts): boolean {
  return hasConfirming || hasDetected;
}

/** `payment_status` of an order. It is derived, never stored. */
export function orderPaymentStatus(order: StateFacts): OrderPaymentStatus {
  return chargeStates[chargeStateOf(order)].paymentStatus;
}

/** The state that the payer sees. */
export function checkoutState(charge: StateFacts): CheckoutState {
  return chargeStates[chargeStateOf(charge)].checkout;
}

type ActionFacts = StateFacts &
  RestFacts & {
    readonly expiresAt: Date | null;
    /** the scanned chain is past `expiresAt` */
    readonly isTimeOver: boolean;
  };

/** The needs of each action besides a state that offers it. */
const isAllowed: Readonly<Record<ChargeAction, (charge: ActionFacts, family: Family) => boolean>> = {
  accept: ({ kind, confirmed }, { first }) => kind === "order" && confirmed.total > zero && !isSettled(first),
  rest: ({ kind }, family) => kind === "order" && !("refusal" in answerToRest(family)),
  extend: ({ status, expiresAt, isTimeOver }) => status === "ACTIVE" && expiresAt !== null && !isTimeOver,
  archive: ({ kind, status }) => kind !== "receive" && status !== "ARCHIVED",
};

/** The actions that the service would take for the charge now. Its family is itself unless a rest was asked for. */
export function possibleActions(
  charge: ActionFacts,
  family: Family = { first: charge, rests: [] },
): ChargeAction[] {
  const { actions } = chargeStates[chargeStateOf(charge)];
  return actions.filter((action) => isAllowed[action](charge, family));
}
