import { z } from "zod";
import type { Charge } from "../../charges/charge.ts";
import { toChargeRow } from "../../charges/schema.ts";
import { currencies } from "../../domain/asset.ts";
import { chargeKinds, chargeStatuses } from "../../domain/charge.ts";
import { ruled } from "../../domain/field-rule.ts";
import { formatAmount } from "../../domain/money.ts";
import { orderPaymentStatuses, paymentStates } from "../../domain/order.ts";
import { amountText, text, timestamp } from "../../http/validate.ts";
import { type InboxRow, inboxReasons } from "./inbox.ts";
import { decisions, type PaymentNote } from "./payment-note-store.ts";
import type { StoryEntry } from "./story-store.ts";

const id = z.string().meta({ format: "uuid" });
const MAX_NOTE_CHARS = 2_000;
/** The reason of an acceptance, which `/v1` limits. */
const MAX_REASON_CHARS = 500;

/** The part of a payment that lists of the dashboard show. */
export const shortRow = z.object({
  deposit_address_id: id,
  kind: z.enum(chargeKinds),
  order_ref: z.string().nullable(),
  label: z.string().nullable(),
  currency: z.enum(currencies),
  amount_due: amountText.nullable(),
  amount_received: amountText,
  status: z.enum(chargeStatuses),
  payment_status: z.enum(orderPaymentStatuses).nullable(),
  payment_state: z.enum(paymentStates),
  created_at: timestamp,
});

export function toShortRow(charge: Charge): z.input<typeof shortRow> {
  const row = toChargeRow(charge, { publicBaseUrl: undefined, withPaymentStatus: true });
  return {
    deposit_address_id: row.id,
    kind: row.kind,
    order_ref: row.order_ref,
    label: row.label,
    currency: row.currency,
    amount_due: row.amount_due,
    amount_received: row.amount_received,
    status: row.status,
    payment_status: row.payment_status ?? null,
    payment_state: row.payment_state,
    created_at: row.created_at,
  };
}

export const inboxRow = shortRow.extend({
  reasons: z.array(z.enum(inboxReasons)),
  at: timestamp,
  unmatched_amount: amountText.nullable().meta({
    description:
      "Confirmed money in another currency than was asked for, which no sum counts; null without any.",
  }),
  unmatched_currency: z.enum(currencies).nullable(),
});

export function toInboxRow({ charge, reasons, at, unmatched }: InboxRow): z.input<typeof inboxRow> {
  return {
    ...toShortRow(charge),
    reasons: [...reasons],
    at: at.toISOString(),
    unmatched_amount: unmatched === undefined ? null : formatAmount(unmatched.amount),
    unmatched_currency: unmatched?.currency ?? null,
  };
}

export const decisionBody = z.object({
  decision: z.enum(decisions),
  note: text(MAX_REASON_CHARS).refine((note) => note.trim() !== "", ruled("must say why", "reason")),
  seconds: z.int().min(1).max(315_360_000).optional(),
});
export const noteBody = z.object({
  text: text(MAX_NOTE_CHARS).refine((note) => note.trim() !== "", ruled("must not be empty", "required")),
});

export const noteRow = z.object({
  id,
  by: id,
  decision: z.enum(decisions).nullable(),
  text: z.string(),
  created_at: timestamp,
});

export function toNoteRow(note: PaymentNote): z.input<typeof noteRow> {
  return {
    id: note.id,
    by: note.personId,
    decision: note.decision,
    text: note.text,
    created_at: note.createdAt.toISOString(),
  };
}

const storyEntry = z.object({
  at: timestamp,
  kind: z.enum(["quote", "deposit", "event", "attempt"]),
  id,
  what: z.string(),
  block_number: z.int().nullable(),
  tx_hash: z.string().nullable(),
  status_code: z.int().nullable(),
  error: z.string().nullable(),
  endpoint: z.string().nullable().meta({ description: "The URL that an attempt went to." }),
});
export const storyAnswer = z.object({ entries: z.array(storyEntry), notes: z.array(noteRow) });

export function toStoryEntry(entry: StoryEntry): z.input<typeof storyEntry> {
  return {
    at: entry.at.toISOString(),
    kind: entry.kind,
    id: entry.id,
    what: entry.what,
    block_number: entry.blockNumber === null ? null : Number(entry.blockNumber),
    tx_hash: entry.txHash,
    status_code: entry.statusCode,
    error: entry.error,
    endpoint: entry.endpoint,
  };
}
