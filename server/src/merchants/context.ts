import type { NetworkSettings } from "../chain/networks.ts";
import type { Environment } from "../domain/api-scope.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { merchantSettings } from "./settings.ts";

/** What the verbs of merchants are handed. */
export type Context = ContextOf<{ readonly chain: NetworkSettings }>;

/** What makes and judges API keys is handed. */
export type KeyContext = ContextOf<{
  readonly environment: Environment;
  readonly merchants: ConfigOf<typeof merchantSettings, "api">;
}>;
