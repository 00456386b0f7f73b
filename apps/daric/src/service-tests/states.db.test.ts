import type { ChargeState } from "@daric/domain/charge-state";
import { chargeActions, chargeStates } from "@daric/domain/charge-state";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { orderPaymentStatuses } from "@daric/domain/order";
import type { ApiApp } from "@daric/http/api-app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit, setChainTime } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { settleCharges } from "@daric/testing/settle-charges";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApp } from "../app.ts";

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let browser: Browser;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
  merchantId = (await aMerchant(context.db, { name: "Books" })).id;
  const places = [{ merchantId, role: "owner" }] as const;
  browser = await signedIn(app, await aPerson(context, { places }), merchantId);
  await setChainTime(context.db, new Date());
});
afterAll(async () => {
  await app.close();
  await context.close();
});

type Charge = Omit<Parameters<typeof aCharge>[1], "merchantId">;
type Deposit = Omit<Parameters<typeof aDeposit>[1], "chargeId">;
type Case = {
  readonly charge: Charge;
  /** the first is looked up */
  readonly deposits: readonly Deposit[];
  /** the words of the page about the state */
  readonly says: string;
  /** the look-up of the first deposit */
  readonly lookup?: string;
  /** `payment_status`; only orders have one */
  readonly paymentStatus?: string;
  readonly paidLate?: boolean;
  readonly checkout: string;
  readonly shown: string;
  readonly actions: readonly string[];
  readonly reasons?: readonly string[];
  readonly closing?: string;
};

const past = { expiresAt: hoursAgo(3), lateUntil: hoursAgo(2) };
const expired = { ...past, status: "EXPIRED" } as const;
const inTime = { blockTime: hoursAgo(4) };
const afterWindow = { blockTime: hoursAgo(1) };
const nothingToDo = "There is nothing to do.";

const cases: Readonly<Record<ChargeState, Case>> = {
  waiting: {
    charge: {},
    deposits: [],
    says: "Waiting for your payment",
    paymentStatus: "awaiting",
    checkout: "awaiting",
    shown: "waiting",
    actions: ["extend", "archive"],
  },
  lastBlocks: {
    charge: past,
    deposits: [],
    says: "Time is over; checking the last blocks",
    paymentStatus: "expired",
    checkout: "awaiting",
    shown: "lastBlocks",
    actions: ["archive"],
  },
  seen: {
    charge: {},
    deposits: [{ status: "DETECTED" }],
    says: "Payment found",
    lookup: "There is nothing to do but wait",
    paymentStatus: "detected",
    checkout: "confirming",
    shown: "seen",
    actions: ["extend", "archive"],
  },
  confirming: {
    charge: {},
    deposits: [{ status: "CONFIRMING", amount: "10" }],
    says: "15.00 USDT still to send",
    lookup: "confirmations. 10.00 USDT found and being confirmed. Send the rest to the same address.",
    paymentStatus: "confirming",
    checkout: "confirming",
    shown: "confirming",
    actions: ["extend", "archive"],
  },
  closedConfirming: {
    charge: { status: "ARCHIVED" },
    deposits: [{ status: "CONFIRMING" }],
    says: "Payment found",
    lookup: "There is nothing to do but wait",
    paymentStatus: "expired",
    checkout: "confirming",
    shown: "confirming",
    actions: [],
  },
  paid: {
    charge: {},
    deposits: [{}],
    says: "Paid",
    lookup: nothingToDo,
    paymentStatus: "paid",
    checkout: "paid",
    shown: "paid",
    actions: [],
    closing: "paid",
  },
  overpaid: {
    charge: {},
    deposits: [{ amount: "30" }],
    says: "30.00 USDT received, 5.00 more than asked",
    lookup: nothingToDo,
    paymentStatus: "paid",
    checkout: "overpaid",
    shown: "overpaid",
    actions: [],
    reasons: ["overpaid"],
    closing: "paid",
  },
  overpaidLate: {
    charge: expired,
    deposits: [inTime, { ...afterWindow, amount: "5" }],
    says: "30.00 USDT received, 5.00 more than asked",
    lookup: nothingToDo,
    paymentStatus: "paid",
    checkout: "paid",
    shown: "overpaid",
    actions: [],
    reasons: ["overpaid"],
    closing: "paid",
  },
  accepted: {
    charge: { status: "ARCHIVED", acceptedAt: new Date() },
    deposits: [{ amount: "10" }],
    says: "Paid",
    lookup: nothingToDo,
    paymentStatus: "paid",
    checkout: "paid",
    shown: "accepted",
    actions: [],
  },
  underpaid: {
    charge: {},
    deposits: [{ amount: "10" }],
    says: "15.00 USDT is missing",
    lookup: "final. 10.00 USDT of 25.00 USDT arrived. Send 15.00 USDT more to the same address",
    paymentStatus: "awaiting",
    checkout: "underpaid",
    shown: "underpaid",
    actions: ["accept", "rest", "extend", "archive"],
  },
  underpaidLastBlocks: {
    charge: past,
    deposits: [{ ...inTime, amount: "10" }],
    says: "Paid in part",
    lookup: "15.00 USDT is missing, and the time is over. Do not send the rest now: write to Books",
    paymentStatus: "expired",
    checkout: "underpaid",
    shown: "underpaid",
    actions: ["accept", "rest", "archive"],
  },
  underpaidEnded: {
    charge: expired,
    deposits: [{ ...inTime, amount: "10" }],
    says: "Paid in part",
    lookup: "15.00 USDT is missing, and the time is over. Do not send the rest now: write to Books",
    paymentStatus: "expired",
    checkout: "underpaid",
    shown: "underpaid",
    actions: ["accept", "rest", "archive"],
    reasons: ["underpaid"],
  },
  tooLate: {
    charge: expired,
    deposits: [afterWindow],
    says: "Your payment came too late",
    lookup: "final. Your 25.00 USDT arrived after this order had closed. Ask Books to deliver or refund it.",
    paymentStatus: "expired",
    paidLate: true,
    checkout: "underpaid",
    shown: "tooLate",
    actions: ["accept", "archive"],
    reasons: ["late"],
    closing: "too_late",
  },
  expired: {
    charge: expired,
    deposits: [],
    says: "This payment link has expired",
    paymentStatus: "expired",
    checkout: "expired",
    shown: "expired",
    actions: ["archive"],
  },
  closed: {
    charge: { status: "ARCHIVED" },
    deposits: [],
    says: "This order is closed",
    paymentStatus: "expired",
    checkout: "error",
    shown: "closed",
    actions: [],
  },
  open: {
    charge: { kind: "open" },
    deposits: [],
    says: "Ready to receive USDT",
    checkout: "awaiting",
    shown: "open",
    actions: ["extend", "archive"],
  },
  receiving: {
    charge: { kind: "receive" },
    deposits: [],
    says: "Ready to receive USDT",
    checkout: "awaiting",
    shown: "receiving",
    actions: [],
  },
  received: {
    charge: { kind: "open" },
    deposits: [{}],
    says: "Paid",
    lookup: nothingToDo,
    checkout: "paid",
    shown: "received",
    actions: ["extend", "archive"],
  },
};

/** The words of the page, without markup. */
function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
}

async function lookUp(token: string, txHash: string): Promise<string> {
  const { body } = await app.inject({
    method: "POST",
    url: `/c/${token}`,
    remoteAddress: `10.1.0.${Math.floor(Math.random() * 250)}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ txHash }).toString(),
  });
  return textOf(/data-answer>(.*?)<\/p>/s.exec(body)?.[1] ?? "");
}

const dataOf = async (url: string) => (await browser.send(url)).body.data;
const rowOf = (rows: { id: string }[], id: string) => rows.find((row) => row.id === id);

async function receive(chargeId: ChargeId, wanted: readonly Deposit[]) {
  const deposits = [];
  for (const deposit of wanted) deposits.push(await aDeposit(context.db, { ...deposit, chargeId }));
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id: chargeId }]));
  return deposits;
}

it.each(Object.keys(chargeStates) as ChargeState[])(
  "page, look-up, API, list, inbox, story and export tell the same of %s",
  async (state) => {
    const expected = cases[state];
    const orderRef = `state-${state}`;
    const { id, checkoutToken } = await aCharge(context.db, { ...expected.charge, merchantId, orderRef });
    const deposits = await receive(id, expected.deposits);

    const { paymentStatus, paidLate = false, checkout, shown, actions, reasons = [] } = expected;
    const retrieved = await dataOf(`/v1/deposit-addresses/${id}`);
    expect([retrieved.payment_status, retrieved.paid_late]).toEqual([paymentStatus, paidLate]);
    const listedBy = [];
    for (const value of orderPaymentStatuses)
      if (rowOf(await dataOf(`/v1/deposit-addresses?paymentStatus=${value}`), id)) listedBy.push(value);
    expect(listedBy).toEqual(paymentStatus === undefined ? [] : [paymentStatus]);
    const isInPaid = rowOf(await dataOf("/dashboard/v1/payments?payment=paid"), id) !== undefined;
    expect(isInPaid).toBe(paymentStatus === "paid");
    expect((await dataOf(`/v1/checkout/${checkoutToken}`)).state).toBe(checkout);

    const page = await app.inject({ method: "GET", url: `/c/${checkoutToken}` });
    const words = /class="status-words">(.*?)<\/div>/s.exec(page.body)?.[1] ?? "";
    expect(textOf(words)).toContain(expected.says);
    const [first] = deposits;
    if (first) expect(await lookUp(checkoutToken, first.txId)).toContain(expected.lookup);

    expect(rowOf(await dataOf("/dashboard/v1/payments"), id)).toMatchObject({ state: shown });
    const story = await dataOf(`/dashboard/v1/payments/${id}/story`);
    expect([story.state, story.actions]).toEqual([shown, actions]);
    const closings = story.entries.flatMap((entry: { kind: string; how: string }) =>
      entry.kind === "closing" && ["paid", "too_late"].includes(entry.how) ? [entry.how] : [],
    );
    expect(closings).toEqual(expected.closing === undefined ? [] : [expected.closing]);
    const task = rowOf(await dataOf("/dashboard/v1/inbox"), id);
    if (reasons.length === 0) expect(task).toBeUndefined();
    else expect(task).toMatchObject({ reasons, state: shown, actions });
    const exported = (await browser.send("/dashboard/v1/exports/payments?format=json")).body;
    expect(rowOf(exported, id)).toMatchObject({ state: shown, payment_status: paymentStatus ?? null });
  },
);

const bodies = { accept: {}, rest: {}, extend: { seconds: 3600 }, archive: {} };

it.each(Object.keys(chargeStates) as ChargeState[])(
  "the API takes each action that is offered for %s, and refuses the others",
  async (state) => {
    const { charge, deposits, actions } = cases[state];
    for (const action of chargeActions) {
      const { id } = await aCharge(context.db, { ...charge, merchantId });
      await receive(id, deposits);
      const { body } = await browser.send(`/v1/deposit-addresses/${id}/${action}`, bodies[action]);
      const isOffered = actions.includes(action);
      // The service answers a repeated archiving as the first, though there is nothing to offer.
      if (isOffered || action !== "archive")
        expect([action, body.error?.code ?? "taken"]).toEqual([
          action,
          isOffered ? "taken" : expect.not.stringMatching("taken"),
        ]);
    }
  },
);

type Family = { readonly order: { id: ChargeId }; readonly rest: { id: ChargeId } };
const act = async ({ id }: { id: string }, action: keyof typeof bodies) =>
  (await browser.send(`/v1/deposit-addresses/${id}/${action}`, bodies[action])).body;

/** Events in the life of an order of 25 that got 10 in time, and of its rest of 15. */
const familyCases: Readonly<Record<string, (family: Family) => Promise<unknown>>> = {
  "the rest is open": async () => undefined,
  "the rest is paid in part": ({ rest }) => receive(rest.id, [{ amount: "5" }]),
  "money to the rest is on its way": ({ rest }) => receive(rest.id, [{ amount: "15", status: "CONFIRMING" }]),
  "late money to the order is on its way": ({ order }) =>
    receive(order.id, [{ amount: "15", status: "DETECTED" }]),
  "late money to the order makes the rest ask for too much": ({ order }) =>
    receive(order.id, [{ amount: "5", blockTime: new Date(Date.now() + HOUR_MS) }]),
  "late money to the order is all that was missing": ({ order }) =>
    receive(order.id, [{ amount: "15", blockTime: new Date(Date.now() + HOUR_MS) }]),
  "the rest is closed": ({ rest }) => act(rest, "archive"),
  "the rest is closed with a part, and another is open": async ({ order, rest }) => {
    await receive(rest.id, [{ amount: "5" }]);
    await act(rest, "archive");
    await act(order, "rest");
  },
  "the rest is closed with money on its way": async ({ rest }) => {
    await act(rest, "archive");
    await receive(rest.id, [{ amount: "5", status: "DETECTED" }]);
  },
  "the rest is paid": ({ rest }) => receive(rest.id, [{ amount: "15" }]),
  "the rest is accepted short": async ({ rest }) => {
    await receive(rest.id, [{ amount: "14" }]);
    await act(rest, "accept");
  },
  "the order is accepted": ({ order }) => act(order, "accept"),
};

it.each(Object.keys(familyCases))(
  "the rest is offered for an order and for its rest as the API takes it: %s",
  async (name) => {
    for (const asked of ["order", "rest"] as const) {
      const order = await aCharge(context.db, { merchantId });
      await receive(order.id, [{ amount: "10" }]);
      const rest = (await act(order, "rest")).data;
      const family = { order, rest };
      await familyCases[name]?.(family);
      const story = await dataOf(`/dashboard/v1/payments/${family[asked].id}/story`);
      const answer = await act(family[asked], "rest");
      expect([asked, story.actions.includes("rest")]).toEqual([asked, answer.error === undefined]);
    }
  },
);
