import type { NetworkSettings } from "../chain/nodes/networks.ts";
import type { Environment } from "../domain/api-scope.ts";
import type { NetworkAccess } from "../egress/guarded-dial.ts";
import type { egressSettings } from "../egress/settings.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";

export type Context = ContextOf<{ readonly chain: NetworkSettings }>;

export type BrandingContext = Pick<Context, "db" | "config"> & LogoContext;

export type LogoContext = {
  readonly config: { readonly egress: ConfigOf<typeof egressSettings, "api"> };
  /** the access to the network; tests replace the system's */
  readonly access?: NetworkAccess;
};

export type KeyContext = ContextOf<{
  readonly environment: Environment;
  readonly merchants: { readonly keyPepper: string; readonly previousKeyPepper?: string | undefined };
}>;
