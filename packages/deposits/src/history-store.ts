import type { DepositEvent, DepositStatus } from "@daric/domain/deposit";
import type { DepositId, MerchantId } from "@daric/domain/ids";
import type { Amount } from "@daric/domain/money";
import { type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { isSharded } from "@daric/postgres/tenants";

type Scope = { readonly epoch: bigint };
/** A move along an edge; `previousStatus` is null for a new deposit. */
type Step = DepositEvent | "detected";
type Moved = {
  readonly merchantId: MerchantId;
  readonly id: DepositId;
  readonly previousStatus: DepositStatus | null;
  readonly status: DepositStatus;
  readonly blockNumber: number;
  readonly blockId: string;
  readonly amount: Amount;
};

const columns = sql`
  merchant_id, deposit_id, event, from_status, to_status, block_number, block_id, units, leader_epoch`;

/** The text of a CTE that writes the history of moved deposits. `rows` is a query of its columns, up to `units`, without the event. */
export function logged(event: Step, { epoch }: Scope, rows: Sql): Sql {
  // A sharded engine numbers rows on the coordinator, so it would send those of a CTE there by way of every server.
  if (isSharded()) return sql`select 1`;
  return sql`
    insert into deposit_events (${columns})
    select merchant_id, deposit_id, ${event}, from_status, to_status, block_number, block_id, units, ${epoch} from (${rows}) moved`;
}

/** Writes what {@link logged} leaves out. Call it in the transaction of the move. */
export async function logMoves(
  tx: Transaction,
  { epoch }: Scope,
  { event, moved }: { readonly event: Step; readonly moved: readonly Moved[] },
): Promise<void> {
  if (!isSharded() || moved.length === 0) return;
  await tx.query(sql`
    insert into deposit_events (${columns})
    select merchant_id, id, ${event}, from_status, to_status, block_number, block_id, units, ${epoch}
    from unnest(
      ${moved.map(({ merchantId }) => merchantId)}::uuid[], ${moved.map(({ id }) => id)}::uuid[],
      ${moved.map(({ previousStatus }) => previousStatus)}::text[], ${moved.map(({ status }) => status)}::text[],
      ${moved.map(({ blockNumber }) => blockNumber)}::bigint[], ${moved.map(({ blockId }) => blockId)}::text[],
      ${moved.map(({ amount }) => amount)}::bigint[]
    ) as moved (merchant_id, id, from_status, to_status, block_number, block_id, units)`);
}
