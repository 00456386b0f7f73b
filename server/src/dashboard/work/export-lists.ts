import { listCharges } from "../../charges/charge.ts";
import { toChargeRow } from "../../charges/schema.ts";
import { listDeposits } from "../../deposits/list-store.ts";
import { toDepositRow } from "../../deposits/schema.ts";
import type { Environment } from "../../domain/api-scope.ts";
import type { MerchantId } from "../../domain/ids.ts";
import { listAuditOfMerchant } from "../../runtime/audit-store.ts";
import { listSettlements } from "../../settlement/list-store.ts";
import { toSettlementRow } from "../../settlement/schema.ts";
import { listDeliveries } from "../../webhooks/deliveries/delivery-log-store.ts";
import { toDeliveryRow } from "../../webhooks/deliveries/schema.ts";
import { toAuditRow } from "../audit/routes.ts";
import type { ReadPart } from "./export.ts";
import { findChargeAfter } from "./export-store.ts";
import { madeAt, readWhole, wholeColumns } from "./whole-lists.ts";

const PART = 500;

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
  ...wholeColumns,
  audit: ["id", "at", "actor", "action", "subject", "before", "after", "reason", "address"],
} as const;

export type ExportedList = keyof typeof exportColumns;
export const exportedLists = Object.keys(exportColumns) as ExportedList[];

/** What an export holds: rows made from `from` on and before `to`. */
type Range = { readonly from?: Date | undefined; readonly to?: Date | undefined };
type Place = { readonly merchantId: MerchantId; readonly environment: Environment };

/** Reads a list of the merchant a part at a time, newest first. The list begins and ends near the range, whatever its history. */
export function readPartsOf(list: ExportedList, place: Place, range: Range): ReadPart {
  const { merchantId } = place;
  const page = <Id>(after: Id | undefined) => ({ limit: PART, offset: 0, after });
  switch (list) {
    case "payments":
      return async (db, after) => {
        const start = after ?? (range.to && (await findChargeAfter(db, merchantId, range.to)));
        const { rows } = await listCharges(db, { merchantId }, page(start as never));
        const shown = within(range, rows, ({ createdAt }) => createdAt).map((row) =>
          toChargeRow(row, { publicBaseUrl: undefined, withPaymentStatus: true }),
        );
        return { rows: shown.map((row) => chosen(row, exportColumns.payments)), next: nextOf(rows, range) };
      };
    case "deposits":
      return async (db, after) => {
        const { rows } = await listDeposits(db, { merchantId, ...range }, page(after as never));
        const shown = rows.map((row) => chosen(toDepositRow(row), exportColumns.deposits));
        return { rows: shown, next: nextOf(rows, range) };
      };
    case "deliveries":
      return async (db, after) => {
        const filter = { merchantId, status: undefined, referenceId: undefined };
        const { rows } = await listDeliveries(db, filter, page(after as never));
        const shown = within(range, rows, ({ createdAt }) => createdAt);
        const made = shown.map((row) => chosen(toDeliveryRow(row), exportColumns.deliveries));
        return { rows: made, next: nextOf(rows, range) };
      };
    case "settlements":
      return async (db, after) => {
        const { rows } = await listSettlements(db, { merchantId }, page(after as never));
        const shown = within(range, rows, ({ createdAt }) => createdAt).map(toSettlementRow);
        return {
          rows: shown.map((row) => chosen(row, exportColumns.settlements)),
          next: nextOf(rows, range),
        };
      };
    case "keys":
    case "wallets":
    case "people":
      return async (db) => {
        const rows = within(range, await readWhole(db, list, place), madeAt);
        return { rows: rows.map((row) => chosen(row, exportColumns[list])), next: undefined };
      };
    case "audit":
      return async (db, after) => {
        const question = {
          merchantId,
          ...range,
          after: after === undefined ? null : BigInt(after),
          limit: PART,
        };
        const rows = await listAuditOfMerchant(db, question);
        const shown = rows.map((row) => chosen(toAuditRow(row), exportColumns.audit));
        return { rows: shown, next: nextOf(rows, range) };
      };
  }
}

function within<Row>({ from, to }: Range, rows: readonly Row[], timeOf: (row: Row) => Date): Row[] {
  return rows.filter(
    (row) => (to === undefined || timeOf(row) < to) && (from === undefined || timeOf(row) >= from),
  );
}

type Listed = { readonly id: string | bigint; readonly createdAt?: Date };

/** Where the next part begins; undefined past the end of the list or the beginning of the range. */
function nextOf(rows: readonly Listed[], { from }: Range): string | undefined {
  const last = rows.at(-1);
  if (last === undefined || rows.length < PART) return undefined;
  const isBefore = from !== undefined && last.createdAt !== undefined && last.createdAt < from;
  return isBefore ? undefined : String(last.id);
}

function chosen(row: object, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((name) => [name, (row as Record<string, unknown>)[name] ?? null]));
}
