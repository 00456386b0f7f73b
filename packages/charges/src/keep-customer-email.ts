import { ApiError } from "@daric/domain/errors";
import type { ChargeRef } from "@daric/domain/ids";
import { sealed as withMac } from "@daric/messages/announce";
import { insertMessages } from "@daric/messages/store";
import type { Database, Transaction } from "@daric/postgres/sql";
import { orderEventId } from "@daric/webhooks/events/enqueue-events";
import { sealKeysOf } from "@daric/webhooks/sending/seal-secret";
import { type CustomerEmail, openCustomerEmail, sealCustomerEmail } from "./customer-email.ts";
import { findFirstEvent, lockForEmail, saveCustomerEmail } from "./customer-email-store.ts";

type KeepingContext = {
  readonly db: Database;
  readonly config: {
    readonly integrity: { readonly key: Buffer };
    readonly webhooks: Parameters<typeof sealKeysOf>[0];
  };
};

/** An address that was typed on the payment page, and the language of that page. */
export type TypedEmail = { readonly email: string; readonly language: string };

/**
 * Keeps an address that was typed on the page of an order. The first address of an order counts; a later one is only noted, the newest
 * of them. With the first one the receipt of a paid or accepted order is due.
 *
 * @throws NOT_FOUND for a charge that is no order.
 */
export async function keepCustomerEmail(
  { db, config }: KeepingContext,
  ref: ChargeRef,
  { email, language }: TypedEmail,
): Promise<void> {
  const { masterKey } = config.webhooks;
  await db.transaction(async (tx) => {
    const order = await lockForEmail(tx, ref);
    if (order?.kind !== "order") throw new ApiError("NOT_FOUND");
    const place = { merchantId: ref.merchantId, checkoutToken: order.checkoutToken };
    const known = order.sealed && openCustomerEmail(sealKeysOf(config.webhooks), place, order.sealed);
    if (known?.email.toLowerCase() === email.toLowerCase()) return;
    const kept: CustomerEmail = known
      ? { ...known, later: email }
      : { email, source: "page", language, later: null };
    const sealed = sealCustomerEmail(masterKey, place, kept);
    await saveCustomerEmail(tx, ref, { sealed, isFirst: known === null });
    if (known === null) await tellReceipt({ config }, tx, ref);
  });
}

/** An order that was paid before anyone gave an address has its receipt now. */
async function tellReceipt(
  context: Pick<KeepingContext, "config">,
  tx: Transaction,
  { merchantId, id }: ChargeRef,
): Promise<void> {
  const causes = [orderEventId(id, "order.paid"), orderEventId(id, "order.accepted")];
  const cause = await findFirstEvent(tx, merchantId, causes);
  if (cause === undefined) return;
  const receiver = { of: "payer", chargeId: id } as const;
  const message = { merchantId, kind: "payer_paid", cause, receiver, createdAt: new Date() } as const;
  await insertMessages(tx, withMac(context, [message]));
}
