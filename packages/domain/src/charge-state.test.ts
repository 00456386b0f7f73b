import { describe, expect, it } from "vitest";
import {
  type ChargeState,
  chargeStateOf,
  chargeStates,
  checkoutState,
  orderPaymentStatus,
  possibleActions,
} from "./charge-state.ts";
import { amountFromUnits } from "./money.ts";

const usdt = (units: number) => amountFromUnits(BigInt(units) * 1_000_000n);
const sums = (onTime: number, inWindow = onTime, total = inWindow) => ({
  onTime: usdt(onTime),
  inWindow: usdt(inWindow),
  total: usdt(total),
});

/** An order of 25 USDT with time left. */
const untouched = {
  kind: "order",
  status: "ACTIVE",
  terms: { due: usdt(25), toleranceBasisPoints: 0 },
  acceptedAt: null,
  confirmed: sums(0),
  hasConfirming: false,
  hasDetected: false,
  isExpired: false,
  expiresAt: new Date(0),
  isTimeOver: false,
  fiatCurrency: null,
  fiatAmount: null,
  quote: null,
} as const satisfies Parameters<typeof possibleActions>[0];

type Facts = Partial<Parameters<typeof possibleActions>[0]>;
const past = { isExpired: true, isTimeOver: true } as const;
const expired = { ...past, status: "EXPIRED" } as const;
const archived = { status: "ARCHIVED" } as const;
const accepted = { ...archived, acceptedAt: new Date() } as const;
const open = { kind: "open", terms: { due: null, toleranceBasisPoints: 0 } } as const;
const receive = { ...open, kind: "receive", expiresAt: null } as const;

type Row = readonly [
  title: string,
  facts: Facts,
  state: ChargeState,
  paymentStatus: string,
  checkout: string,
  actions: string,
];

const table: readonly Row[] = [
  ["nothing yet", {}, "waiting", "awaiting", "awaiting", "extend archive"],
  ["past its time, by no solid block", past, "lastBlocks", "expired", "awaiting", "archive"],
  ["expired", expired, "expired", "expired", "expired", "archive"],
  ["archived unpaid", archived, "closed", "expired", "error", ""],
  ["archived unpaid, past its time", { ...past, ...archived }, "expired", "expired", "expired", ""],
  ["in a head block", { hasDetected: true }, "seen", "detected", "confirming", "extend archive"],
  [
    "being confirmed",
    { hasConfirming: true, hasDetected: true },
    "confirming",
    "confirming",
    "confirming",
    "extend archive",
  ],
  [
    "expired, with a payment on its way",
    { ...expired, hasDetected: true },
    "seen",
    "detected",
    "confirming",
    "archive",
  ],
  [
    "part of it confirmed, the rest on its way",
    { confirmed: sums(10), hasConfirming: true },
    "confirming",
    "confirming",
    "confirming",
    "accept extend archive",
  ],
  [
    "archived unpaid, with a payment on its way",
    { ...archived, hasConfirming: true },
    "closedConfirming",
    "expired",
    "confirming",
    "",
  ],
  ["short", { confirmed: sums(10) }, "underpaid", "awaiting", "underpaid", "accept rest extend archive"],
  [
    "short in its last blocks",
    { ...past, confirmed: sums(10) },
    "underpaidLastBlocks",
    "expired",
    "underpaid",
    "accept rest archive",
  ],
  [
    "expired short",
    { ...expired, confirmed: sums(10) },
    "underpaidEnded",
    "expired",
    "underpaid",
    "accept rest archive",
  ],
  [
    "archived short",
    { ...archived, confirmed: sums(10) },
    "underpaidEnded",
    "expired",
    "underpaid",
    "accept rest",
  ],
  [
    "paid after the late window",
    { ...expired, confirmed: sums(0, 0, 25) },
    "tooLate",
    "expired",
    "underpaid",
    "accept archive",
  ],
  [
    "short, and the rest came after the late window",
    { ...expired, confirmed: sums(10, 20, 25) },
    "tooLate",
    "expired",
    "underpaid",
    "accept archive",
  ],
  [
    "archived after its late window",
    { ...past, ...archived, confirmed: sums(0, 0, 25) },
    "tooLate",
    "expired",
    "underpaid",
    "accept",
  ],
  ["paid", { ...archived, confirmed: sums(25) }, "paid", "paid", "paid", ""],
  [
    "paid, with more on its way",
    { ...archived, confirmed: sums(25), hasConfirming: true },
    "paid",
    "paid",
    "paid",
    "",
  ],
  ["paid in the late window", { ...expired, confirmed: sums(0, 25) }, "paid", "paid", "paid", ""],
  ["overpaid", { ...archived, confirmed: sums(30) }, "overpaid", "paid", "overpaid", ""],
  [
    "paid, and more came after the late window",
    { ...archived, confirmed: sums(25, 25, 30) },
    "overpaidLate",
    "paid",
    "paid",
    "",
  ],
  ["accepted short", { ...accepted, confirmed: sums(10) }, "accepted", "paid", "paid", ""],
  [
    "accepted after the late window, with more on its way",
    { ...accepted, confirmed: sums(0, 0, 25), hasConfirming: true },
    "accepted",
    "paid",
    "paid",
    "",
  ],
  ["accepted, and then paid in full", { ...accepted, confirmed: sums(25) }, "paid", "paid", "paid", ""],
  ["an open address", open, "open", "awaiting", "awaiting", "extend archive"],
  ["an open address past its time", { ...open, ...expired }, "expired", "expired", "expired", "archive"],
  ["an archived open address", { ...open, ...archived }, "closed", "expired", "error", ""],
  [
    "an open address with money",
    { ...open, confirmed: sums(1) },
    "received",
    "paid",
    "paid",
    "extend archive",
  ],
  ["a receive address", receive, "receiving", "awaiting", "awaiting", ""],
  [
    "a receive address with money on its way",
    { ...receive, hasConfirming: true },
    "confirming",
    "confirming",
    "confirming",
    "",
  ],
  ["a receive address with money", { ...receive, confirmed: sums(1) }, "received", "paid", "paid", ""],
];

describe("the table of states", () => {
  it.each(table)("%s", (_, facts, state, paymentStatus, checkout, actions) => {
    const charge = { ...untouched, ...facts };
    expect([
      chargeStateOf(charge),
      orderPaymentStatus(charge),
      checkoutState(charge),
      possibleActions(charge).join(" "),
    ]).toEqual([state, paymentStatus, checkout, actions]);
  });

  it("has no state that no payment reaches", () => {
    const reached = new Set(table.map(([, , state]) => state));
    expect(Object.keys(chargeStates).filter((state) => !reached.has(state as ChargeState))).toEqual([]);
  });

  it("makes a task of each order that has ended with money and is not settled, and of each surplus", () => {
    const tasks = Object.entries(chargeStates).flatMap(([state, { task }]) => (task ? [[state, task]] : []));
    expect(tasks).toEqual([
      ["overpaid", "overpaid"],
      ["overpaidLate", "overpaid"],
      ["underpaidEnded", "underpaid"],
      ["tooLate", "late"],
    ]);
  });
});
