import { toChargeRow } from "@daric/charges/api/row/schema";
import { listPayments } from "@daric/charges/list-charges";
import type { BrowsedFilter } from "@daric/charges/list-filter-store";
import { listDeposits } from "@daric/deposits/list-store";
import { toDepositRow } from "@daric/deposits/schema";
import { valueDeposits } from "@daric/deposits/value-deposits";
import { chargeStateOf, chargeStates } from "@daric/domain/charge-state";
import { zero } from "@daric/domain/money";
import { isRefundOurs } from "@daric/refunds/refund";
import { toRefundRow } from "@daric/refunds/schema";
import { listRefunds, type RefundFilter, sumRefunded } from "@daric/refunds/store";
import { listSettlements, type SettlementFilter } from "@daric/settlement/api/list-store";
import { toSettlementRow } from "@daric/settlement/api/schema";
import { listDeliveries } from "@daric/webhooks/deliveries/delivery-log-store";
import { toDeliveryRow } from "@daric/webhooks/deliveries/schema";
import { listEndpoints } from "@daric/webhooks/endpoints/endpoint-store";
import { listEvents } from "@daric/webhooks/events/list-events";
import { toFeedEvent } from "@daric/webhooks/events/schema";
import { toEndpointRow } from "@daric/webhooks/schema";
import { PART } from "../files/export.ts";
import { findPaymentValues, findRefundedValues, findSettledValues } from "./add-values.ts";
import { openFeeList, openJournalList } from "./book-lists.ts";
import { exportColumns } from "./columns.ts";
import { type ExportList, newestFirst, page, pickColumns, type RowRange, within } from "./list-parts.ts";

/** The filters of each list: those of its page. */
export type ListFilters = {
  readonly payments: Omit<BrowsedFilter, "merchantId">;
  readonly refunds: RowRange & Omit<RefundFilter, "merchantId">;
  readonly settlements: RowRange & Omit<SettlementFilter, "merchantId">;
  readonly fees: RowRange;
  readonly journal: RowRange;
  readonly deposits: RowRange;
  readonly deliveries: RowRange;
  readonly events: RowRange;
  readonly endpoints: RowRange;
};

/** The lists of a merchant's business, and what each file of them holds. */
export const exportLists: { readonly [List in keyof ListFilters]: ExportList<ListFilters[List]> } = {
  payments: {
    scope: "charges:read",
    columns: exportColumns.payments,
    open:
      ({ merchantId }, filter) =>
      async (db, after) => {
        const { rows, next } = await listPayments(db, { merchantId, ...filter }, page(after as never));
        const refunded = await sumRefunded(db, rows);
        const valuesOf = await findPaymentValues(db, merchantId, rows);
        const hidden = { publicBaseUrl: undefined, withPaymentStatus: true, masterKeys: [] };
        const shown = rows.map((row) => ({
          ...toChargeRow(row, { ...hidden, refunded: refunded.get(row.id) ?? zero }),
          state: chargeStates[chargeStateOf(row)].shown,
          ...valuesOf(row),
        }));
        return { rows: shown.map((row) => pickColumns(row, exportColumns.payments)), next };
      },
  },
  deposits: {
    scope: "deposits:read",
    columns: exportColumns.deposits,
    open: ({ merchantId }, range) =>
      newestFirst(exportColumns.deposits, range, async (db, after) => {
        const { rows: read } = await listDeposits(db, { merchantId, ...range }, page(after as never));
        return { read, shown: (await valueDeposits(db, read)).map(toDepositRow) };
      }),
  },
  deliveries: {
    scope: "webhooks:read",
    columns: exportColumns.deliveries,
    open: ({ merchantId }, range) =>
      newestFirst(exportColumns.deliveries, range, async (db, after) => {
        const filter = { merchantId, status: undefined, referenceId: undefined };
        const { rows: read } = await listDeliveries(db, filter, page(after as never));
        return { read, shown: within(range, read).map(toDeliveryRow) };
      }),
  },
  refunds: {
    scope: "refunds:read",
    columns: exportColumns.refunds,
    open: ({ merchantId, config }, { from, to, ...filter }) =>
      newestFirst(exportColumns.refunds, { from, to }, async (db, after) => {
        const { rows } = await listRefunds(db, { merchantId, ...filter }, page(after as never));
        const read = rows.map((refund) => ({ ...refund, createdAt: refund.requestedAt }));
        const context = { config: { ...config, http: { publicBaseUrl: undefined } } };
        const ours = within({ from, to }, read).filter((refund) => isRefundOurs(context, refund));
        const valuesOf = await findRefundedValues(
          db,
          merchantId,
          ours.map(({ id }) => id),
        );
        const shown = ours.map((refund) => {
          const row = toRefundRow(context, refund, { withClaim: false });
          return { ...row, created_at: row.requested_at, ...valuesOf(refund.id) };
        });
        return { read, shown };
      }),
  },
  settlements: {
    scope: "settlements:read",
    columns: exportColumns.settlements,
    open: ({ merchantId }, { from, to, ...filter }) =>
      newestFirst(exportColumns.settlements, { from, to }, async (db, after) => {
        const { rows: read } = await listSettlements(db, { merchantId, ...filter }, page(after as never));
        const ours = within({ from, to }, read);
        const valuesOf = await findSettledValues(
          db,
          merchantId,
          ours.map(({ id }) => id),
        );
        return { read, shown: ours.map((row) => ({ ...toSettlementRow(row), ...valuesOf(row.id) })) };
      }),
  },
  fees: { scope: "settlements:read", columns: exportColumns.fees, open: openFeeList },
  journal: { scope: "settlements:read", columns: exportColumns.journal, open: openJournalList },
  // In the order of the feed, which is the oldest first.
  events: {
    scope: "bodies:read",
    columns: exportColumns.events,
    open:
      ({ merchantId, config }, range) =>
      async (db, after) => {
        const wanted = { merchantId, types: undefined, limit: PART, after: after as never };
        const { events, next, hasMore } = await listEvents({ config, db }, wanted);
        const rows = within(range, events).map((event) => {
          const row = toFeedEvent(event, config.environment);
          return pickColumns({ ...row, created_at: row.createdAt }, exportColumns.events);
        });
        const last = events.at(-1)?.createdAt;
        const isPast = range.to !== undefined && last !== undefined && last >= range.to;
        return { rows, next: hasMore && !isPast ? next : undefined };
      },
  },
  endpoints: {
    scope: "webhooks:read",
    columns: exportColumns.endpoints,
    open: ({ merchantId }, range) =>
      newestFirst(exportColumns.endpoints, range, async (db, after) => {
        const filter = { merchantId, isActive: undefined };
        const { rows: read } = await listEndpoints(db, filter, page(after as never));
        return { read, shown: within(range, read).map(toEndpointRow) };
      }),
  },
};
