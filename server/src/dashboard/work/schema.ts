import { z } from "zod";
import type { Charge } from "../../charges/charge.ts";
import { toChargeRow } from "../../charges/schema.ts";
import { type Currency, currencies } from "../../domain/asset.ts";
import { amountFromUnits, formatAmount } from "../../domain/money.ts";
import { amountText, text, timestamp, uuid } from "../../http/validate.ts";
import { HOME_DAYS, type HomeQuestion, type readOrders, type readVolumes } from "./home-store.ts";
import { type InboxRow, inboxReasons } from "./inbox.ts";
import { decisions, type PaymentNote } from "./payment-note-store.ts";
import { searchReasons } from "./search-store.ts";
import type { StoryEntry } from "./story-store.ts";

const id = z.string().meta({ format: "uuid" });
const MAX_NOTE_CHARS = 2_000;
/** The reason of an acceptance, which `/v1` limits. */
const MAX_REASON_CHARS = 500;
const MAX_SEARCH_CHARS = 200;

const timeZone = z
  .string()
  .regex(/^[A-Za-z][\w+/-]*$/, "must be a time zone like Europe/Berlin")
  .refine(isTimeZone, "must be a time zone like Europe/Berlin")
  .prefault("UTC");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const merchantQuery = z.object({ merchantId: uuid("merchant").optional() });
export const homeQuery = z.object({ timeZone });
const volume = z.object({ USDT: amountText, TRX: amountText });
const figures = z.object({ volume, orders_created: z.int(), orders_paid: z.int() });

export const homeRow = z.object({
  as_of: timestamp,
  today: figures,
  week: figures,
  month: figures,
  open: z.int(),
  abandoned: z.int(),
  attention: z.int(),
  seconds_to_pay: z.number().nullable(),
  seconds_to_confirm: z.number().nullable(),
  days: z.array(figures.extend({ date: z.string().meta({ format: "date" }) })),
});

type DayFigures = z.input<typeof homeRow>["days"][number];

/** The last 30 calendar days, the oldest first, days without money too. */
export function toDays(
  { timeZone: zone, now }: HomeQuestion,
  volumes: Awaited<ReturnType<typeof readVolumes>>,
  orders: Awaited<ReturnType<typeof readOrders>>,
): DayFigures[] {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  return Array.from({ length: HOME_DAYS }, (_, index) => {
    const date = format.format(new Date(now.getTime() - (HOME_DAYS - 1 - index) * 86_400_000));
    const order = orders.find((row) => row.date === date);
    const unitsOf = (currency: Currency) =>
      volumes.find((row) => row.date === date && row.currency === currency)?.units ?? "0";
    return {
      date,
      volume: toVolume(unitsOf),
      orders_created: order?.created ?? 0,
      orders_paid: order?.paid ?? 0,
    };
  });
}

/** The sum of the last `count` days. */
export function sumOfDays(days: readonly DayFigures[], volumes: readonly UnitsOfDay[], count: number) {
  const last = days.slice(-count);
  const dates = new Set(last.map(({ date }) => date));
  const unitsOf = (currency: Currency) =>
    String(
      volumes
        .filter((row) => row.currency === currency && dates.has(row.date))
        .reduce((sum, { units }) => sum + BigInt(units), 0n),
    );
  return {
    volume: toVolume(unitsOf),
    orders_created: last.reduce((sum, day) => sum + day.orders_created, 0),
    orders_paid: last.reduce((sum, day) => sum + day.orders_paid, 0),
  };
}

type UnitsOfDay = Awaited<ReturnType<typeof readVolumes>>[number];

function toVolume(unitsOf: (currency: Currency) => string): { USDT: string; TRX: string } {
  const [usdt = "0", trx = "0"] = currencies.map((currency) =>
    formatAmount(amountFromUnits(BigInt(unitsOf(currency)))),
  );
  return { USDT: usdt, TRX: trx };
}

export const searchQuery = z.object({
  q: text(MAX_SEARCH_CHARS).refine((q) => q.trim() !== "", "must not be empty"),
});

/** The part of a payment that lists of the dashboard show. */
const shortRow = z.object({
  deposit_address_id: id,
  kind: z.string(),
  order_ref: z.string().nullable(),
  label: z.string().nullable(),
  currency: z.string(),
  amount_due: amountText.nullable(),
  amount_received: amountText,
  status: z.string(),
  payment_status: z.string().nullable(),
  payment_state: z.string(),
  created_at: timestamp,
});

function toShortRow(charge: Charge): z.input<typeof shortRow> {
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

export const searchAnswer = z.object({
  results: z.array(shortRow.extend({ why: z.enum(searchReasons) })),
  searched_back: z
    .int()
    .meta({ description: "Amounts, labels and metadata are compared among this many newest payments." }),
});

export function toFoundRow(charge: Charge, why: (typeof searchReasons)[number]) {
  return { ...toShortRow(charge), why };
}

export const inboxRow = shortRow.extend({ reasons: z.array(z.enum(inboxReasons)), at: timestamp });

export function toInboxRow({ charge, reasons, at }: InboxRow): z.input<typeof inboxRow> {
  return { ...toShortRow(charge), reasons: [...reasons], at: at.toISOString() };
}

export const decisionBody = z.object({
  decision: z.enum(decisions),
  note: text(MAX_REASON_CHARS).refine((note) => note.trim() !== "", "must say why"),
  seconds: z.int().min(1).max(315_360_000).optional(),
});
export const noteBody = z.object({
  text: text(MAX_NOTE_CHARS).refine((note) => note.trim() !== "", "must not be empty"),
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
  };
}

export const exportedLists = ["payments", "deposits", "audit"] as const;
export const exportQuery = merchantQuery.extend({ format: z.enum(["csv", "json"]).default("csv") });
