import { toChargeRow } from "@daric/charges/api/row/schema";
import type { AcceptingContext } from "@daric/charges/context";
import { listPayments } from "@daric/charges/list-charges";
import { listDeposits } from "@daric/deposits/list-store";
import { toDepositRow } from "@daric/deposits/schema";
import { valueDeposits } from "@daric/deposits/value-deposits";
import { chargeStateOf, chargeStates } from "@daric/domain/charge-state";
import type { MerchantId } from "@daric/domain/ids";
import { zero } from "@daric/domain/money";
import type { Queryable } from "@daric/postgres/sql";
import { isRefundOurs } from "@daric/refunds/refund";
import { toRefundRow } from "@daric/refunds/schema";
import { listRefunds, sumRefunded } from "@daric/refunds/store";
import { listAuditOfMerchant } from "@daric/runtime/audit-store";
import { listSettlements } from "@daric/settlement/api/list-store";
import { toSettlementRow } from "@daric/settlement/api/schema";
import { listDeliveries } from "@daric/webhooks/deliveries/delivery-log-store";
import { toDeliveryRow } from "@daric/webhooks/deliveries/schema";
import { listEndpoints } from "@daric/webhooks/endpoints/endpoint-store";
import { listEvents } from "@daric/webhooks/events/list-events";
import { toFeedEvent } from "@daric/webhooks/events/schema";
import { toEndpointRow } from "@daric/webhooks/schema";
import { toWalletRequestRow } from "../account/schema.ts";
import { listWalletRequests } from "../account/wallet-request-store.ts";
import { toAuditRow } from "../audit/routes.ts";
import { PART, type ReadPart } from "./export.ts";
import { madeAt, readWhole, type WholeList, wholeColumns } from "./whole-lists.ts";

/** The lists that can be exported, with their columns. Addresses are left out: the chain's own id is `tx_hash`. */
export const exportColumns = {
  payments: [
    "id",
    "created_at",
    "kind",
    "order_ref",
    "customer_ref",
    "label",
    "currency",
    "status",
    "payment_status",
    "payment_state",
    "expected_amount",
    "pay_amount",
    "amount_received",
    "fiat_currency",
    "fiat_amount",
    "quote_rate",
    "fee_mode",
    "accepted_at",
    "accept_reason",
    "expires_at",
    "metadata",
    "state",
    "payment_link_id",
    "payer_ref",
    "refunded_amount",
  ],
  refunds: [
    "id",
    "created_at",
    "deposit_address_id",
    "order_ref",
    "refund_ref",
    "currency",
    "amount",
    "fiat_amount",
    "paid_amount",
    "status",
    "needs_confirmation",
    "address",
    "tx_hash",
    "reason",
    "ready_at",
    "sent_at",
    "completed_at",
    "canceled_at",
  ],
  deposits: [
    "id",
    "created_at",
    "deposit_address_id",
    "order_ref",
    "currency",
    "amount",
    "status",
    "tx_hash",
    "from_address",
    "block_number",
    "block_time",
    "confirmed_at",
    "late",
    "unmatched",
  ],
  deliveries: [
    "id",
    "created_at",
    "event_id",
    "event_type",
    "endpoint_id",
    "reference_id",
    "status",
    "attempt_count",
    "last_status_code",
    "last_error",
    "next_attempt_at",
    "updated_at",
    "order_ref",
    "deposit_address_id",
    "endpoint_url",
  ],
  settlements: [
    "id",
    "created_at",
    "status",
    "currency",
    "amount",
    "fees_paid",
    "network_cost",
    "sweep_count",
    "settlement_account_id",
    "address",
    "failure_reason",
    "ended_at",
  ],
  events: ["id", "created_at", "event", "sequence", "data"],
  endpoints: ["id", "created_at", "url", "description", "event_types", "status", "updated_at"],
  wallets: ["id", "created_at", "address", "label", "requested_by", "status", "withdrawn_at"],
  ...wholeColumns,
  audit: ["id", "at", "actor", "action", "subject", "before", "after", "reason", "address"],
} as const;

export type ExportedList = keyof typeof exportColumns;
export const exportedLists = Object.keys(exportColumns) as ExportedList[];

/** The range of an export: rows made from `from` on and before `to`. */
type Range = { readonly from?: Date | undefined; readonly to?: Date | undefined };
type ListSource = { readonly merchantId: MerchantId; readonly config: AcceptingContext["config"] };
type PartRequest = ListSource & { readonly range: Range; readonly after: string | undefined };
/** A part of a list: where the next one begins follows from what was read, unless it is given. */
type Part = {
  readonly read: readonly Listed[];
  readonly shown: readonly object[];
  readonly next?: string | undefined;
};
type Reader = (db: Queryable, request: PartRequest) => Promise<Part>;

const page = <Id>(after: Id | undefined) => ({ limit: PART, offset: 0, after });

/** The lists that grow with the merchant's business, a part at a time. */
const readers: Readonly<Record<Exclude<ExportedList, WholeList>, Reader>> = {
  async payments(db, { merchantId, range, after }) {
    const { rows: read } = await listPayments(db, { merchantId, ...range }, page(after as never));
    const refunded = await sumRefunded(db, read);
    const hidden = { publicBaseUrl: undefined, withPaymentStatus: true, masterKeys: [] };
    const shown = read.map((row) => ({
      ...toChargeRow(row, { ...hidden, refunded: refunded.get(row.id) ?? zero }),
      state: chargeStates[chargeStateOf(row)].shown,
    }));
    return { read, shown };
  },
  async deposits(db, { merchantId, range, after }) {
    const { rows: read } = await listDeposits(db, { merchantId, ...range }, page(after as never));
    return { read, shown: (await valueDeposits(db, read)).map(toDepositRow) };
  },
  async deliveries(db, { merchantId, range, after }) {
    const filter = { merchantId, status: undefined, referenceId: undefined };
    const { rows: read } = await listDeliveries(db, filter, page(after as never));
    return { read, shown: within(range, read).map(toDeliveryRow) };
  },
  async refunds(db, { merchantId, config, range, after }) {
    const { rows } = await listRefunds(db, { merchantId }, page(after as never));
    const read = rows.map((refund) => ({ ...refund, createdAt: refund.requestedAt }));
    const context = { config: { ...config, http: { publicBaseUrl: undefined } } };
    const shown = within(range, read)
      .filter((refund) => isRefundOurs(context, refund))
      .map((refund) => {
        const row = toRefundRow(context, refund, { withClaim: false });
        return { ...row, created_at: row.requested_at };
      });
    return { read, shown };
  },
  async settlements(db, { merchantId, range, after }) {
    const { rows: read } = await listSettlements(db, { merchantId }, page(after as never));
    return { read, shown: within(range, read).map(toSettlementRow) };
  },
  // In the order of the feed, which is the oldest first.
  async events(db, { merchantId, config, range, after }) {
    const wanted = { merchantId, types: undefined, limit: PART, after: after as never };
    const { events: read, next, hasMore } = await listEvents({ config, db }, wanted);
    const shown = within(range, read).map((event) => {
      const row = toFeedEvent(event, config.environment);
      return { ...row, created_at: row.createdAt };
    });
    const last = read.at(-1)?.createdAt;
    const isPast = range.to !== undefined && last !== undefined && last >= range.to;
    return { read: [], shown, next: hasMore && !isPast ? next : undefined };
  },
  async endpoints(db, { merchantId, range, after }) {
    const filter = { merchantId, isActive: undefined };
    const { rows: read } = await listEndpoints(db, filter, page(after as never));
    return { read, shown: within(range, read).map(toEndpointRow) };
  },
  async wallets(db, { merchantId, range, after }) {
    const read = await listWalletRequests(db, merchantId, { limit: PART, after: after as never });
    return { read, shown: within(range, read).map(toWalletRequestRow) };
  },
  async audit(db, { merchantId, range, after }) {
    const start = after === undefined ? null : BigInt(after);
    const read = await listAuditOfMerchant(db, { merchantId, ...range, after: start, limit: PART });
    return { read, shown: read.map(toAuditRow) };
  },
};

/**
 * Reads a list of the merchant a part at a time. A list with its newest rows first reads little outside the range, however long its
 * history is.
 */
export function readPartsOf(list: ExportedList, source: ListSource, range: Range): ReadPart {
  const columns = exportColumns[list];
  return async (db, after) => {
    if (isWhole(list)) {
      const { merchantId, config } = source;
      const rows = await readWhole(db, list, { merchantId, environment: config.environment });
      return {
        rows: rows.filter((row) => isWithin(range, madeAt(row))).map((row) => pickColumns(row, columns)),
        next: undefined,
      };
    }
    const part = await readers[list](db, { ...source, range, after });
    const next = "next" in part ? part.next : nextOf(part.read, range);
    return { rows: part.shown.map((row) => pickColumns(row, columns)), next };
  };
}

function isWhole(list: ExportedList): list is WholeList {
  return list in wholeColumns;
}

function within<Row extends { readonly createdAt: Date }>(range: Range, rows: readonly Row[]): Row[] {
  return rows.filter(({ createdAt }) => isWithin(range, createdAt));
}

function isWithin({ from, to }: Range, time: Date): boolean {
  return (to === undefined || time < to) && (from === undefined || time >= from);
}

/** The most that the order of ids differs from that of times: an id is made after its transaction began, by another clock. */
const OUT_OF_ORDER_MS = 3_600_000;

type Listed = { readonly id: string | bigint; readonly createdAt?: Date };

/** Where the next part begins; undefined past the end of the list or the beginning of the range. */
function nextOf(rows: readonly Listed[], { from }: Range): string | undefined {
  const last = rows.at(-1);
  if (last === undefined || rows.length < PART) return undefined;
  const isBefore =
    from !== undefined &&
    last.createdAt !== undefined &&
    Number(last.createdAt) < Number(from) - OUT_OF_ORDER_MS;
  return isBefore ? undefined : String(last.id);
}

/** The exported fields of a row, in the order of their columns. */
export function pickColumns(row: object, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((name) => [name, (row as Record<string, unknown>)[name] ?? null]));
}
