import type { chainSettings } from "../chain/nodes/settings.ts";
import type { Environment } from "../domain/api-scope.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { ConfigOf, Role } from "../runtime/setting.ts";
import type { NodeMetrics } from "./metrics.ts";
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
