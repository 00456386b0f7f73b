import type { EndpointId, MerchantId } from "@daric/domain/ids";
import type { WebhookError } from "@daric/domain/webhook-delivery";
import { joinedOf, oneOf, type Queryable, sql } from "@daric/postgres/sql";
import { byMerchantLists } from "@daric/runtime/fair-rounds";

/** An endpoint whose oldest due delivery waits longest. */
export type WorstEndpoint = {
  readonly merchantId: MerchantId;
  readonly endpointId: EndpointId;
  readonly dueAt: Date;
  readonly waitingSeconds: number;
  readonly url: string;
  /** of its newest failed delivery; null if none waits */
  readonly lastError: WebhookError | null;
  readonly lastStatusCode: number | null;
};

const MAX_ENDPOINTS = 20;

/** The endpoints of all merchants with due deliveries, those that wait longest first. */
export async function listWorstEndpoints(db: Queryable): Promise<WorstEndpoint[]> {
  const due = await db.query<
    Pick<WorstEndpoint, "merchantId" | "endpointId" | "dueAt" | "waitingSeconds">
  >(sql`
    select merchant_id as "merchantId", endpoint_id as "endpointId", due_at as "dueAt",
      extract(epoch from now() - due_at)::float8 as "waitingSeconds"
    from endpoint_queue where due_at < now() order by due_at limit ${MAX_ENDPOINTS}`);
  const facts = await byMerchantLists(due, (list) => {
    const merchantIds = list.map(({ merchantId }) => merchantId);
    return db.query<Pick<WorstEndpoint, "endpointId" | "url" | "lastError" | "lastStatusCode">>(sql`
      select endpoint.id as "endpointId", endpoint.url, failed.last_error as "lastError",
        failed.last_status_code as "lastStatusCode"
      from webhook_endpoints endpoint
      left join lateral (
        select last_error, last_status_code from webhook_deliveries
        where ${joinedOf(sql`merchant_id`, merchantIds)} and merchant_id = endpoint.merchant_id
          and endpoint_id = endpoint.id and status = 'FAILED'
        order by next_attempt_at desc limit 1
      ) failed on true
      where endpoint.merchant_id ${oneOf(merchantIds)}
        and endpoint.id = any(${list.map(({ endpointId }) => endpointId)}::uuid[])`);
  });
  const factsOf = new Map(facts.map((row) => [row.endpointId, row]));
  return due.flatMap((row) => {
    const known = factsOf.get(row.endpointId);
    return known === undefined ? [] : [{ ...row, ...known }];
  });
}
