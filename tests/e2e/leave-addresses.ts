import { sealCustomerEmail } from "@daric/charges/customer-email";
import type { MerchantId } from "@daric/domain/ids";
import { type Queryable, sql } from "@daric/postgres/sql";
import type { Stack } from "@daric/testing/stack";

const HOME = "home.example";

/** The address of an order's payer, who has no other order. */
export function payerOf(orderId: string): string {
  return `${orderId}@${HOME}`;
}

export function isPayer(address: string): boolean {
  return address.endsWith(`@${HOME}`);
}

/** Gives each order of a merchant that has none the address of its payer. */
export async function leaveAddresses(
  { variables }: Pick<Stack, "variables">,
  db: Queryable,
  merchantId: string,
): Promise<void> {
  const masterKey = Buffer.from(variables.DARIC_MASTER_KEY ?? "", "hex");
  const orders = await db.query<{ id: string; merchantId: MerchantId; checkoutToken: string }>(sql`
    select id, merchant_id as "merchantId", checkout_token as "checkoutToken" from deposit_addresses
    where merchant_id = ${merchantId} and kind = 'order' and customer_email is null`);
  for (const order of orders) {
    const email = { email: payerOf(order.id), source: "api", language: null, later: null } as const;
    await db.query(sql`
      update deposit_addresses set customer_email = ${sealCustomerEmail(masterKey, order, email)}
      where merchant_id = ${merchantId} and id = ${order.id}`);
  }
}
