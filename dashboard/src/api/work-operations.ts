import type { DepositAddress } from "@daric/sdk/contract";
import type { Shape } from "./operation-shape.ts";

type Volume = { USDT: string; TRX: string };
export type Period = { volume: Volume; orders_created: number; orders_paid: number };
export type Day = { date: string; volume: Volume; paid: number };

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

export type SearchResult = {
  why: string;
  deposit_address_id: string;
  order_ref: string | null;
  label: string | null;
  amount: string | null;
  currency: "USDT" | "TRX";
  status: DepositAddress["status"];
  payment_status: NonNullable<DepositAddress["payment_status"]> | null;
  created_at: string;
};

export type InboxReason = "underpaid" | "overpaid" | "late" | "unmatched" | "stuck";

export type InboxRow = {
  deposit_address_id: string;
  reason: InboxReason;
  order_ref: string | null;
  currency: "USDT" | "TRX";
  amount_due: string | null;
  amount_received: string;
  created_at: string;
};

export type Decision = "accept" | "extend" | "archive" | "dismiss";

/** One moment of a payment's story; the further fields depend on `kind`. */
export type StoryEntry = { at: string; kind: string } & Record<string, unknown>;

export type Note = { id: string; text: string; by: string; created_at: string };

export type AuditEntry = {
  id: string;
  at: string;
  actor: string;
  actor_name: string | null;
  action: string;
  subject: string | null;
  before: unknown;
  after: unknown;
  reason: string | null;
  address: string | null;
};

type ById = { id: string };
type Cursor = { after?: string | undefined; limit?: number | undefined };

/** Operations of a merchant's daily work. */
export type WorkOperations = {
  "GET /dashboard/v1/home": Shape<{ query: { timeZone: string }; answer: Home }>;
  "GET /dashboard/v1/search": Shape<{
    query: { q: string };
    answer: { results: SearchResult[]; searched_back_to: string | null };
  }>;
  "GET /dashboard/v1/inbox": Shape<{ query: Cursor; answer: InboxRow[] }>;
  "POST /dashboard/v1/inbox/{id}/decide": Shape<{
    path: ById;
    body: { decision: Decision; seconds?: number; note: string };
    answer: DepositAddress;
  }>;
  "GET /dashboard/v1/payments/{id}/story": Shape<{
    path: ById;
    answer: { entries: StoryEntry[]; notes: Note[] };
  }>;
  "POST /dashboard/v1/payments/{id}/notes": Shape<{ path: ById; body: { text: string }; answer: Note }>;
  "GET /dashboard/v1/audit": Shape<{ query: Cursor; answer: AuditEntry[] }>;
};
