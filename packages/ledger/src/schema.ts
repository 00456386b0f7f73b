import { currencies } from "@daric/domain/asset";
import { type MerchantBalance, waitingReasons } from "@daric/domain/merchant-balance";
import { formatAmount } from "@daric/domain/money";
import { type StatementBalance, type StatementEntry, statementKinds } from "@daric/domain/statement";
import { pageQuery } from "@daric/http/pagination";
import { amountText, bom, csvMarks, text, timestamp } from "@daric/http/validate";
import { z } from "zod";
import { MONTH_PATTERN, MONTH_RULE } from "./month.ts";
import type { MerchantStatement } from "./read-statement.ts";

const MAX_LANGUAGE = 64;
/** An amount that may be negative. */
const signedAmount = z.string().meta({ pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$" });

export const statementQuery = pageQuery.extend({
  month: z
    .string()
    .regex(MONTH_PATTERN, MONTH_RULE)
    .meta({ format: "month", examples: ["2026-11"] }),
  format: z.enum(["json", "csv", "xlsx", "pdf"]).optional(),
  language: text(MAX_LANGUAGE)
    .optional()
    .meta({ description: "The language of the PDF.", examples: ["pt-BR"] }),
  bom,
  ...csvMarks,
});

export const balanceRow = z
  .object({
    currency: z.enum(currencies),
    confirmed: amountText,
    fees: amountText,
    settled: amountText,
    in_flight: amountText,
    waiting: signedAmount,
    waiting_for: z.array(z.object({ reason: z.enum(waitingReasons), amount: amountText })),
  })
  .meta({ id: "Balance", description: "Your money in one currency, and where it is." });

export function toBalanceRow(balance: MerchantBalance): z.input<typeof balanceRow> {
  return {
    currency: balance.currency,
    confirmed: formatAmount(balance.confirmed),
    fees: formatAmount(balance.fees),
    settled: formatAmount(balance.settled),
    in_flight: formatAmount(balance.inFlight),
    waiting: formatAmount(balance.waiting),
    waiting_for: balance.waitingFor.map(({ reason, amount }) => ({ reason, amount: formatAmount(amount) })),
  };
}

const statementBalanceRow = z
  .object({
    currency: z.enum(currencies),
    opening: signedAmount,
    confirmed: amountText,
    fees: amountText,
    settled: amountText,
    closing: signedAmount,
  })
  .meta({ id: "StatementBalance", description: "A month in one currency." });

const statementEntryRow = z
  .object({
    booked_at: timestamp,
    kind: z.enum(statementKinds),
    currency: z.enum(currencies),
    amount: signedAmount,
    deposit_address_id: z.string().meta({ format: "uuid" }),
    order_ref: z.string().nullable(),
    deposit_id: z.string().meta({ format: "uuid" }).nullable(),
    tx_hash: z.string().nullable(),
  })
  .meta({ id: "StatementEntry", description: "One change of what you are owed." });

export const statementRow = z
  .object({
    month: z.string(),
    time_zone: z.string(),
    from: timestamp,
    to: timestamp,
    is_closed: z.boolean(),
    balances: z.array(statementBalanceRow),
    entry_count: z.int(),
    entries: z.array(statementEntryRow),
  })
  .meta({
    id: "Statement",
    description: "A calendar month of your time zone: balances that foot, and a page of entries.",
  });

export function toStatementRow(
  statement: MerchantStatement & { readonly entries: readonly StatementEntry[] },
): z.input<typeof statementRow> {
  return {
    month: statement.month,
    time_zone: statement.timeZone,
    from: statement.from.toISOString(),
    to: statement.to.toISOString(),
    is_closed: statement.isClosed,
    balances: statement.balances.map(toStatementBalanceRow),
    entry_count: statement.entryCount,
    entries: statement.entries.map(toStatementEntryRow),
  };
}

function toStatementBalanceRow(balance: StatementBalance): z.input<typeof statementBalanceRow> {
  return {
    currency: balance.currency,
    opening: formatAmount(balance.opening),
    confirmed: formatAmount(balance.confirmed),
    fees: formatAmount(balance.fees),
    settled: formatAmount(balance.settled),
    closing: formatAmount(balance.closing),
  };
}

export function toStatementEntryRow(entry: StatementEntry): z.input<typeof statementEntryRow> {
  return {
    booked_at: entry.bookedAt.toISOString(),
    kind: entry.kind,
    currency: entry.currency,
    amount: formatAmount(entry.amount),
    deposit_address_id: entry.chargeId,
    order_ref: entry.orderRef,
    deposit_id: entry.depositId,
    tx_hash: entry.txHash,
  };
}
