import type { chainSettings } from "../chain/nodes/settings.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { RateMetrics } from "./metrics.ts";
import type { rateSettings } from "./settings.ts";
import type { SourceName } from "./sources.ts";

type RateConfig = {
  readonly chain: Pick<ConfigOf<typeof chainSettings, "api">, "network" | "nodeUrls">;
  readonly rates: ConfigOf<typeof rateSettings, "api">;
};

export type FetchContext = Pick<ContextOf<RateConfig>, "config" | "clock"> & {
  /** base URLs that replace those of the sources, for tests */
  readonly rateAddresses?: Partial<Readonly<Record<SourceName, string>>>;
};

export type RatesContext = FetchContext & ContextOf<RateConfig, RateMetrics>;
