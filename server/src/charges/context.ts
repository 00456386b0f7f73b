import type { FindRate } from "../domain/rate.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type {
  ApiContext as EventsApiContext,
  WatcherContext as EventsContext,
} from "../webhooks/events/context.ts";
import type { chargeSettings } from "./settings.ts";

/** The context of prices in fiat. */
export type QuotingContext = Pick<ContextOf, "db"> & {
  readonly findRate: FindRate;
  /** how long a quote is locked; default: the product's time */
  readonly quoteLockMs?: number;
};

/** The context that accepts an order and announces it. */
export type AcceptingContext = EventsApiContext & ContextOf;

/** The context that ends charges and announces it. */
export type WatcherContext = EventsContext &
  ContextOf<{ readonly charges: ConfigOf<typeof chargeSettings, "watcher"> }>;
