import { z } from "zod";
import { amountInput, currencyInput, priceOf, visibleLine } from "./create-input.ts";
import { paymentShape, viewPayment } from "./payment-view.ts";
import { defineTool } from "./tool.ts";

export const createOrderTool = defineTool({
  name: "create_order",
  title: "Create an order",
  description:
    "Makes an order with a payment page, once for each reference: the same reference and price give the same order again. Another price under a used reference is refused.",
  needs: ["charges:read", "charges:write"],
  creates: true,
  input: z.strictObject({
    amount: amountInput,
    currency: currencyInput,
    title: visibleLine(120).describe("A note for the merchant; the payer does not see it"),
    reference: visibleLine(120).describe(
      "The merchant's reference, which makes the order once. The payer sees it",
    ),
  }),
  output: z.object({ isNew: z.boolean(), payment: paymentShape }),
  run: async ({ daric, showsPayerTexts }, { amount, currency, title, reference }, options) => {
    const order = { ...priceOf(currency), amount, orderRef: reference, label: title };
    const made = await daric.createOrderOnce(order, options);
    const row = await daric.depositAddresses.retrieve(made.order.id, options);
    return { isNew: made.isNew, payment: viewPayment(row, { showsPayerTexts }) };
  },
});
