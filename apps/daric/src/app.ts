import { type AddressSource, createAddressSource } from "@daric/addresses/address-source";
import { createDownloads } from "@daric/books/files/downloads";
import { createPapers } from "@daric/books/papers/papers";
import { bookRoutes } from "@daric/books/routes";
import { refundRoute } from "@daric/charges/api/refunds/routes";
import { chargeRoutes } from "@daric/charges/api/routes";
import type { QuotingContext } from "@daric/charges/context";
import { type ChargeMemory, createChargeMemory } from "@daric/charges/create/write-charge";
import { startNotifier } from "@daric/console/alerts/worker";
import { auditWrites } from "@daric/console/dashboard/audit/routes";
import { dashboardPages } from "@daric/console/dashboard/pages/routes";
import { startMessageWorker } from "@daric/console/messages/worker";
import type { Status } from "@daric/console/status/status";
import type { LockBlockerSearch } from "@daric/deposits/follow/watch-lock-blockers";
import { type DepositWorker, startDepositWorker } from "@daric/deposits/follow/worker";
import { createFindTransfers } from "@daric/deposits/lookup/find-transfers";
import { createLookUp, type LookUp } from "@daric/deposits/lookup/look-up";
import { depositRoutes } from "@daric/deposits/routes";
import { nameOfCaller } from "@daric/domain/caller";
import { ApiError } from "@daric/domain/errors";
import type { NetworkAccess } from "@daric/egress/guarded-dial";
import { claimRoutes } from "@daric/hosted-checkout/claims/routes";
import { mailLinkRoutes } from "@daric/hosted-checkout/mail-links/routes";
import { createBrowserAnswers } from "@daric/hosted-checkout/page/problem";
import { previewRoute } from "@daric/hosted-checkout/preview/routes";
import { checkoutRoutes } from "@daric/hosted-checkout/routes";
import { type Admission, createAdmission, type Party } from "@daric/http/admission";
import { admitRequests } from "@daric/http/admit-requests";
import type { ApiApp } from "@daric/http/api-app";
import { createFailureBudget, requireApiKey } from "@daric/http/authenticate";
import { apiConnections, capConnections } from "@daric/http/connections";
import { cacheReadiness, type Drain, healthRoutes, type Readiness } from "@daric/http/health";
import { addressKey, createRateLimiter } from "@daric/http/rate-limit";
import { createRecheck } from "@daric/http/recheck";
import { refuseUnpriceable } from "@daric/http/refuse-unpriceable";
import { createServer } from "@daric/http/server";
import type { SessionGuard } from "@daric/http/session";
import { sendUnknownFieldWarnings } from "@daric/http/unknown-field-warnings";
import { ledgerRoutes } from "@daric/ledger/routes";
import { findKeyPrefix, isOldApiKey } from "@daric/merchants/api-key";
import { createFindCaller } from "@daric/merchants/find-caller";
import { countExpiringKeys } from "@daric/merchants/key-count-store";
import { logoRoute, merchantRoutes } from "@daric/merchants/routes";
import { shopRoutes } from "@daric/merchants/shops/routes";
import { startChatLinker } from "@daric/messages/link-chats";
import { publicLinkRoutes } from "@daric/payment-links/page/routes";
import { paymentLinkRoutes } from "@daric/payment-links/routes";
import type { RateKeeper } from "@daric/rates/keep-rates";
import { currencyRoutes } from "@daric/rates/routes";
import { priceableOf, sourcesOf } from "@daric/rates/sources";
import { refundRoutes } from "@daric/refunds/routes";
import { currentFirst } from "@daric/runtime/seal";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { settlementRoutes } from "@daric/settlement/api/routes";
import { type SettlementWorker, startSettlementWorker } from "@daric/settlement/worker/worker";
import { startWebhookWorker } from "@daric/webhooks/deliveries/worker";
import { webhookRoutes } from "@daric/webhooks/routes";
import type { FastifyRequest } from "fastify";
import { createGuard, type DescribeRoutes, dashboardRoutes } from "./dashboard-app.ts";
import type { Chain } from "./deployment/connect-network.ts";
import { docsRoutes } from "./docs/routes.ts";
import { serveOpenApi } from "./docs/serve-openapi.ts";
import { type ApiContext, type Context, hasRole } from "./process/context.ts";
import { forRole, type ProcessContext } from "./process/process-context.ts";
import { payerSimulationRoute, simulationRoutes } from "./simulation/routes.ts";

/** The Retry-After for a price in fiat without rates. */
const RATE_RETRY_SECONDS = 30;

export type Worker = { stop(): Promise<void> };
/** The worker that follows the chain, with its current failure and the nodes that do not agree. */
export type Watcher = Worker &
  Pick<DepositWorker, "isFailing" | "fault" | "seenHead" | "shortOfQuorum" | "blocker" | "blockedSeconds">;

/** The caches, the address source and the look-up of a process with the API. */
export type Memory = ChargeMemory & {
  readonly addresses: AddressSource;
  readonly lookUp: LookUp;
} & Omit<QuotingContext, "db"> &
  Pick<RateKeeper, "currencies">;

/** The inputs of {@link createMemory}: the chain, once it is verified, and the rates. */
type MemoryParts = {
  readonly currentChain?: () => Chain | undefined;
  readonly rates?: Pick<RateKeeper, "findRate" | "currencies"> | undefined;
};

/** Called once in a process with the API. Without `rates` there are none. */
export function createMemory(context: ApiContext, parts: MemoryParts = {}): Memory {
  const { currentChain, rates = { findRate: refuseRate, currencies: () => [] } } = parts;
  const addresses = createAddressSource(context, currentChain && { currentChain });
  context.metrics.addressesAhead.answerBy(addresses.readyCount);
  context.metrics.expiringKeys.answerBy(() => countExpiringKeys(context.db));
  return {
    findRate: rates.findRate,
    currencies: rates.currencies,
    addresses,
    lookUp: createLookUp(context),
    ...createChargeMemory(context.db),
  };
}

async function refuseRate(): Promise<never> {
  throw new ApiError("RATE_UNAVAILABLE", { retryAfterSeconds: RATE_RETRY_SECONDS });
}

type AppOptions = {
  /** called for /readyz; without it no check runs */
  readonly findReadiness?: () => Promise<Readiness>;
  readonly drain?: Drain;
  readonly memory?: Memory | undefined;
  readonly admission?: Admission;
  /** the wake-ups of this process, which each write of the API gives */
  readonly wakeUps?: WakeUps;
  /** the state of this process, for operators; without it the dashboard shows none */
  readonly findStatus?: (() => Promise<Status>) | undefined;
  /** whether this listener serves the dashboard: false for PORT if the dashboard has its own port */
  readonly hasDashboard?: boolean;
  /** the chain, once it is verified, for look-ups */
  readonly currentChain?: () => Chain | undefined;
  /** the network in which people's chats are; injected by tests */
  readonly access?: NetworkAccess;
  /** for the build of the documentation, which does not exist yet: called before the routes of the API, and of the dashboard */
  readonly describe?: { readonly api: DescribeRoutes; readonly dashboard: DescribeRoutes };
};

/**
 * The API with the routes of every feature. It opens no port: the caller listens or injects. The caller stops `memory`;
 * without it the API makes and stops its own. Probes need no admission.
 */
export function createApp(context: ApiContext, options: AppOptions = {}): ApiApp {
  const { memory = createMemory(context), admission = createAdmission(context) } = options;
  const { wakeUps, findStatus, describe, currentChain = () => undefined } = options;
  const { config } = context;
  const priceable = priceableOf(sourcesOf(config.chain.network, config.rates.sources));
  const hasDashboard = options.hasDashboard ?? config.people.dashboard === "on";
  const sessions = hasDashboard ? createGuard(context) : undefined;
  const app = createServer(context, options.drain, createBrowserAnswers());
  capApi(app, context);
  if (options.memory === undefined) app.addHook("onClose", () => memory.addresses.stop());
  if (wakeUps !== undefined) wakeAfterWrites(app, wakeUps);
  describe?.api(app);
  const built = config.chain.network === "devnet" ? "/openapi.devnet.json" : "/openapi.json";
  app.register(async (scope) => serveOpenApi(scope, ["/v1/openapi.json", "/openapi.json"], built));
  healthRoutes(app, options.findReadiness ?? cacheReadiness([]));
  app.register(async (scope) => {
    admitRequests(scope, admission, payerOf);
    if (describe === undefined)
      docsRoutes(scope, { environment: config.environment, network: config.chain.network });
    const { requiredConfirmations } = config.deposits;
    logoRoute(scope, context);
    if (config.chain.network === "devnet") payerSimulationRoute(scope, context);
    checkoutRoutes(scope, { ...context, ...memory, requiredConfirmations, currentChain, wakeUps });
    mailLinkRoutes(scope, context);
    claimRoutes(scope, { ...context, currentChain });
    publicLinkRoutes(scope, { ...context, ...memory, currentChain });
    currencyRoutes(scope, memory);
    shopRoutes(scope, context);
    if (hasDashboard) {
      dashboardPages(scope);
      previewRoute(scope, context);
    }
  });
  const findCaller = createFindCaller(context);
  const files = createFiles(context, { findCaller, sessions });
  app.register(async (scope) => {
    guard(scope, context, { sessions, findCaller });
    admitRequests(scope, admission, ({ caller }) => ({
      group: caller.merchantId,
      name: nameOfCaller(caller),
    }));
    refuseUnpriceable(scope, priceable);
    routesOfKeys(scope, { ...context, ...memory, ...files, currentChain });
  });
  if (sessions !== undefined)
    dashboardRoutes(app, context, {
      ...{ guard: sessions, admission, findStatus, wakeUps, memory, currentChain, priceable },
      ...files,
      access: options.access,
      describe: describe?.dashboard,
    });
  return app;
}

/** Requests without an API key share like one merchant; within that group, each checkout counts, or else each address. A link has many visitors. */
function payerOf({ params, ip, url }: FastifyRequest): Party {
  const { token } = params as { token?: string };
  const isOfLink = /^\/(?:l|v1\/links)\//.test(url);
  return { group: "payers", name: (isOfLink ? undefined : token) ?? addressKey(ip) };
}

type MerchantParts = ApiContext &
  Memory &
  ReturnType<typeof createFiles> & { readonly currentChain: () => Chain | undefined };

/** The routes of merchants, behind a key or a session. */
function routesOfKeys(scope: ApiApp, context: MerchantParts): void {
  chargeRoutes(scope, context);
  paymentLinkRoutes(scope, context);
  refundRoute(scope, context);
  refundRoutes(scope, context, createFindTransfers(context, context.currentChain));
  depositRoutes(scope, context);
  ledgerRoutes(scope, { ...context, writeStatement: context.papers.statement });
  bookRoutes(scope, context);
  settlementRoutes(scope, context);
  merchantRoutes(scope, context);
  webhookRoutes(scope, context);
  if (context.config.chain.network === "devnet") simulationRoutes(scope, context);
}

/** The files of merchants. */
function createFiles(context: ApiContext, parts: Parameters<typeof createRecheck>[0]) {
  return { papers: createPapers(context), downloads: createDownloads(createRecheck(parts)) };
}

/** A write may have announced an event or a message, also one whose sender hung up, or whose answer failed after its commit. */
function wakeAfterWrites(app: ApiApp, wakeUps: WakeUps): void {
  app.addHook("onSend", async ({ method }, { statusCode }) => {
    const isRefused = statusCode >= 400 && statusCode < 500;
    if (!isRefused && method !== "GET" && method !== "HEAD") wakeUps.notifySoon();
  });
}

function capApi(app: ApiApp, context: ApiContext): void {
  const { maxConnections, maxConnectionsPerAddress, trustedProxies } = context.config.http;
  const { max, perAddress, wanted, openFiles } = apiConnections(maxConnections);
  const caps = { perAddress: maxConnectionsPerAddress ?? perAddress, proxies: trustedProxies };
  capConnections(app, { listener: "api", max, ...caps }, context);
  if (max >= wanted) return;
  const fields = { open_files: openFiles, connections: max, wanted };
  context.log.warn(
    { event: "open_files_low", ...fields },
    "ulimit -n allows fewer connections than HTTP_MAX_CONNECTIONS",
  );
}

type Guarding = {
  readonly sessions: SessionGuard | undefined;
  readonly findCaller: ReturnType<typeof createFindCaller>;
};

function guard(scope: ApiApp, context: ApiContext, { sessions, findCaller }: Guarding): void {
  const { config, clock } = context;
  const peppers = currentFirst(config.merchants.keyPepper, config.merchants.previousKeyPepper);
  requireApiKey(scope, {
    recallCaller: findCaller.recall,
    findPrefix: (text) => findKeyPrefix(text, { peppers, environment: config.environment }),
    isForgeable: isOldApiKey,
    findCaller,
    perKey: createRateLimiter({
      perSecond: config.http.keyRequestsPerSecond,
      burst: config.http.keyBurst,
      clock,
      counted: "requests of this key",
    }),
    failures: createFailureBudget({ perMinute: config.http.failuresPerMinute, clock }),
    sessions,
  });
  if (sessions !== undefined) auditWrites(scope, context);
  sendUnknownFieldWarnings(scope, config.environment);
}

/**
 * Starts the workers of this process's roles, except those that need the chain, and the notifier, which every process has. `wakeUps`
 * come from its watcher and its API.
 */
export function startWorkers(
  context: ProcessContext,
  { wakeUps, ...named }: { wakeUps: WakeUps; process: string; findReadiness: () => Promise<Readiness> },
): Worker[] {
  const [first = "api"] = context.config.roles;
  const notifier = startNotifier(forRole(context, first), named);
  if (!hasRole(context, "webhooks")) return [notifier];
  const sending = forRole(context, "webhooks");
  return [
    startWebhookWorker(sending, { wakeUps }),
    startMessageWorker(sending, { wakeUps }),
    startChatLinker(sending),
    notifier,
  ];
}

/**
 * Starts the watcher if this process has the role. It is called once the chain is verified. `wakeUps` wake the
 * deliveries after an event, and `blockers` searches the sessions that block the watcher.
 */
export function startWatcher(
  context: Context,
  { chain, ...parts }: { chain: Chain; wakeUps: WakeUps; blockers: LockBlockerSearch },
): Watcher | undefined {
  return hasRole(context, "watcher") ? startDepositWorker(context, { ...chain, ...parts }) : undefined;
}

/** Starts settlement if this process has the role. It is called once the chain is verified. */
export function startSettlement(context: Context, chain: Chain): SettlementWorker | undefined {
  return hasRole(context, "settlement") ? startSettlementWorker(context, chain) : undefined;
}
