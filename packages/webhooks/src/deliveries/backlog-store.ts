import { deliveryMachine } from "@daric/domain/webhook-delivery";
import { literals, one, type Queryable, sql } from "@daric/postgres/sql";
import { globally } from "@daric/runtime/global-statements";

/** The waiting deliveries of all merchants. */
export type Backlog = {
  readonly due: number;
  /** for how long the oldest has been due; 0 without one */
  readonly oldestDueSeconds: number;
  /** wait for a disabled or suspended endpoint, for the end of a pause, or for a new time since it was enabled */
  readonly parked: number;
  /** endpoints that get one attempt a minute until one succeeds */
  readonly suspendedEndpoints: number;
};

/** Deliveries counted per endpoint at most, which bounds the cost. */
const COUNTED = 10_000;

export async function findBacklog(db: Queryable): Promise<Backlog> {
  return one(
    await db.query<Backlog>(
      globally(
        "delivery-backlog",
        sql`
      select coalesce(sum(waiting.due), 0)::float8 as due, coalesce(sum(waiting.parked), 0)::float8 as parked,
        coalesce(extract(epoch from now() - min(waiting.oldest)), 0)::float8 as "oldestDueSeconds",
        count(*) filter (where endpoint.is_active and health.probe_at is not null)::integer as "suspendedEndpoints"
      from endpoint_queue queue
      join webhook_endpoints endpoint on endpoint.merchant_id = queue.merchant_id
        and endpoint.id = queue.endpoint_id and endpoint.deleted_at is null
      left join endpoint_health health on health.merchant_id = queue.merchant_id
        and health.endpoint_id = queue.endpoint_id
      cross join lateral (
        select count(*) filter (where is_parked) as parked, count(*) filter (where not is_parked) as due,
          min(next_attempt_at) filter (where not is_parked) as oldest
        from (
          select next_attempt_at, not endpoint.is_active or health.probe_at is not null
            or health.paused_until > now() is true or next_attempt_at <= endpoint.resumed_at as is_parked
          from webhook_deliveries
          where merchant_id = endpoint.merchant_id and endpoint_id = endpoint.id
            and status in (${literals(...deliveryMachine.edge("claimed").from)})
            and (next_attempt_at <= now() or not endpoint.is_active)
          order by next_attempt_at limit ${COUNTED}) oldest) waiting
      where queue.due_at < 'infinity'`,
      ),
    ),
  );
}
