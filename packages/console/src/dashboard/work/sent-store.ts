import type { DeliveryId, MerchantId } from "@daric/domain/ids";
import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";

/** The request of an attempt made now: its URL and bytes. */
export type SentWebhook = {
  readonly url: string;
  /** null once it is not kept any more */
  readonly body: Buffer | null;
};

/** Undefined if the merchant has no such delivery. */
export async function findSent(
  db: Queryable,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: DeliveryId },
): Promise<SentWebhook | undefined> {
  return maybeOne(
    await db.query<SentWebhook>(sql`
      select endpoint.url, body.body
      from webhook_deliveries delivery
      join webhook_endpoints endpoint
        on endpoint.merchant_id = ${merchantId} and endpoint.id = delivery.endpoint_id
      left join webhook_event_bodies body
        on body.merchant_id = ${merchantId} and body.event_id = delivery.event_id
      where delivery.merchant_id = ${merchantId} and delivery.id = ${id}`),
  );
}
