import type { chainSettings } from "@daric/chain/nodes/settings";
import type { Environment } from "@daric/domain/api-scope";
import type { ContextOf } from "@daric/runtime/context";
import { type AlarmMetrics, collectedGauge, type OpenCollector } from "@daric/runtime/metrics";
import type { ConfigOf, Role } from "@daric/runtime/setting";
import { Counter, Gauge, type Registry } from "prom-client";
import type { SecretName, Secrets } from "./secret-checks.ts";

type ChainContext = ContextOf<{ readonly chain: ConfigOf<typeof chainSettings> }>;

/** The context of the readiness checks. */
export type ReadinessContext = ChainContext &
  ContextOf<{ readonly roles: readonly Role[]; readonly runtime: { readonly databaseUrl: string } }>;

/** The context of a process that uses nodes: the API and the watcher. */
export type NodesContext = ContextOf<
  {
    readonly chain: ConfigOf<typeof chainSettings, "api" | "watcher" | "settlement">;
    readonly addresses?: { readonly accountXpub?: string };
  },
  NodeMetrics & AlarmMetrics
>;

/** The context of the comparison between database and settings. */
export type ClaimContext = Pick<
  ChainContext & ContextOf<Secrets & { readonly environment: Environment }>,
  "config" | "db"
> & {
  /** the variable of a secret for messages; each folder declares its own */
  readonly variableOf: (secret: SecretName) => string;
};

export type DeploymentMetrics = ReturnType<typeof createDeploymentMetrics>;
type NodeMetrics = Pick<DeploymentMetrics, "nodeFailures">;

/** The result of a readiness check, by its name. */
export type CheckOutcome = { readonly name: string; readonly ok: boolean };

/** A readiness check has 3 s, and all run at once. */
const READINESS_WITHIN_MS = 4_000;

/** Metrics of the process, its readiness and node failures. */
export function createDeploymentMetrics(registers: Registry[], openCollector: OpenCollector) {
  const monthsAhead = openCollector<number>("partition_months_ahead");
  collectedGauge(
    {
      name: "daric_partition_months_ahead",
      help: "Months ahead for which partitions exist",
      registers,
    },
    monthsAhead,
    (value) => [{ value }],
  );
  const readiness = openCollector<readonly CheckOutcome[]>("ready", { withinMs: READINESS_WITHIN_MS });
  collectedGauge(
    {
      name: "daric_ready",
      help: "1 for a passing check of /readyz, 0 for a failing one",
      labelNames: ["check"],
      registers,
    },
    readiness,
    (checks) => checks.map(({ name, ok }) => ({ labels: { check: name }, value: ok ? 1 : 0 })),
  );
  return {
    monthsAhead,
    readiness,
    nodeFailures: new Counter({
      name: "daric_node_failures_total",
      help: "Node answers that were refused or missing",
      labelNames: ["reason"],
      registers,
    }),
    buildInfo: new Gauge({
      name: "daric_build_info",
      help: "1, with the versions of the program, of Node and of the schema",
      labelNames: ["version", "node", "schema"],
      registers,
    }),
  };
}
