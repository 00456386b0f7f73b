import type { chainSettings } from "../chain/nodes/settings.ts";
import type { Environment } from "../domain/api-scope.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { ConfigOf, Role } from "../runtime/setting.ts";
import type { NodeMetrics } from "./metrics.ts";
import type { SecretName, Secrets } from "./secret-checks.ts";

type ChainContext = ContextOf<{ readonly chain: ConfigOf<typeof chainSettings> }>;

/** What says whether a process is ready is handed. */
export type ReadinessContext = ChainContext & ContextOf<{ readonly roles: readonly Role[] }>;

/** What a process is handed that is told of nodes, the API's and the watcher's alike. */
export type NodesContext = ContextOf<
  {
    readonly chain: ConfigOf<typeof chainSettings, "api" | "watcher" | "settlement">;
    readonly addresses?: { readonly accountXpub?: string };
  },
  NodeMetrics & AlarmMetrics
>;

/** What compares a database with the settings is handed. */
export type ClaimContext = Pick<
  ChainContext & ContextOf<Secrets & { readonly environment: Environment }>,
  "config" | "db"
> & {
  /** what a fault calls a secret: the variable that an operator sets, which is declared where the secret is used */
  readonly variableOf: (secret: SecretName) => string;
};
