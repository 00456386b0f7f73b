import type { DepositAddress } from "@daric/sdk/contract";
import type { Shape } from "./operation-shape.ts";

type Volume = { USDT: string; TRX: string };
export type Period = { volume: Volume; orders_created: number; orders_paid: number };
export type Day = Period & { date: string };

export type Home = {
  as_of: string;
  today: Period;
  week: Period;
  month: Period;
  open: number;
  abandoned: number;
  attention: number;
  seconds_to_pay: number | null;
  seconds_to_confirm: number | null;
  days: Day[];
};

/** The part of a payment that short lists show. */
type ShortRow = Pick<
  DepositAddress,
  "kind" | "order_ref" | "label" | "currency" | "amount_due" | "amount_received" | "status" | "payment_state"
> & {
  deposit_address_id: string;
  payment_status: NonNullable<DepositAddress["payment_status"]> | null;
  created_at: string;
};

export type SearchResult = ShortRow & { why: string };

export type InboxReason = "underpaid" | "overpaid" | "late" | "unmatched" | "stuck";

/** `at` is when the newest deposit came. */
export type InboxRow = ShortRow & { reasons: InboxReason[]; at: string };

export type Decision = "accept" | "extend" | "archive" | "dismiss";

/**
 * One moment of a payment. `what` is the source of a quote, the new status of a deposit, the type of an event, or the trigger of an
 * attempt.
 */
export type StoryEntry = {
  at: string;
  kind: "quote" | "deposit" | "event" | "attempt";
  id: string;
  what: string;
  block_number: number | null;
  tx_hash: string | null;
  status_code: number | null;
  error: string | null;
};

/** What a person wrote about a payment, also with a decision. `by` is the person's id. */
export type Note = { id: string; text: string; by: string; decision: Decision | null; created_at: string };

export type AuditEntry = {
  id: string;
  at: string;
  actor: string;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  reason: string;
  address: string | null;
};

/** What an attempt sent and was answered, beside what `/v1` tells of it. */
export type SentAttempt = {
  number: number;
  url: string | null;
  headers: Record<string, string>;
  response_headers: string | null;
};

type ById = { id: string };
type Cursor = { after?: string | undefined; limit?: number | undefined };

/** Operations of a merchant's daily work. */
export type WorkOperations = {
  "GET /dashboard/v1/home": Shape<{ query: { timeZone: string }; answer: Home }>;
  "GET /dashboard/v1/search": Shape<{
    query: { q: string };
    answer: { results: SearchResult[]; searched_back: number };
  }>;
  "GET /dashboard/v1/inbox": Shape<{ answer: InboxRow[] }>;
  "POST /dashboard/v1/inbox/{id}/decide": Shape<{
    path: ById;
    body: { decision: Decision; seconds?: number; note: string };
    answer: unknown;
  }>;
  "GET /dashboard/v1/payments/{id}/story": Shape<{
    path: ById;
    answer: { entries: StoryEntry[]; notes: Note[] };
  }>;
  "POST /dashboard/v1/payments/{id}/notes": Shape<{ path: ById; body: { text: string }; answer: Note }>;
  "GET /dashboard/v1/deliveries/{id}/sent": Shape<{
    path: ById;
    answer: { url: string; attempts: SentAttempt[]; body: string | null };
  }>;
  "GET /dashboard/v1/audit": Shape<{ query: Cursor; answer: AuditEntry[] }>;
};
