import { type Queryable, sql } from "@daric/postgres/sql";
import type { EndpointId, MerchantId } from "../../domain/ids.ts";

/** An endpoint whose oldest due delivery waits longest. */
export type WorstEndpoint = {
  readonly merchantId: MerchantId;
  readonly endpointId: EndpointId;
  readonly dueAt: Date;
  readonly waitingSeconds: number;
};

const MOST = 20;

/** The endpoints of all merchants with due deliveries, those that wait longest first. */
export async function listWorstEndpoints(db: Queryable): Promise<WorstEndpoint[]> {
  return db.query<WorstEndpoint>(sql`
    select merchant_id as "merchantId", endpoint_id as "endpointId", due_at as "dueAt",
      extract(epoch from now() - due_at)::float8 as "waitingSeconds"
    from endpoint_queue where due_at < now() order by due_at limit ${MOST}`);
}
