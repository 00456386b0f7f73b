import type { NetworkName } from "../chain/nodes/networks.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { DoctorMetrics } from "./metrics.ts";
import type { doctorSettings } from "./settings.ts";

/** The context of the continuous audit. */
export type WatcherContext = ContextOf<
  {
    readonly chain: { readonly network: NetworkName };
    readonly doctor: ConfigOf<typeof doctorSettings, "watcher">;
  },
  AlarmMetrics & DoctorMetrics
>;
