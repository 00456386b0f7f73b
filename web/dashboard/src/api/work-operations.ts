import type { DashboardOperations as Dashboard } from "./dashboard-contract.ts";

export type Home = Dashboard["GET /dashboard/v1/home"]["answer"];
export type Day = Home["days"][number];
export type Period = Home["today"];
type Search = Dashboard["GET /dashboard/v1/search"]["answer"];
export type SearchResult = Search["results"][number];
/** The nodes' answer about a transaction that is no payment of the merchant. */
export type Elsewhere = NonNullable<Search["transaction"]>;
export type ListedRow = Dashboard["GET /dashboard/v1/payments"]["answer"][number];
/** The story of a payment, its state and the actions that are possible now. */
export type History = Dashboard["GET /dashboard/v1/payments/{id}/story"]["answer"];
export type InboxRow = Dashboard["GET /dashboard/v1/inbox"]["answer"][number];
export type Decision = Dashboard["POST /dashboard/v1/inbox/{id}/decide"]["body"]["decision"];
export type AuditEntry = Dashboard["GET /dashboard/v1/audit"]["answer"][number];
/** The request and response of an attempt, which the attempt of `/v1` lacks. */
export type SentAttempt = Dashboard["GET /dashboard/v1/deliveries/{id}/sent"]["answer"]["attempts"][number];
export type SmallSum = Dashboard["GET /dashboard/v1/settlements/small"]["answer"][number];
/** The facts to know about a refund before it is paid, beside its row. */
export type RefundFacts = Dashboard["GET /dashboard/v1/refunds/{id}"]["answer"];
/** The refunds of a payment, and what is left to refund of each coin. */
export type RefundsOfPayment = Dashboard["GET /dashboard/v1/payments/{id}/refunds"]["answer"];
export type RefundTask = Dashboard["GET /dashboard/v1/inbox/refunds"]["answer"][number];
