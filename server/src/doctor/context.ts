import type { NetworkName } from "../chain/nodes/networks.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { DoctorMetrics } from "./metrics.ts";

/** The context of the continuous audit. */
export type WatcherContext = ContextOf<
  {
    readonly chain: { readonly network: NetworkName };
  },
  AlarmMetrics & DoctorMetrics
>;
