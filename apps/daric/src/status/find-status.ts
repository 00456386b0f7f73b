import { hostname } from "node:os";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import type { LastHeader } from "@daric/chain/nodes/last-header";
import type { NetworkSettings } from "@daric/chain/nodes/networks";
import type {
  CheckStatus,
  NodeBlock,
  NodeStatus,
  RateStatus,
  ReadingStatus,
  SettlingStatus,
  Status,
  WaitingStatus,
} from "@daric/console/status/status";
import type { Environment } from "@daric/domain/api-scope";
import { formatPrice } from "@daric/domain/money";
import type { RateKeeper } from "@daric/rates/keep-rates";
import { type Priced, quotedPair } from "@daric/rates/sources";
import type { ContextOf } from "@daric/runtime/context";
import type { Role } from "@daric/runtime/setting";
import type { Chain } from "../deployment/connect-network.ts";
import type { Versions } from "../deployment/report-process.ts";
import { findReader } from "../deployment/store.ts";

/** A value for the status and for scrapes; undefined if this process does not have it. */
type Collector<T> = { read(): Promise<T> };
/** The context of the status. */
type StatusContext = Pick<
  ContextOf<
    {
      readonly roles: readonly Role[];
      readonly environment: Environment;
      readonly chain: Pick<NetworkSettings, "network">;
    },
    {
      readonly backlog: Collector<WaitingStatus["webhooks"]>;
      readonly openDeposits: Collector<WaitingStatus["deposits"]>;
      readonly addressesAhead: Collector<WaitingStatus["addressesAhead"]>;
      readonly openSweeps: Collector<SettlingStatus["sweeps"]>;
    }
  >,
  "config" | "db" | "clock" | "metrics" | "recentErrors"
>;
type StatusParts = {
  /** the name of this process, once it listens */
  readonly name: () => string;
  readonly chain: () => Chain | undefined;
  /** from the configuration; undefined in a role without nodes */
  readonly nodeUrls: readonly string[] | undefined;
  /** the name of the watcher's lease */
  readonly lease: string;
  /** the worker that settles; undefined in another role, and before a node is verified */
  readonly settlement: () => SettlementPart | undefined;
  readonly rates: RateKeeper | undefined;
  readonly versions: Versions;
  readonly findReadiness: () => Promise<{ readonly checks: readonly CheckStatus[] }>;
};

type SettlementPart = {
  faults(): readonly string[];
  found(): SettlingStatus["accounts"];
};

/** The longest wait for the database or a node. */
const WITHIN_MS = 1_500;

/** The current state of this process. Bounded in time, and never rejects for an unreachable part. */
export async function findStatus(context: StatusContext, parts: StatusParts): Promise<Status> {
  const { config, metrics, recentErrors } = context;
  const { rates } = parts;
  const [{ checks }, reading, nodes, webhooks, deposits, addressesAhead, sweeps] = await Promise.all([
    parts.findReadiness(),
    findReading(context, parts.lease).catch(() => undefined),
    findNodes(parts),
    metrics.backlog.read(),
    metrics.openDeposits.read(),
    metrics.addressesAhead.read(),
    metrics.openSweeps.read(),
  ]);
  const settling = parts.settlement();
  const heads = (nodes ?? []).flatMap(({ head }) => head?.number ?? []);
  const head = heads.length === 0 ? undefined : Math.max(...heads);
  return {
    now: context.clock.now(),
    process: {
      name: parts.name(),
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
    settlement: config.roles.includes("settlement")
      ? { faults: settling?.faults() ?? ["waits for a verified node"], accounts: settling?.found(), sweeps }
      : undefined,
    rates: rates?.watched().map((priced) => rateStatus(priced, rates)),
    checks,
    errors: recentErrors.list(),
  };
}

async function findNodes({ chain, nodeUrls }: StatusParts): Promise<Status["nodes"]> {
  const verified = chain();
  if (verified !== undefined) return findNodeStatus(verified);
  return nodeUrls && nodesNotQueried(nodeUrls);
}

async function findReading(
  { config, db }: StatusContext,
  lease: string,
): Promise<Omit<ReadingStatus, "head">> {
  const { network } = config.chain;
  const { holder, scanned } = await findReader(db.answeringWithin(WITHIN_MS), { network, lease });
  const [host = "", pid = ""] = holder?.split("/") ?? [];
  const isThisProcess = host === hostname() && pid === String(process.pid);
  return {
    leader: holder === undefined ? undefined : { host, pid, isThisProcess },
    scanned,
  };
}

function rateStatus(priced: Priced, rates: RateKeeper): RateStatus {
  const { rate, refusal, sources } = rates.verdictOf(priced);
  return {
    ...quotedPair(priced),
    price: rate && formatPrice(rate.priceE8),
    refusal,
    sources: sources.map(({ source, verdict, priceE8, ageMs, why }) => ({
      source,
      verdict,
      price: priceE8 === undefined ? undefined : formatPrice(priceE8),
      ageSeconds: ageMs === undefined ? undefined : ageMs / 1_000,
      why,
    })),
  };
}

/** A node's head is reused up to this age, because hosted nodes count calls. */
const HEAD_KEPT_MS = 30_000;
const SOLID_KEPT_MS = 60_000;

/** Every node of the chain with its heads; nodes without recent ones are queried, in bounded time. */
async function findNodeStatus({ client, failures }: Chain): Promise<readonly NodeStatus[]> {
  await Promise.race([
    Promise.allSettled(client.nodes.flatMap(retry)),
    new Promise((resolve) => setTimeout(resolve, WITHIN_MS).unref()),
  ]);
  return client.nodes.map(({ label, lastReported: header }) => {
    const failure = failures?.of(label);
    return {
      label,
      head: nodeBlockOf(header?.head),
      solid: nodeBlockOf(header?.solid),
      failures: failure?.count ?? 0,
      lastFailure: failure && { message: failure.message, agoSeconds: agoSeconds(failure.atMs) },
    };
  });
}

/** The configured nodes, by their hosts, before one was verified. */
function nodesNotQueried(urls: readonly string[]): readonly NodeStatus[] {
  return urls.map((url) => ({
    label: new URL(url).host,
    head: undefined,
    solid: undefined,
    failures: 0,
    lastFailure: undefined,
  }));
}

function retry(node: TronNode): Promise<unknown>[] {
  const isOld = (header: LastHeader | undefined, keptMs: number) =>
    header === undefined || performance.now() - header.atMs > keptMs;
  return [
    ...(isOld(node.lastReported?.head, HEAD_KEPT_MS) ? [node.getHeadBlock()] : []),
    ...(isOld(node.lastReported?.solid, SOLID_KEPT_MS) ? [node.getSolidBlock()] : []),
  ];
}

function nodeBlockOf(header: LastHeader | undefined): NodeBlock | undefined {
  if (header === undefined) return undefined;
  const ageSeconds = Math.max(0, (Date.now() - header.timeMs) / 1_000);
  return { number: header.number, ageSeconds, agoSeconds: agoSeconds(header.atMs) };
}

function agoSeconds(atMs: number): number {
  return (performance.now() - atMs) / 1_000;
}
