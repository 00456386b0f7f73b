import type { ContextOf } from "../runtime/context.ts";
import type { AlarmMetrics } from "../runtime/metrics.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { MacContext } from "./address-mac.ts";
import type { addressSettings } from "./settings.ts";

export type GuardContext = Pick<ContextOf<unknown, AlarmMetrics>, "db" | "log" | "metrics" | "clock">;

export type SourceContext = GuardContext &
  Pick<
    ContextOf<MacContext["config"] & { readonly addresses: ConfigOf<typeof addressSettings, "api"> }>,
    "config" | "databaseOutage" | "clock"
  >;
