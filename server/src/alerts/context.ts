import type { Registry } from "prom-client";
import type { mailSettings } from "../egress/mail-settings.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { alertSettings } from "./settings.ts";

export type AlertConfig = {
  readonly chain: { readonly network: string };
  readonly http: { readonly publicBaseUrl: string | undefined };
  readonly alerts: ConfigOf<typeof alertSettings>;
  readonly mail: ConfigOf<typeof mailSettings>;
};

type AlarmWords = { readonly alarmWords: ReadonlyMap<string, string> };

/** The context of the notifier. */
export type AlertContext = Pick<
  ContextOf<AlertConfig, AlarmWords & { readonly registry: Pick<Registry, "getMetricsAsJSON"> }>,
  "config" | "db" | "clock" | "log" | "metrics" | "databaseOutage"
>;
