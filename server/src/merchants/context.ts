import type { NetworkSettings } from "../chain/nodes/networks.ts";
import type { Environment } from "../domain/api-scope.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { NetworkAccess } from "../webhooks/sending/guarded-dial.ts";
import type { sendingSettings } from "../webhooks/sending/settings.ts";
import type { merchantSettings } from "./settings.ts";

export type Context = ContextOf<{ readonly chain: NetworkSettings }>;

export type BrandingContext = Pick<Context, "db" | "config"> & LogoContext;

export type LogoContext = {
  readonly config: {
    readonly webhooks: Pick<ConfigOf<typeof sendingSettings, "api">, "allowTargets" | "denyTargets">;
  };
  /** resolver and dialler; the system's by default */
  readonly access?: NetworkAccess;
};

export type KeyContext = ContextOf<{
  readonly environment: Environment;
  readonly merchants: ConfigOf<typeof merchantSettings, "api">;
}>;
