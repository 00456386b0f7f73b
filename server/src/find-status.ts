import { hostname } from "node:os";
import { type Context, hasRole } from "./context.ts";
import type { Chain } from "./deployment/connect-network.ts";
import type { Versions } from "./deployment/report-process.ts";
import { findReader } from "./deployment/store.ts";
import { watcherLease } from "./deposits/follow/worker.ts";
import { type Currency, currencies } from "./domain/asset.ts";
import { formatUsdPrice } from "./domain/money.ts";
import { findNodeStatus, nodesNotQueried } from "./find-node-status.ts";
import type { RateKeeper } from "./rates/keep-rates.ts";
import type { CheckStatus, RateStatus, ReadingStatus, Status } from "./status/status.ts";

/** What of a process the page for operators is made of. */
type StatusParts = {
  readonly chain: () => Chain | undefined;
  readonly rates: RateKeeper | undefined;
  readonly versions: Versions;
  readonly findReadiness: () => Promise<{ readonly checks: readonly CheckStatus[] }>;
};

/** Who looks does not wait longer for the database. */
const WITHIN_MS = 1_500;

/** How this process and what it knows is at this moment. Bounded in time, and never rejects for what is away. */
export async function findStatus(context: Context, parts: StatusParts): Promise<Status> {
  const { config, metrics, recentErrors } = context;
  const { rates } = parts;
  const [{ checks }, reading, nodes, webhooks, deposits, addressesAhead] = await Promise.all([
    parts.findReadiness(),
    findReading(context).catch(() => undefined),
    findNodes(context, parts.chain()),
    metrics.backlog.read(),
    metrics.openDeposits.read(),
    metrics.addressesAhead.read(),
  ]);
  const heads = (nodes ?? []).flatMap(({ head }) => head?.number ?? []);
  const head = heads.length === 0 ? undefined : Math.max(...heads);
  return {
    now: context.clock.now(),
    process: {
      roles: config.roles,
      network: config.chain.network,
      environment: config.environment,
      host: hostname(),
      pid: process.pid,
      uptimeSeconds: process.uptime(),
      versions: parts.versions,
    },
    reading: reading && { ...reading, head },
    nodes,
    waiting: { webhooks, deposits, addressesAhead },
    rates: rates && currencies.map((currency) => rateStatus(currency, rates)),
    checks,
    errors: recentErrors.list(),
  };
}

async function findNodes(context: Context, chain: Chain | undefined): Promise<Status["nodes"]> {
  if (!hasRole(context, "api") && !hasRole(context, "watcher")) return undefined;
  return chain === undefined ? nodesNotQueried(context.config.chain.nodeUrls) : findNodeStatus(chain);
}

async function findReading({ config, db }: Context): Promise<Omit<ReadingStatus, "head">> {
  const { network } = config.chain;
  const lease = watcherLease(network);
  const { holder, scanned } = await findReader(db.answeringWithin(WITHIN_MS), { network, lease });
  const [host = "", pid = ""] = holder?.split("/") ?? [];
  const isThisProcess = host === hostname() && pid === String(process.pid);
  return {
    leader: holder === undefined ? undefined : { host, pid, isThisProcess },
    scanned,
  };
}

function rateStatus(currency: Currency, rates: RateKeeper): RateStatus {
  const { rate, refusal, sources } = rates.verdictOf(currency);
  return {
    currency,
    price: rate && formatUsdPrice(rate.usdE8),
    refusal,
    sources: sources.map(({ source, verdict, usdE8, ageMs, why }) => ({
      source,
      verdict,
      price: usdE8 === undefined ? undefined : formatUsdPrice(usdE8),
      ageSeconds: ageMs === undefined ? undefined : ageMs / 1_000,
      why,
    })),
  };
}
