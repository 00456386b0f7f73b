import type { NetworkName } from "@daric/chain/nodes/networks";
import type { WatcherContext as ChargesContext } from "@daric/charges/context";
import type { ContextOf } from "@daric/runtime/context";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import type { ConfigOf } from "@daric/runtime/setting";
import type { DepositMetrics } from "./metrics.ts";
import type { depositSettings } from "./settings.ts";

export type Context = ContextOf<unknown, DepositMetrics & AlarmMetrics>;

export type WatcherContext = Context &
  ChargesContext &
  ContextOf<{
    readonly chain: { readonly network: NetworkName };
    readonly deposits: ConfigOf<typeof depositSettings, "watcher">;
  }>;
