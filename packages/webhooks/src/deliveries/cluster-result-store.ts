import { deliveryMachine } from "@daric/domain/webhook-delivery";
import { type Database, jsonRows, one, replanned, sql } from "@daric/postgres/sql";
import { counted } from "@daric/totals/list-store";
import { healthAfter } from "../queue/health-store.ts";
import { countedAttempts } from "./attempt-count-store.ts";
import { movesFrom } from "./delivery-store.ts";
import {
  type AttemptResult,
  changedBy,
  type FailingEndpoint,
  heldAfter,
  insertedAttempts,
  type Recorded,
} from "./result-rows-store.ts";

/** The columns of `changedBy` that its other statements read. */
const columns = sql`
  merchant_id uuid, id uuid, endpoint_id uuid, event_type text, was_resent boolean, status text, attempt_count integer,
  status_code integer, snippet text, error text, is_uncounted boolean, paused_until timestamptz, duration_ms integer,
  attempted_at timestamptz, url text, signatures bytea, response_headers text`;

/** A row of `healthAfter`. */
type Noted = {
  readonly merchant_id: FailingEndpoint["merchantId"];
  readonly endpoint_id: FailingEndpoint["endpointId"];
  readonly must_wait: boolean;
  readonly is_hopeless: boolean;
};

/**
 * Records results as `saveStatement` does, on a distributed database. An insert that reads a CTE asks every server there, so each insert is a
 * statement of its own. All write to the server of these merchants, which commits alone.
 */
export async function saveOnServer(
  db: Pick<Database, "transaction">,
  results: readonly AttemptResult[],
): Promise<{ recorded: readonly Recorded[]; failing: readonly FailingEndpoint[] }> {
  const merchantIds = results.map(({ claim }) => claim.merchantId);
  return db.transaction(async (tx) => {
    const { rows } = one(
      await tx.query<{ rows: string }>(
        replanned(sql`
          with ${changedBy(results)} ${heldAfter(results)}
          select coalesce(jsonb_agg(to_jsonb(delivery)), '[]')::text as rows from delivery`),
      ),
    );
    const changed = JSON.parse(rows) as { id: Recorded["deliveryId"]; status: Recorded["status"] }[];
    const recorded = changed.map(({ id, status }) => ({ deliveryId: id, status }));
    if (recorded.length === 0) return { recorded, failing: [] };
    const delivery = jsonRows(rows, columns);
    const before = deliveryMachine.edge("claimed").to;
    await tx.query(counted("webhook_deliveries", movesFrom(sql`${before}::text`, delivery)));
    const health = await tx.query<Noted>(healthAfter(merchantIds, delivery));
    await tx.query(countedAttempts(delivery));
    await tx.query(insertedAttempts(delivery));
    return {
      recorded,
      failing: health.filter((endpoint) => endpoint.must_wait || endpoint.is_hopeless).map(toFailing),
    };
  });
}

function toFailing({ merchant_id, endpoint_id, must_wait, is_hopeless }: Noted): FailingEndpoint {
  return { merchantId: merchant_id, endpointId: endpoint_id, mustWait: must_wait, isHopeless: is_hopeless };
}
