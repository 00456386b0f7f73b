import type { NetworkName } from "../chain/nodes/networks.ts";
import type { WatcherContext as ChargesContext } from "../charges/context.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { DepositMetrics } from "./metrics.ts";
import type { depositSettings } from "./settings.ts";

export type Context = ContextOf<unknown, DepositMetrics & AlarmMetrics>;

export type WatcherContext = Context &
  ChargesContext &
  ContextOf<{
    readonly chain: { readonly network: NetworkName };
    readonly deposits: ConfigOf<typeof depositSettings, "watcher">;
  }>;
