import { addressCheck } from "@daric/addresses/readiness";
import { startSearchWorker } from "@daric/console/dashboard/search/worker";
import type { Status } from "@daric/console/status/status";
import { depositChecks, haltCheck, reportInternals } from "@daric/deposits/follow/readiness";
import { watcherLease } from "@daric/deposits/follow/worker";
import { measureBlocking } from "@daric/deposits/metrics";
import { createAdmission } from "@daric/http/admission";
import type { ApiApp } from "@daric/http/api-app";
import { cacheReadiness, createDrain, type Drain, notReadyIn, type Readiness } from "@daric/http/health";
import { listenAt, processNameOf, requireFree } from "@daric/http/listen";
import { createOperationsApp } from "@daric/http/operations";
import { type RateKeeper, startRateKeeper } from "@daric/rates/keep-rates";
import { rateCheck } from "@daric/rates/readiness";
import { API_ANSWER_MS } from "@daric/runtime/batch";
import type { LogOutput } from "@daric/runtime/logger";
import { createShutdown, type Shutdown } from "@daric/runtime/shutdown";
import { createWakeUps, type WakeUps } from "@daric/runtime/wake-ups";
import { settlementCheck } from "@daric/settlement/worker/readiness";
import type { SettlementWorker } from "@daric/settlement/worker/worker";
import { createApp, createMemory, startSettlement, startWatcher, startWorkers, type Watcher } from "./app.ts";
import { awaitDatabase } from "./deployment/await-database.ts";
import { claimDeployment } from "./deployment/claim-deployment.ts";
import { type Chain, connectNetwork } from "./deployment/connect-network.ts";
import { databaseServerChecks } from "./deployment/database-servers.ts";
import { readinessChecks } from "./deployment/readiness.ts";
import { reportProcess, type Versions } from "./deployment/report-process.ts";
import { StartError } from "./deployment/start-error.ts";
import { findDatabaseVersions, getCheckoutKey } from "./deployment/store.ts";
import { readVersion } from "./docs/site.ts";
import { startAuditWorker } from "./doctor/worker.ts";
import { type Config, readConfig, rolesOf, type Variables, variableOf } from "./process/config.ts";
import { configWarningsOf } from "./process/config-warnings.ts";
import { type ApiContext, type Context, hasRole } from "./process/context.ts";
import { requireFont } from "./process/find-font-fault.ts";
import {
  apiListenAddress,
  dashboardListenAddress,
  type ListenAddress,
  operationsListenAddress,
} from "./process/listen-addresses.ts";
import { createProcessContext, forRole, type ProcessContext } from "./process/process-context.ts";
import { findStatus } from "./status/find-status.ts";
import { statusRoutes } from "./status/routes.ts";

/** The time for running work after a stop; a webhook gets the time of an attempt. */
const STOP_MS = 8_000;
/** The time to record the last attempt. */
const RECORD_MS = 1_000;
/** Less than the limit of a readiness check, so that a silent statement frees its connection before the next check. */
const READINESS_QUERY_MS = 2_500;

export type ServeOptions = {
  /** one of the roles, or "all" */
  readonly role: string;
  readonly env: Variables;
  /** the output of the log; default: standard output */
  readonly output?: LogOutput;
};

export type Service = {
  /** undefined if the role serves no API */
  readonly apiUrl: string | undefined;
  readonly metricsUrl: string;
  /** Resolves with the reason if the service must stop after its start. */
  readonly refused: Promise<StartError>;
  /** Fails `/readyz` and continues to serve for `SHUTDOWN_DRAIN_MS`; without an API it returns at once. */
  drain(): Promise<void>;
  /** Finishes running work and closes everything, within 10 s, or within the time of a webhook plus 3 s. */
  stop(): Promise<void>;
};

/**
 * Starts the parts of one role. It reads the configuration, waits for the database (60 s at most), compares
 * database and nodes with the configured network, listens and works. `signal` ends the wait.
 * @throws ConfigError with every fault of the configuration; StartError for every other reason not to start.
 */
export async function serve({
  role,
  env,
  signal,
  output,
}: ServeOptions & { signal?: AbortSignal }): Promise<Service> {
  const roles = rolesOf(role);
  if (roles === undefined) throw new StartError("unknown_role", `there is no role ${role}`);
  const config = readConfig(env, roles);
  const context = createProcessContext(config, { role, output });
  for (const warning of configWarningsOf(env, config, roles))
    context.log.warn({ event: "configuration_warning", warning }, "configuration warning");
  const shutdown = createShutdown({ log: context.log, workMs: stopMs(context) });
  shutdown.addConnection(() => context.databases.close());
  // Before it: a connection that we close ourselves is no outage.
  shutdown.addConnection(async () => context.databaseOutage.stop());
  try {
    await Promise.all([requireFreePorts(config), requireFont(config)]);
    await awaitDatabase(context, { signal });
    await claimDeployment({ ...context, variableOf });
    return await start({ ...context, checkoutKey: await getCheckoutKey(context.db) }, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

function stopMs(context: { readonly config: Config }): number {
  if (!hasRole(context, "webhooks")) return STOP_MS;
  return Math.max(STOP_MS, context.config.webhooks.timeoutMs + RECORD_MS);
}

async function start(context: ProcessContext, shutdown: Shutdown): Promise<Service> {
  const { config, log } = context;
  const wakeUps = createWakeUps();
  const nodes = await connectNodes(context, { shutdown, wakeUps });
  const { chain, chainFault, watcher, settlement, refused } = nodes;
  if (hasRole(context, "watcher"))
    measureBlocking([context.metrics.registry], () => watcher()?.blockedSeconds());
  const rates = startRates(context, shutdown);
  const readinessContext = { ...context, db: context.db.answeringWithin(READINESS_QUERY_MS) };
  const checks = [
    ...databaseServerChecks({ ...context, db: context.databases.servers }, shutdown),
    ...readinessChecks(readinessContext, {
      chain,
      isScannerFailing: () => watcher()?.isFailing() ?? false,
      scannerFault: () => watcher()?.fault(),
      blocker: () => watcher()?.blocker(),
      seenHead: () => watcher()?.seenHead(),
      chainFault,
    }),
    ...(hasRole(readinessContext, "watcher")
      ? [
          haltCheck(readinessContext),
          ...depositChecks(readinessContext, {
            shortOfQuorum: () => watcher()?.shortOfQuorum() ?? [],
            nodes: () => chain()?.client.nodes.length ?? 1,
          }),
        ]
      : []),
    ...(hasRole(context, "settlement") ? [settlementCheck(settlement)] : []),
    ...(rates === undefined ? [] : [rateCheck(rates), addressCheck(readinessContext)]),
  ];
  const drain = createDrain({ log, ms: hasRole(context, "api") ? context.config.http.drainMs : 0 });
  const findReadiness = notReadyIn(drain, cacheReadiness(checks));
  const nodeUrls =
    hasRole(context, "api") || hasRole(context, "watcher") ? context.config.chain.nodeUrls : undefined;
  const lease = watcherLease(config.chain.network);
  const versions = await findVersions(context);
  const operations = createOperationsApp(context, findReadiness);
  const name = () => processNameOf(operations);
  const parts = { name, chain, nodeUrls, lease, settlement, rates, versions, findReadiness };
  reportProcess(context, parts);
  const status = () => findStatus(context, parts);
  statusRoutes(operations, status);
  const metricsUrl = await listen(operations, operationsListenAddress(context), shutdown);
  const apiUrl = hasRole(context, "api")
    ? await startApi(context, { chain, findReadiness, findStatus: status, drain, rates, wakeUps }, shutdown)
    : undefined;
  for (const worker of startWorkers(context, { wakeUps, process: name(), findReadiness }))
    shutdown.addWork(() => worker.stop());
  if (hasRole(context, "watcher")) await startChores(context, shutdown);
  const facts = { roles: config.roles, environment: config.environment, network: config.chain.network };
  log.info({ ...facts, api_url: apiUrl, metrics_url: metricsUrl }, "started");
  return { apiUrl, metricsUrl, refused, drain: drain.run, stop: () => shutdown.run() };
}

/** The work beside the chain: the audit, and the terms of the search. */
async function startChores(context: ProcessContext & Context<Config<"watcher">>, shutdown: Shutdown) {
  await reportInternals(context);
  const watching = forRole(context, "watcher");
  for (const worker of [startAuditWorker(watching), startSearchWorker(watching)])
    shutdown.addWork(() => worker.stop());
}

async function findVersions({ db }: Context): Promise<Versions> {
  return { program: readVersion(), node: process.version, ...(await findDatabaseVersions(db)) };
}

/** Only the role api quotes prices; it queries the sources from the start on. */
function startRates(context: ProcessContext, shutdown: Shutdown): RateKeeper | undefined {
  if (!hasRole(context, "api")) return undefined;
  const rates = startRateKeeper(forRole(context, "api"));
  shutdown.addWork(() => rates.stop());
  return rates;
}

type ApiParts = {
  readonly chain: () => Chain | undefined;
  readonly findReadiness: () => Promise<Readiness>;
  readonly findStatus: () => Promise<Status>;
  readonly drain: Drain;
  readonly rates: RateKeeper | undefined;
  readonly wakeUps: WakeUps;
};

async function startApi(
  context: ApiContext & ProcessContext,
  { chain: currentChain, rates, ...parts }: ApiParts,
  shutdown: Shutdown,
): Promise<string> {
  const quickContext = apiContext(context);
  const memory = createMemory(quickContext, { currentChain, rates });
  memory.addresses.prepare();
  // After the work, because a running create still needs its address.
  shutdown.addConnection(() => memory.addresses.stop());
  const admission = createAdmission(quickContext);
  const shared = { ...parts, memory, currentChain, admission };
  const ownAddress = dashboardListenAddress(context);
  if (ownAddress) await listen(createApp(quickContext, shared), ownAddress, shutdown);
  const app = createApp(quickContext, { ...shared, ...(ownAddress && { hasDashboard: false }) });
  return listen(app, apiListenAddress(context), shutdown);
}

/** Roles with nodes verify them; the watcher and settlement then work on the chain. */
async function connectNodes(
  context: ProcessContext,
  { shutdown, wakeUps }: { shutdown: Shutdown; wakeUps: WakeUps },
): Promise<{
  chain: () => Chain | undefined;
  chainFault: () => string | undefined;
  watcher: () => Watcher | undefined;
  settlement: () => SettlementWorker | undefined;
  refused: Promise<StartError>;
}> {
  let watcher: Watcher | undefined;
  let settlement: SettlementWorker | undefined;
  const running = { watcher: () => watcher, settlement: () => settlement };
  if (!hasRole(context, "api") && !hasRole(context, "watcher") && !hasRole(context, "settlement"))
    return {
      ...running,
      chain: () => undefined,
      chainFault: () => undefined,
      refused: new Promise(() => {}),
    };
  const { promise: refused, resolve: onRefused } = withResolvers<StartError>();
  const connection = await connectNetwork(context, {
    onVerified: (chain) => {
      if (hasRole(context, "settlement")) {
        settlement = startSettlement(forRole(context, "settlement"), chain);
        if (settlement) shutdown.addWork(settlement.stop);
      }
      if (!hasRole(context, "watcher")) return;
      const readinessContext = { db: context.db, application: context.databases.nameOf("watcher") };
      watcher = startWatcher(forRole(context, "watcher"), { chain, wakeUps, blockers: readinessContext });
      if (watcher) shutdown.addWork(watcher.stop);
    },
    onRefused,
  });
  shutdown.addConnection(() => connection.close());
  return { ...running, chain: connection.current, chainFault: connection.fault, refused };
}

/** Callers of the API wait, so its database has a time limit. */
function apiContext(context: ApiContext & ProcessContext): ApiContext {
  return { ...context, db: context.databases.of("api").answeringWithin(API_ANSWER_MS) };
}

/** Runs before the first write, so that a start that cannot listen leaves no trace. */
async function requireFreePorts(config: Config): Promise<void> {
  const context = { config };
  const addresses = [
    operationsListenAddress(context),
    ...(hasRole(context, "api")
      ? [apiListenAddress(context), dashboardListenAddress(context) ?? []].flat()
      : []),
  ];
  for (const address of addresses) {
    await requireFree(address).catch((error: unknown) => {
      throw refusalOf(error, address);
    });
  }
}

async function listen(app: ApiApp, address: ListenAddress, shutdown: Shutdown): Promise<string> {
  shutdown.addWork(() => app.close());
  shutdown.addConnection(async () => app.server.closeAllConnections());
  try {
    const { url, closed } = await listenAt(app, address);
    shutdown.addWork(() => closed);
    return url;
  } catch (error) {
    throw refusalOf(error, address);
  }
}

/** The reason why this address cannot be listened on, with its setting; any other error unchanged. */
function refusalOf(error: unknown, { host, port, setting }: ListenAddress): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new StartError("port_in_use", `port ${port} on ${host} is in use already`);
  if (code === "EACCES") return new StartError("listen_refused", `this user may not listen on port ${port}`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new StartError("listen_refused", `${setting.env} ${host} is not an address of this machine`);
  return error;
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
