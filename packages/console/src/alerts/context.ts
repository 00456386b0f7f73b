import type { mailSettings } from "@daric/egress/mail-settings";
import type { ContextOf } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import type { Registry } from "prom-client";
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
