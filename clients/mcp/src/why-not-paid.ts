import { z } from "zod";
import { explainPayment } from "./explain-payment.ts";
import { MAX_TRANSFERS, paymentName, paymentsNamed } from "./find-payment.ts";
import { paymentShape, transferShape, viewPayment, viewTransfer } from "./payment-view.ts";
import { defineTool } from "./tool.ts";

const verdict = z
  .enum(["paid", "in_progress", "short", "too_late", "expired", "closed", "waiting", "any_amount", "unknown"])
  .describe("`unknown`: no payment of this merchant has this name");

export const whyNotPaidTool = defineTool({
  name: "why_not_paid",
  title: "Explain why a payment is not paid",
  description:
    "Explains one payment: whether it is paid, what is due, final and missing, its time to pay, and each transfer that does not count. It tells what a person can do.",
  needs: ["charges:read", "deposits:read"],
  input: paymentName,
  output: z.object({
    verdict,
    reasons: z.array(z.string()),
    nextSteps: z.array(z.string()),
    payment: paymentShape.nullable(),
    transfers: z.array(transferShape),
    others: z.int().describe("How many other payments have this name; the newest one is explained"),
  }),
  run: async ({ daric, showsPayerTexts }, input, options) => {
    const { rows, total } = await paymentsNamed(daric, input, options);
    const [row] = rows;
    if (row === undefined)
      return {
        ...{ verdict: "unknown" as const, payment: null, transfers: [], others: 0 },
        reasons: ["No payment of this merchant has this name."],
        nextSteps: [
          "Compare the reference with the shop's. A transaction to another address, or of another network, is not here.",
        ],
      };
    const { data } = await daric.deposits.list({ depositAddressId: row.id, limit: MAX_TRANSFERS }, options);
    return {
      ...explainPayment(row, data, new Date()),
      payment: viewPayment(row, { showsPayerTexts }),
      transfers: data.map(viewTransfer),
      others: total - 1,
    };
  },
});
