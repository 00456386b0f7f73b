import type { Downloads } from "@daric/books/files/downloads";
import type { Papers } from "@daric/books/papers/papers";
import type { IssuingContext } from "@daric/charges/create/write-charge";
import type { WalletChain } from "@daric/console/dashboard/account/change-account";
import { accountRoutes } from "@daric/console/dashboard/account/routes";
import { auditRoutes } from "@daric/console/dashboard/audit/routes";
import { keyRoutes } from "@daric/console/dashboard/keys/routes";
import { dashboardLiveRoute } from "@daric/console/dashboard/live/routes";
import { notificationRoutes } from "@daric/console/dashboard/notifications/routes";
import { operatorExportRoutes } from "@daric/console/dashboard/operator/exports/routes";
import { peopleOfServiceRoutes } from "@daric/console/dashboard/operator/people/routes";
import { operatorRoutes } from "@daric/console/dashboard/operator/routes";
import { watchRoutes } from "@daric/console/dashboard/operator/watch/routes";
import { paymentRoutes } from "@daric/console/dashboard/payments/routes";
import { storyRoutes } from "@daric/console/dashboard/payments/story/routes";
import { dashboardRefundRoutes } from "@daric/console/dashboard/refunds/routes";
import { searchRoute } from "@daric/console/dashboard/search/routes";
import { workRoutes } from "@daric/console/dashboard/work/routes";
import { dashboardUrlOf } from "@daric/console/people/context";
import { linkRoutes } from "@daric/console/people/members/links/routes";
import { memberRoutes } from "@daric/console/people/members/routes";
import { signInLimits, signInRoutes } from "@daric/console/people/routes";
import { myPasskeyRoutes } from "@daric/console/people/security/passkeys/routes";
import { securityRoutes } from "@daric/console/people/security/routes";
import { createSessions } from "@daric/console/people/sessions";
import type { Status } from "@daric/console/status/status";
import type { LookUp, LookupChain } from "@daric/deposits/lookup/look-up";
import type { FiatCurrency } from "@daric/domain/fiat";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { loadEmbedScript } from "@daric/hosted-checkout/embed/load-script";
import type { ReadNetwork } from "@daric/hosted-checkout/page/view";
import type { Admission } from "@daric/http/admission";
import { admitRequests } from "@daric/http/admit-requests";
import type { ApiApp } from "@daric/http/api-app";
import { addressKey, createRateLimiter } from "@daric/http/rate-limit";
import { refuseUnpriceable } from "@daric/http/refuse-unpriceable";
import { createSessionGuard, requireSession, type SessionGuard } from "@daric/http/session";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { serveOpenApi } from "./docs/serve-openapi.ts";
import type { ApiContext } from "./process/context.ts";

/** The guard of sessions, for `/v1` and the dashboard. */
export function createGuard(context: ApiContext): SessionGuard {
  const publicBaseUrl = dashboardUrlOf(context.config);
  const { environment } = context.config;
  return createSessionGuard(createSessions(context), { publicBaseUrl, environment });
}

/** Listens to the routes that are registered later. */
export type DescribeRoutes = (scope: ApiApp) => void;

type DashboardParts = {
  /** the chain, once it is verified */
  readonly currentChain: () =>
    | (ReturnType<WalletChain["currentChain"]> & LookupChain & { readonly network: ReadNetwork })
    | undefined;
  readonly guard: SessionGuard;
  /** shared by the process, with `/v1` */
  readonly downloads: Downloads;
  readonly papers: Papers;
  readonly admission: Admission;
  readonly findStatus: (() => Promise<Status>) | undefined;
  readonly wakeUps: WakeUps | undefined;
  /** shared by the process, to create payments and to look them up */
  readonly memory: Pick<IssuingContext, "findRate" | "addresses" | "terms" | "insertDraft"> & {
    readonly lookUp: LookUp;
  };
  readonly describe: DescribeRoutes | undefined;
  readonly priceable: readonly FiatCurrency[];
  /** the network in which chats are; injected by tests */
  readonly access: NetworkAccess | undefined;
};

/** The routes of people. Admission treats all people as one merchant, in which each client address has a share. */
export function dashboardRoutes(app: ApiApp, context: ApiContext, parts: DashboardParts): void {
  const { guard, admission, findStatus, wakeUps, memory, currentChain, downloads } = parts;
  const { environment, http } = context.config;
  const perSession = createRateLimiter({
    perSecond: http.keyRequestsPerSecond,
    burst: http.keyBurst,
    clock: context.clock,
    counted: "requests of this session",
  });
  app.register(async (scope) => dashboardLiveRoute(scope, context, { guard, perSession, wakeUps }));
  app.register(async (scope) => {
    parts.describe?.(scope);
    scope.register(async (inner) => {
      serveOpenApi(inner, ["/dashboard/v1/openapi.json"], "/dashboard/v1/openapi.json");
    });
    requireSession(scope, { guard, environment, perSession });
    admitRequests(scope, admission, ({ ip }) => ({ group: "people", name: addressKey(ip) }));
    // In a scope of their own, which is filled once the document listens to new routes.
    scope.register(async (routes) => {
      const people = { context, guard, limits: signInLimits(context) };
      signInRoutes(routes, people);
      securityRoutes(routes, people);
      myPasskeyRoutes(routes, people);
      linkRoutes(routes, people);
      memberRoutes(routes, people);
      auditRoutes(routes, context);
      keyRoutes(routes, context);
      accountRoutes(routes, { ...context, currentChain, embedScript: embedScriptAt(http.publicBaseUrl) });
      notificationRoutes(routes, { ...context, access: parts.access });
      workRoutes(routes, { ...context, downloads, papers: parts.papers });
      refuseUnpriceable(routes, parts.priceable);
      paymentRoutes(routes, { ...context, ...memory });
      storyRoutes(routes, context);
      dashboardRefundRoutes(routes, { ...context, currentChain });
      searchRoute(routes, { ...context, ...memory, currentChain });
      operatorRoutes(routes, context, findStatus);
      operatorExportRoutes(routes, { ...context, downloads });
      watchRoutes(routes, context);
      peopleOfServiceRoutes(routes, context);
    });
  });
}

/** The script for shops, at the public address of this service if it has one. */
function embedScriptAt(publicBaseUrl = "") {
  const { path, integrity } = loadEmbedScript();
  return { url: `${publicBaseUrl}${path}`, integrity };
}
