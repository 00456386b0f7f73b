import type { IssuingContext } from "./charges/create/write-charge.ts";
import type { WalletChain } from "./dashboard/account/change-account.ts";
import { accountRoutes } from "./dashboard/account/routes.ts";
import { auditRoutes } from "./dashboard/audit/routes.ts";
import { keyRoutes } from "./dashboard/keys/routes.ts";
import { dashboardLiveRoute } from "./dashboard/live/routes.ts";
import { operatorExportRoutes } from "./dashboard/operator/exports/routes.ts";
import { peopleOfServiceRoutes } from "./dashboard/operator/people/routes.ts";
import { operatorRoutes } from "./dashboard/operator/routes.ts";
import { watchRoutes } from "./dashboard/operator/watch/routes.ts";
import { paymentRoutes } from "./dashboard/payments/routes.ts";
import { storyRoutes } from "./dashboard/payments/story/routes.ts";
import { searchRoute } from "./dashboard/search/routes.ts";
import { createDownloads } from "./dashboard/work/downloads.ts";
import { workRoutes } from "./dashboard/work/routes.ts";
import { serveOpenApi } from "./docs/serve-openapi.ts";
import type { Admission } from "./http/admission.ts";
import { admitRequests } from "./http/admit-requests.ts";
import type { ApiApp } from "./http/api-app.ts";
import { addressKey, createRateLimiter } from "./http/rate-limit.ts";
import { createSessionGuard, requireSession, type SessionGuard } from "./http/session.ts";
import type { LookUp, LookupChain } from "./lookup/look-up.ts";
import { dashboardUrlOf } from "./people/context.ts";
import { linkRoutes } from "./people/members/links/routes.ts";
import { memberRoutes } from "./people/members/routes.ts";
import { signInLimits, signInRoutes } from "./people/routes.ts";
import { myPasskeyRoutes } from "./people/security/passkeys/routes.ts";
import { securityRoutes } from "./people/security/routes.ts";
import { createSessions } from "./people/sessions.ts";
import type { ApiContext } from "./process/context.ts";
import type { WakeUps } from "./runtime/wake-ups.ts";
import type { Status } from "./status/status.ts";

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
  readonly currentChain: () => (ReturnType<WalletChain["currentChain"]> & LookupChain) | undefined;
  readonly guard: SessionGuard;
  readonly admission: Admission;
  readonly findStatus: (() => Promise<Status>) | undefined;
  readonly wakeUps: WakeUps | undefined;
  /** shared by the process, to create payments and to look them up */
  readonly memory: Pick<IssuingContext, "findRate" | "addresses" | "terms" | "insertDraft"> & {
    readonly lookUp: LookUp;
  };
  readonly describe: DescribeRoutes | undefined;
};

/** The routes of people. Admission treats all people as one merchant, in which each client address has a share. */
export function dashboardRoutes(app: ApiApp, context: ApiContext, parts: DashboardParts): void {
  const { guard, admission, findStatus, wakeUps, memory, currentChain } = parts;
  const { environment, http } = context.config;
  const perSession = createRateLimiter({
    perSecond: http.keyRequestsPerSecond,
    burst: http.keyBurst,
    clock: context.clock,
    counted: "requests of this session",
  });
  const downloads = createDownloads();
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
      accountRoutes(routes, { ...context, currentChain });
      workRoutes(routes, { ...context, downloads });
      paymentRoutes(routes, { ...context, ...memory });
      storyRoutes(routes, context);
      searchRoute(routes, { ...context, ...memory, currentChain });
      operatorRoutes(routes, context, findStatus);
      operatorExportRoutes(routes, { ...context, downloads });
      watchRoutes(routes, context);
      peopleOfServiceRoutes(routes, context);
    });
  });
}
