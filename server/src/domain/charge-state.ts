import type { ChargeKind, ChargeStatus } from "./charge.ts";
import type { CheckoutState } from "./checkout.ts";
import { zero } from "./money.ts";
import { isOverpaid, isPaid, isSettled, type OrderPaymentStatus, type Terms } from "./order.ts";
import type { ConfirmedSums } from "./sums.ts";

/** The words for the state of a payment, as the dashboard shows it. */
export const shownStates = [
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
export type ShownState = (typeof shownStates)[number];

/** The decisions of a merchant that change a payment. */
export const chargeActions = ["accept", "extend", "archive"] as const;
export type ChargeAction = (typeof chargeActions)[number];

/** Why the state of an order needs a decision of its merchant. */
export type OrderTask = "underpaid" | "late" | "overpaid";

type StateRow = {
  /** `payment_status`, which only orders have */
  readonly paymentStatus: OrderPaymentStatus;
  /** `state` of the checkout */
  readonly checkout: CheckoutState;
  readonly shown: ShownState;
  readonly task: OrderTask | null;
  /** offered in this state, as far as {@link possibleActions} allows each now */
  readonly actions: readonly ChargeAction[];
};

/**
 * All states of a payment, with what each place says about it. Pages, the look-up, the dashboard, the API and exports read the state
 * here.
 */
export const chargeStates = tableOf({
  /** an order without money that counts */
  waiting: {
    paymentStatus: "awaiting",
    checkout: "awaiting",
    shown: "waiting",
    task: null,
    actions: ["extend", "archive"],
  },
  /** the time is over, and no solid block says so yet: a payment in time may still come */
  lastBlocks: {
    paymentStatus: "expired",
    checkout: "awaiting",
    shown: "lastBlocks",
    task: null,
    actions: ["archive"],
  },
  seen: {
    paymentStatus: "detected",
    checkout: "confirming",
    shown: "seen",
    task: null,
    actions: ["accept", "extend", "archive"],
  },
  confirming: {
    paymentStatus: "confirming",
    checkout: "confirming",
    shown: "confirming",
    task: null,
    actions: ["accept", "extend", "archive"],
  },
  /** archived unpaid, and money is on its way */
  closedConfirming: {
    paymentStatus: "expired",
    checkout: "confirming",
    shown: "confirming",
    task: null,
    actions: ["accept"],
  },
  paid: { paymentStatus: "paid", checkout: "paid", shown: "paid", task: null, actions: [] },
  /** the surplus came in time or in the late window */
  overpaid: { paymentStatus: "paid", checkout: "overpaid", shown: "overpaid", task: "overpaid", actions: [] },
  /** paid, and the surplus came after the late window */
  overpaidLate: { paymentStatus: "paid", checkout: "paid", shown: "overpaid", task: "overpaid", actions: [] },
  /** the merchant took less than the price, or late money, as full payment */
  accepted: { paymentStatus: "paid", checkout: "paid", shown: "accepted", task: null, actions: [] },
  /** part of the price, and there is time to send the rest */
  underpaid: {
    paymentStatus: "awaiting",
    checkout: "underpaid",
    shown: "underpaid",
    task: null,
    actions: ["accept", "extend", "archive"],
  },
  underpaidLastBlocks: {
    paymentStatus: "expired",
    checkout: "underpaid",
    shown: "underpaid",
    task: null,
    actions: ["accept", "archive"],
  },
  /** part of the price, and the order has expired or was archived */
  underpaidEnded: {
    paymentStatus: "expired",
    checkout: "underpaid",
    shown: "underpaid",
    task: "underpaid",
    actions: ["accept", "archive"],
  },
  /** the whole price, of which a part came after the late window */
  tooLate: {
    paymentStatus: "expired",
    checkout: "underpaid",
    shown: "tooLate",
    task: "late",
    actions: ["accept", "archive"],
  },
  expired: {
    paymentStatus: "expired",
    checkout: "expired",
    shown: "expired",
    task: null,
    actions: ["archive"],
  },
  /** archived before its time was over, without money that counts */
  closed: { paymentStatus: "expired", checkout: "error", shown: "closed", task: null, actions: [] },
  /** an open address without money that counts */
  open: {
    paymentStatus: "awaiting",
    checkout: "awaiting",
    shown: "open",
    task: null,
    actions: ["extend", "archive"],
  },
  /** a receive address without money that counts */
  receiving: {
    paymentStatus: "awaiting",
    checkout: "awaiting",
    shown: "receiving",
    task: null,
    actions: [],
  },
  /** an open or receive address with confirmed money */
  received: {
    paymentStatus: "paid",
    checkout: "paid",
    shown: "received",
    task: null,
    actions: ["extend", "archive"],
  },
});

/** The state of a payment: the name of a row of the table. */
export type ChargeState = keyof typeof chargeStates;

function tableOf<State extends string>(rows: Readonly<Record<State, StateRow>>): typeof rows {
  return rows;
}

/** The facts that decide the state of a payment. Only money that counts and is in the charge's currency decides. */
export type StateFacts = {
  readonly kind: ChargeKind;
  readonly status: ChargeStatus;
  readonly terms: Terms;
  /** when the merchant took the received amount as full payment */
  readonly acceptedAt: Date | null;
  readonly confirmed: ConfirmedSums;
  readonly hasConfirming: boolean;
  readonly hasDetected: boolean;
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

type ActionFacts = StateFacts & {
  readonly expiresAt: Date | null;
  /** the scanned chain is past `expiresAt` */
  readonly isTimeOver: boolean;
};

/** What each action needs besides a state that offers it. */
const isAllowed: Readonly<Record<ChargeAction, (charge: ActionFacts) => boolean>> = {
  accept: ({ kind, confirmed }) => kind === "order" && confirmed.total > zero,
  extend: ({ status, expiresAt, isTimeOver }) => status === "ACTIVE" && expiresAt !== null && !isTimeOver,
  archive: ({ kind, status }) => kind !== "receive" && status !== "ARCHIVED",
};

/** The actions that the service would take for the charge now. */
export function possibleActions(charge: ActionFacts): ChargeAction[] {
  const { actions } = chargeStates[chargeStateOf(charge)];
  return actions.filter((action) => isAllowed[action](charge));
}
