import { type Daric, DaricError } from "@daric/sdk";
import type { DepositAddress } from "@daric/sdk/contract";
import { z } from "zod";
import { paymentShape, transferShape, viewPayment, viewTransfer } from "./payment-view.ts";
import { defineTool } from "./tool.ts";

const MAX_PAYMENTS = 10;

/** The ways to name a payment. */
export const paymentName = z.strictObject({
  orderRef: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe("The merchant's own reference of the order, exactly"),
  id: z.uuid().optional().describe("The id of a payment (deposit address) or of a deposit"),
  transaction: z
    .string()
    .min(64)
    .max(300)
    .optional()
    .describe("The id of a transaction on TRON (64 hex characters), or an explorer's link with it"),
});
type PaymentName = z.infer<typeof paymentName>;

/**
 * The rows of a payment's name, newest first, and how many there are.
 *
 * @throws Error unless exactly one of the three is given; DaricError if the service refuses or cannot be reached.
 */
export async function paymentsNamed(
  daric: Daric,
  { orderRef, id, transaction }: PaymentName,
  options: { readonly signal: AbortSignal },
): Promise<{ readonly rows: readonly DepositAddress[]; readonly total: number }> {
  if ([orderRef, id, transaction].filter((given) => given !== undefined).length !== 1)
    throw new Error("Give exactly one of orderRef, id and transaction.");
  if (orderRef !== undefined) {
    const query = { orderRef, limit: MAX_PAYMENTS };
    const orders = await daric.depositAddresses.list({ ...query, kind: "order" }, options);
    const { data, meta } =
      orders.data.length > 0 ? orders : await daric.depositAddresses.list(query, options);
    return { rows: data, total: meta.total };
  }
  if (id !== undefined) return { rows: [await retrieveEither(daric, id, options)], total: 1 };
  const { data } = await daric.deposits.lookup(String(transaction), options);
  const ids = [...new Set(data.map(({ deposit_address: { id: paid } }) => paid))];
  const rows = ids.slice(0, MAX_PAYMENTS).map((paid) => daric.depositAddresses.retrieve(paid, options));
  return { rows: await Promise.all(rows), total: ids.length };
}

/** The id of a deposit leads to the payment that it paid. */
async function retrieveEither(
  daric: Daric,
  id: string,
  options: { readonly signal: AbortSignal },
): Promise<DepositAddress> {
  try {
    return await daric.depositAddresses.retrieve(id, options);
  } catch (error) {
    if (!(error instanceof DaricError && error.code === "NOT_FOUND")) throw error;
    const { deposit_address_id: paid } = await daric.deposits.retrieve(id, options);
    return daric.depositAddresses.retrieve(paid, options);
  }
}

/** The newest transfers of a payment, at most 20. */
export const MAX_TRANSFERS = 20;

export const findPaymentTool = defineTool({
  name: "find_payment",
  title: "Find a payment",
  description:
    "Finds orders and addresses by the merchant's reference, by an id, or by a transaction, with their transfers. An unknown transaction or reference gives an empty list.",
  needs: ["charges:read", "deposits:read"],
  input: paymentName,
  output: z.object({
    total: z.int().describe("How many there are; at most 10 are listed, the newest first"),
    payments: z.array(paymentShape.extend({ transfers: z.array(transferShape) })),
  }),
  run: async ({ daric, showsPayerTexts }, input, options) => {
    const { rows, total } = await paymentsNamed(daric, input, options);
    const payments = rows.map(async (row) => {
      const query = { depositAddressId: row.id, limit: MAX_TRANSFERS };
      const { data } = await daric.deposits.list(query, options);
      return { ...viewPayment(row, { showsPayerTexts }), transfers: data.map(viewTransfer) };
    });
    return { total, payments: await Promise.all(payments) };
  },
});
