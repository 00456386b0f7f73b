import { listCharges } from "../../charges/charge.ts";
import { toChargeRow } from "../../charges/schema.ts";
import { listDeposits } from "../../deposits/list-store.ts";
import { toDepositRow } from "../../deposits/schema.ts";
import type { MerchantId } from "../../domain/ids.ts";
import { listAuditOfMerchant } from "../../runtime/audit-store.ts";
import { toAuditRow } from "../audit/routes.ts";
import type { ReadPart } from "./export.ts";

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
  audit: ["id", "at", "actor", "action", "subject", "before", "after", "reason", "address"],
} as const;

export type ExportedList = keyof typeof exportColumns;

/** Reads a list of the merchant a part at a time, newest first. */
export function readPartsOf(list: ExportedList, merchantId: MerchantId): ReadPart {
  const page = <Id>(after: Id | undefined) => ({ limit: PART, offset: 0, after });
  switch (list) {
    case "payments":
      return async (db, after) => {
        const { rows } = await listCharges(db, { merchantId }, page(after as never));
        const shown = rows.map((row) =>
          toChargeRow(row, { publicBaseUrl: undefined, withPaymentStatus: true }),
        );
        return { rows: shown.map((row) => chosen(row, exportColumns.payments)), next: nextOf(rows) };
      };
    case "deposits":
      return async (db, after) => {
        const { rows } = await listDeposits(db, { merchantId }, page(after as never));
        const shown = rows.map((row) => chosen(toDepositRow(row), exportColumns.deposits));
        return { rows: shown, next: nextOf(rows) };
      };
    case "audit":
      return async (db, after) => {
        const question = { merchantId, after: after === undefined ? null : BigInt(after), limit: PART };
        const rows = await listAuditOfMerchant(db, question);
        return { rows: rows.map((row) => chosen(toAuditRow(row), exportColumns.audit)), next: nextOf(rows) };
      };
  }
}

function nextOf(rows: readonly { readonly id: string | bigint }[]): string | undefined {
  return rows.length < PART ? undefined : String(rows.at(-1)?.id);
}

function chosen(row: object, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((name) => [name, (row as Record<string, unknown>)[name] ?? null]));
}
