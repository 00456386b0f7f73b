import { httpSettings } from "@daric/http/settings";
import type { Setting } from "@daric/runtime/setting";
import type { Config } from "./config.ts";

/** The address to listen on, and the setting of its host. */
export type ListenAddress = { readonly host: string; readonly port: number; readonly setting: Setting };

/** The address of the API and the checkout page. */
export function apiListenAddress({ config }: { readonly config: Config<"api"> }): ListenAddress {
  return { host: config.http.host, port: config.http.port, setting: httpSettings.host };
}

/** The address of the dashboard; undefined if it is off or shares the port of the API. */
export function dashboardListenAddress({
  config,
}: {
  readonly config: Config<"api">;
}): ListenAddress | undefined {
  const { dashboard, port } = config.people;
  if (dashboard === "off" || port === undefined) return undefined;
  return { host: config.http.host, port, setting: httpSettings.host };
}

/** The address of the metrics and the probes. */
export function operationsListenAddress({ config }: { readonly config: Config }): ListenAddress {
  return { host: config.http.metricsHost, port: config.http.metricsPort, setting: httpSettings.metricsHost };
}
