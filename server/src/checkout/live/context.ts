import type { ContextOf } from "../../runtime/context.ts";
import type { ConfigOf } from "../../runtime/setting.ts";
import type { LiveMetrics } from "./metrics.ts";
import type { liveSettings } from "./settings.ts";

/** What the sockets of payers' pages are made with. */
export type LiveContext = Pick<
  ContextOf<{ readonly checkout: ConfigOf<typeof liveSettings, "api"> }, LiveMetrics>,
  "config" | "metrics"
>;
