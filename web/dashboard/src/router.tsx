import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { call, queryOf } from "./api/call.ts";
import { isRefusal } from "./api/refusal.ts";
import { readPaymentFilters } from "./format/payment-filters.ts";
import { currentSession, setSession } from "./session/session-store.ts";
import { Failure } from "./shell/failure.tsx";
import { Shell } from "./shell/shell.tsx";
import { Empty } from "./ui/page.tsx";
import { loadOperatorWords, words } from "./words/words.ts";

type Search = Record<string, unknown>;
const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

/** The parts of the program that pages use. */
type Around = { readonly drawAgain: () => void };

const root = createRootRouteWithContext<Around>()({
  component: Outlet,
  notFoundComponent: () => <Empty title={words.common.notFound} hint={words.common.notFoundHint} />,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Search): { next?: string | undefined; ended?: boolean | undefined } => ({
    next: textOf(search.next),
    ended: String(search.ended) === "true" ? true : undefined,
  }),
  component: lazyRouteComponent(() => import("./screens/sign-in/sign-in.tsx"), "SignInPage"),
});

const link = createRoute({
  getParentRoute: () => root,
  path: "/link",
  component: lazyRouteComponent(() => import("./screens/sign-in/link.tsx"), "LinkPage"),
});

/** Every page behind sign-in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Shell,
  async beforeLoad({ location }) {
    const session = currentSession() ?? (await findSession(location.href));
    const isAtSecurity = location.pathname === "/security";
    if (session.second_factor_missing && !isAtSecurity) throw redirect({ to: "/security" });
    const isOperatorAlone = session.memberships.length === 0 && session.person.is_operator;
    if (isOperatorAlone && location.pathname === "/") throw redirect({ to: "/operator" });
  },
});

async function findSession(next: string) {
  try {
    const session = await call("GET /dashboard/v1/session", {});
    setSession(session);
    return session;
  } catch (error) {
    if (isRefusal(error, "SESSION_ENDED")) throw redirect({ to: "/sign-in", search: { next } });
    throw error;
  }
}

const page = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => inside, path, component });

/** A page for operators, with its texts. */
const operatorsOnly =
  <Module,>(load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    const [module] = await Promise.all([load(), loadOperatorWords()]);
    return module;
  };

/** A page with refunds, with the texts about them. */
const withRefunds =
  <Module,>(load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    const [module] = await Promise.all([
      load(),
      import("./words/refund-words.ts").then(({ loadRefundWords }) => loadRefundWords()),
    ]);
    return module;
  };

const payments = createRoute({
  getParentRoute: () => inside,
  path: "/payments",
  validateSearch: readPaymentFilters,
  component: lazyRouteComponent(() => import("./screens/payments/payments.tsx"), "PaymentsPage"),
});

type DeliveryFilters = {
  readonly [Name in "status" | "referenceId" | "endpointId" | "orderRef"]?: string | undefined;
};

const deliveries = createRoute({
  getParentRoute: () => inside,
  path: "/deliveries",
  validateSearch: (search: Search): DeliveryFilters => ({
    status: textOf(search.status),
    referenceId: textOf(search.referenceId),
    endpointId: textOf(search.endpointId),
    orderRef: textOf(search.orderRef),
  }),
  component: lazyRouteComponent(() => import("./screens/developers/deliveries.tsx"), "DeliveriesPage"),
});

const paymentLinks = createRoute({
  getParentRoute: () => inside,
  path: "/payment-links",
  validateSearch: (search: Search): { status?: string | undefined } => ({ status: textOf(search.status) }),
  component: lazyRouteComponent(
    () => import("./screens/payment-links/payment-links.tsx"),
    "PaymentLinksPage",
  ),
});

const refunds = createRoute({
  getParentRoute: () => inside,
  path: "/refunds",
  validateSearch: (search: Search): { status?: string | undefined } => ({ status: textOf(search.status) }),
  component: lazyRouteComponent(
    withRefunds(() => import("./screens/refunds/refunds.tsx")),
    "RefundsPage",
  ),
});

const pages = [
  page(
    "/refunds/$id",
    lazyRouteComponent(
      withRefunds(() => import("./screens/refunds/refund.tsx")),
      "RefundPage",
    ),
  ),
  page(
    "/",
    lazyRouteComponent(() => import("./screens/home/home.tsx"), "HomePage"),
  ),
  page(
    "/payments/$id",
    lazyRouteComponent(
      withRefunds(() => import("./screens/payments/payment.tsx")),
      "PaymentPage",
    ),
  ),
  page(
    "/inbox",
    lazyRouteComponent(
      withRefunds(() => import("./screens/inbox/inbox.tsx")),
      "InboxPage",
    ),
  ),
  page(
    "/ask-for-payment",
    lazyRouteComponent(() => import("./screens/payments/ask-for-payment.tsx"), "AskForPaymentPage"),
  ),
  page(
    "/payment-links/new",
    lazyRouteComponent(
      () => import("./screens/payment-links/create-payment-link.tsx"),
      "CreatePaymentLinkPage",
    ),
  ),
  page(
    "/payment-links/$id",
    lazyRouteComponent(() => import("./screens/payment-links/payment-link.tsx"), "PaymentLinkPage"),
  ),
  page(
    "/payment-links/$id/poster",
    lazyRouteComponent(() => import("./screens/payment-links/poster.tsx"), "PosterPage"),
  ),
  page(
    "/keys",
    lazyRouteComponent(() => import("./screens/developers/keys.tsx"), "KeysPage"),
  ),
  page(
    "/webhooks",
    lazyRouteComponent(() => import("./screens/developers/webhooks.tsx"), "WebhooksPage"),
  ),
  page(
    "/deliveries/$id",
    lazyRouteComponent(() => import("./screens/developers/delivery.tsx"), "DeliveryPage"),
  ),
  page(
    "/settlement",
    lazyRouteComponent(() => import("./screens/settlement/settlement.tsx"), "SettlementPage"),
  ),
  page(
    "/settlements/$id",
    lazyRouteComponent(() => import("./screens/settlement/one-settlement.tsx"), "OneSettlementPage"),
  ),
  page(
    "/branding",
    lazyRouteComponent(() => import("./screens/branding/branding.tsx"), "BrandingPage"),
  ),
  page(
    "/settings",
    lazyRouteComponent(() => import("./screens/account/settings.tsx"), "SettingsPage"),
  ),
  page(
    "/people",
    lazyRouteComponent(() => import("./screens/account/people.tsx"), "PeoplePage"),
  ),
  page(
    "/notifications",
    lazyRouteComponent(() => import("./screens/notifications/notifications.tsx"), "NotificationsPage"),
  ),
  page(
    "/audit",
    lazyRouteComponent(() => import("./screens/account/audit.tsx"), "AuditPage"),
  ),
  page(
    "/security",
    lazyRouteComponent(() => import("./screens/account/security.tsx"), "SecurityPage"),
  ),
  page(
    "/operator",
    lazyRouteComponent(
      operatorsOnly(() => import("./screens/operator/overview.tsx")),
      "OverviewPage",
    ),
  ),
  page(
    "/operator/merchants",
    lazyRouteComponent(
      operatorsOnly(() => import("./screens/operator/merchants.tsx")),
      "MerchantsPage",
    ),
  ),
  page(
    "/operator/accounts",
    lazyRouteComponent(
      operatorsOnly(() => import("./screens/operator/accounts.tsx")),
      "AccountsPage",
    ),
  ),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    link,
    inside.addChildren([payments, paymentLinks, refunds, deliveries, ...pages]),
  ]),
  basepath: "/dashboard",
  context: { drawAgain: () => undefined },
  // An address holds texts alone, so a reference of digits stays as it was typed.
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch: queryOf,
  defaultPreload: "intent",
  defaultErrorComponent: Failure,
});

declare module "@tanstack/react-router" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only interfaces merge with those of another package
  interface Register {
    router: typeof router;
  }
}
