import type { Charge } from "@daric/charges/charge";
import { currencies } from "@daric/domain/asset";
import { formatAmount } from "@daric/domain/money";
import { type RefundStatus, refundStatuses } from "@daric/domain/refund";
import { type RefundTestCase, refundTestCases, type TestCase, testCases } from "@daric/domain/test-case";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { z } from "zod";
import type { SimulatedPayment } from "./simulate-payment.ts";
import type { SimulatedRefund } from "./simulate-refund.ts";

const caseName = z.enum(testCases).meta({
  description:
    "`exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in two transactions. `late`: " +
    "the amount due, after the order has expired. `wrong_coin`: as many of the other currency. `reorged`: the amount due, in a block " +
    "that leaves the chain after it was read. If nothing is due, the amount is 10.",
  examples: ["under"],
});

/** The body of simulate. */
export const simulateBody = z.object({ case: caseName }).meta({
  "x-examples": {
    tooLittle: { summary: "A payer who sends half", value: { case: "under" } },
    wrongCoin: { summary: "TRX to an order in USDT", value: { case: "wrong_coin" } },
  },
});

const payment = z
  .object({
    tx_hash: z
      .string()
      .meta({ description: "Id of the transaction, 64 hex characters.", examples: ["0f".repeat(32)] }),
    currency: z
      .enum(currencies)
      .meta({ description: `The currency sent: ${currencies.join(" or ")}.`, examples: ["USDT"] }),
    amount: z
      .string()
      .meta({ description: "The amount, in units of the payment's currency.", examples: ["12.75"] }),
  })
  .meta({ description: "One transfer on the devnet." });

/** The payments sent, and the expected events. */
export const simulation = z
  .object({
    case: caseName,
    deposit_address_id: z.string().meta({
      format: "uuid",
      description: "The deposit address that was paid (UUID).",
      examples: ["0199c0de-0000-7000-8000-000000000001"],
    }),
    address: z.string().meta({
      description: "The paid TRON address in base58.",
      examples: ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"],
    }),
    payments: z.array(payment).meta({ description: "The payments, in the order in which they were sent." }),
    forked_devnet: z.boolean().meta({
      description:
        "true for `reorged`: the newest blocks of the whole devnet were replaced, with the payments of all merchants in them.",
      examples: [false],
    }),
    expected_events: z.array(z.enum(webhookEventTypes)).meta({
      description:
        "The events that follow if nothing else is paid. An endpoint receives those that it subscribes to, in any order.",
      examples: [["deposit.confirmed", "order.underpaid"]],
    }),
    next: z.string().meta({
      description: "The next steps in a sentence for people.",
      examples: ["The payment is in the next block and final after 19, about a minute on a devnet."],
    }),
  })
  .meta({ id: "SimulatedPayment", description: "A test case that was played on the devnet." });

const FINALITY = "is in the next block and final after 19, about a minute on a devnet that is not hurried.";

/** The wire form of the payments to a charge. */
export function toSimulation(
  charge: Charge,
  testCase: TestCase,
  { payments, isForked, expectedEvents }: SimulatedPayment,
): z.input<typeof simulation> {
  return {
    case: testCase,
    deposit_address_id: charge.id,
    address: charge.address,
    payments: payments.map(({ txId, currency, amount }) => ({
      tx_hash: txId,
      currency,
      amount: formatAmount(amount),
    })),
    forked_devnet: isForked,
    expected_events: [...expectedEvents],
    next: nextOf(charge, testCase, expectedEvents),
  };
}

function nextOf(
  { expiresAt }: Charge,
  testCase: TestCase,
  expectedEvents: SimulatedPayment["expectedEvents"],
): string {
  if (testCase === "reorged") {
    return (
      "This forked the whole devnet: the newest blocks were replaced, for every merchant. The deposit is " +
      "REORG_PENDING until the new branch is read; the payment comes again one block later and is final 19 blocks on."
    );
  }
  const subject = testCase === "twice" ? "Each payment" : "The payment";
  const underpaid = expectedEvents.includes("order.underpaid")
    ? ` order.underpaid comes when the order expires, at ${expiresAt?.toISOString()}, unless the rest is paid by then.`
    : "";
  return `${subject} ${FINALITY}${underpaid}`;
}

const refundCaseName = z.enum(refundTestCases).meta({
  description:
    "`claim`: the payer names an address by the claim link. `pay`: the exact amount is paid to it. `short`: the amount is short by the smallest " +
    "part of the coin.",
  examples: ["claim"],
});

/** The body of a refund's simulate. */
export const simulateRefundBody = z.object({ case: refundCaseName }).meta({
  "x-examples": {
    claim: { summary: "The payer names an address", value: { case: "claim" } },
    pay: { summary: "The refund is paid", value: { case: "pay" } },
  },
});

/** The played case, and the expected events. */
export const refundSimulation = z
  .object({
    case: refundCaseName,
    refund_id: z.string().meta({ format: "uuid" }),
    status: z
      .enum(refundStatuses)
      .meta({ description: "The status of the refund afterwards.", examples: ["SENT"] }),
    address: z
      .string()
      .nullable()
      .meta({
        description: "The TRON address that the refund goes to (base58); null without one.",
        examples: ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH"],
      }),
    payments: z.array(payment).meta({ description: "The payment that was sent; none for `claim`." }),
    expected_events: z.array(z.enum(webhookEventTypes)).meta({
      description: "The events that follow. An endpoint receives those that it subscribes to.",
      examples: [["refund.completed"]],
    }),
    next: z.string().meta({
      description: "The next steps in a sentence for people.",
      examples: ["The payment is final after 19 blocks, about a minute on a devnet that is not hurried."],
    }),
  })
  .meta({ id: "SimulatedRefund", description: "A case of a refund that was played on the devnet." });

/** The wire form of a played case of a refund. */
export function toRefundSimulation(
  testCase: RefundTestCase,
  { refund, payment: sent, expectedEvents }: SimulatedRefund,
): z.input<typeof refundSimulation> {
  const { id, status, address, currency } = refund;
  return {
    case: testCase,
    refund_id: id,
    status,
    address,
    payments: sent === undefined ? [] : [{ tx_hash: sent.txId, currency, amount: formatAmount(sent.amount) }],
    expected_events: [...expectedEvents],
    next: nextOfRefund(testCase, refund.status),
  };
}

function nextOfRefund(testCase: RefundTestCase, status: RefundStatus): string {
  if (testCase === "pay")
    return "The payment is final after 19 blocks, about a minute on a devnet that is not hurried.";
  if (testCase === "short")
    return "It completes nothing: at most a person confirms it, once the devnet's wallet has paid a refund of this merchant.";
  return status === "READY"
    ? "The refund can be paid: play pay, or short."
    : "An owner or admin must confirm the refund in the dashboard before it can be paid.";
}
