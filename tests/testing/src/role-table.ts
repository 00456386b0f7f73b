import type { MerchantRole } from "@daric/domain/merchant-role";

/** Routes with the same rights. Every other role gets 403. */
type RouteGroup = {
  readonly whole: readonly MerchantRole[];
  /** they see and change the orders and links that they made, and no others */
  readonly own?: readonly MerchantRole[];
  readonly routes: readonly string[];
};

const readers = ["viewer", "accountant", "support", "developer", "admin", "owner"] as const;
const integrating = ["developer", "admin", "owner"] as const;
const deciding = ["admin", "owner"] as const;

/** The routes by the roles that may call them: each route that acts for a merchant has one line. */
export const roleTable: readonly RouteGroup[] = [
  {
    whole: readers,
    own: ["cashier"],
    routes: [
      "GET /v1/deposit-addresses",
      "GET /v1/deposit-addresses/:id",
      "GET /v1/payment-links",
      "GET /v1/payment-links/:id",
      "GET /v1/deposits",
      "GET /v1/deposits/:id",
      "GET /v1/lookup",
      "GET /dashboard/v1/settings",
      "GET /dashboard/v1/home",
      "GET /dashboard/v1/payments",
      "GET /dashboard/v1/inbox",
      "GET /dashboard/v1/payments/:id/story",
      "GET /dashboard/v1/payments/:id/receipt",
      "GET /v1/deposit-addresses/:id/receipt",
      "GET /dashboard/v1/search",
    ],
  },
  {
    whole: integrating,
    own: ["cashier"],
    routes: [
      "POST /v1/deposit-addresses",
      "POST /v1/deposit-addresses/:id/rest",
      "POST /v1/deposit-addresses/:id/extend",
      "POST /v1/deposit-addresses/:id/archive",
      "POST /v1/payment-links",
      "PATCH /v1/payment-links/:id",
      "POST /v1/test/deposit-addresses/:id/simulate",
      "POST /dashboard/v1/payments",
      "POST /dashboard/v1/inbox/:id/decide",
    ],
  },
  {
    whole: readers,
    routes: [
      "GET /v1/account",
      "GET /v1/balances",
      "GET /v1/statements",
      "GET /v1/settlements",
      "GET /v1/settlements/:id",
      "GET /v1/settlement-accounts",
      "GET /dashboard/v1/settlements/small",
      "GET /dashboard/v1/people",
      "DELETE /dashboard/v1/people/:id",
      "GET /dashboard/v1/invitations",
      "GET /dashboard/v1/audit",
      "GET /dashboard/v1/keys",
      "GET /dashboard/v1/wallet-requests",
      "GET /dashboard/v1/notifications",
      "PUT /dashboard/v1/notifications",
      "POST /dashboard/v1/notifications/channels",
      "POST /dashboard/v1/notifications/channels/:id/confirm",
      "POST /dashboard/v1/notifications/channels/:id/test",
      "DELETE /dashboard/v1/notifications/channels/:id",
    ],
  },
  {
    whole: ["viewer", "accountant", "support", "admin", "owner"],
    routes: [
      "GET /v1/refunds",
      "GET /v1/refunds/:id",
      "GET /dashboard/v1/refunds/:id",
      "GET /dashboard/v1/payments/:id/refunds",
      "GET /dashboard/v1/inbox/refunds",
    ],
  },
  {
    whole: ["viewer", "support", "developer", "admin", "owner"],
    routes: [
      "GET /v1/webhooks/endpoints",
      "GET /v1/webhooks/endpoints/:id",
      "GET /v1/webhooks/endpoints/:id/health",
      "GET /v1/webhooks/deliveries",
      "GET /v1/webhooks/deliveries/:id",
    ],
  },
  {
    whole: ["support", "developer", "admin", "owner"],
    routes: [
      "POST /v1/webhooks/deliveries/:id/resend",
      "POST /v1/webhooks/deliveries/resend",
      "POST /dashboard/v1/payments/:id/notes",
    ],
  },
  {
    whole: integrating,
    routes: [
      "GET /v1/events",
      "GET /v1/events/:id",
      "GET /dashboard/v1/deliveries/:id/sent",
      "POST /v1/webhooks/endpoints",
      "PATCH /v1/webhooks/endpoints/:id",
      "POST /v1/webhooks/endpoints/:id/test",
      "POST /v1/webhooks/endpoints/:id/rotate-secret",
      "DELETE /v1/webhooks/endpoints/:id",
      "POST /v1/webhooks/endpoints/:id/recover",
      "POST /dashboard/v1/keys",
      "POST /dashboard/v1/keys/:id/rotate",
      "POST /dashboard/v1/keys/:id/revoke",
      "GET /dashboard/v1/exports/events",
    ],
  },
  {
    whole: ["viewer", "accountant", "developer", "admin", "owner"],
    routes: [
      "GET /v1/exports/payments",
      "GET /v1/exports/settlements",
      "GET /v1/exports/fees",
      "GET /v1/exports/journal",
      "GET /dashboard/v1/exports/fees",
      "GET /dashboard/v1/exports/journal",
      "GET /dashboard/v1/exports/payments",
      "GET /dashboard/v1/exports/deposits",
      "GET /dashboard/v1/exports/settlements",
      "GET /dashboard/v1/exports/wallets",
      "GET /dashboard/v1/exports/keys",
      "GET /dashboard/v1/exports/people",
      "GET /dashboard/v1/exports/invitations",
      "GET /dashboard/v1/exports/audit",
      "GET /dashboard/v1/exports/statement",
    ],
  },
  {
    whole: ["viewer", "accountant", "admin", "owner"],
    routes: ["GET /dashboard/v1/exports/refunds", "GET /v1/exports/refunds"],
  },
  {
    whole: ["viewer", "developer", "admin", "owner"],
    routes: ["GET /dashboard/v1/exports/deliveries", "GET /dashboard/v1/exports/endpoints"],
  },
  {
    whole: ["support", "admin", "owner"],
    routes: ["POST /v1/deposit-addresses/:id/refunds", "POST /v1/refunds/:id/ask-again"],
  },
  {
    whole: deciding,
    routes: [
      "POST /v1/deposit-addresses/:id/accept",
      "POST /v1/refunds/:id/cancel",
      "POST /v1/refunds/:id/confirm",
      "POST /v1/refunds/:id/pay",
      "POST /v1/refunds/:id/transaction",
      "POST /v1/test/refunds/:id/simulate",
      "POST /dashboard/v1/refunds/pay-file",
      "POST /dashboard/v1/shop-codes",
      "PATCH /dashboard/v1/people/:id",
      "POST /dashboard/v1/invitations",
      "DELETE /dashboard/v1/invitations/:id",
      "PATCH /dashboard/v1/settings",
      "POST /dashboard/v1/settings/support-email/confirm",
      "PUT /dashboard/v1/settings/logo",
    ],
  },
  {
    whole: ["owner"],
    routes: ["POST /dashboard/v1/wallet-requests", "DELETE /dashboard/v1/wallet-requests/:id"],
  },
  {
    whole: ["accountant", "admin", "owner"],
    routes: ["PATCH /dashboard/v1/settings/books"],
  },
];
