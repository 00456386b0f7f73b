import type { mailSettings } from "@daric/egress/mail-settings";
import type { ContextOf } from "@daric/runtime/context";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import type { ConfigOf } from "@daric/runtime/setting";
import type { Registry } from "prom-client";
import type { alertSettings } from "./settings.ts";

export type AlertConfig = {
  readonly chain: { readonly network: string };
  readonly integrity: { readonly key: Buffer };
  readonly http: { readonly publicBaseUrl: string | undefined };
  readonly alerts: ConfigOf<typeof alertSettings>;
  readonly mail: Partial<ConfigOf<typeof mailSettings>>;
};

/** The context of the notifier. */
export type AlertContext = Pick<
  ContextOf<AlertConfig, AlarmMetrics & { readonly registry: Pick<Registry, "getMetricsAsJSON"> }>,
  "config" | "db" | "clock" | "log" | "metrics" | "databaseOutage"
>;
