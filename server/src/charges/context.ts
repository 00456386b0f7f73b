import type { AddressSource } from "../addresses/address-source.ts";
import type { FindRate } from "../domain/rate.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type {
  ApiContext as EventsApiContext,
  WatcherContext as EventsContext,
} from "../webhooks/events/context.ts";
import type { ChargeMetrics } from "./metrics.ts";
import type { chargeSettings } from "./settings.ts";
import type { ChargeMemory } from "./write-charge.ts";

/** What prices in fiat is handed. */
export type QuotingContext = Pick<ContextOf, "db"> & {
  readonly findRate: FindRate;
  /** how long a quote is locked, where not for as long as the product says */
  readonly quoteLockMs?: number;
};

/** What issues addresses is handed. */
export type IssuingContext = ContextOf<
  { readonly charges: ConfigOf<typeof chargeSettings, "api"> },
  ChargeMetrics
> &
  QuotingContext & {
    /** the key of the check in every checkout token */
    readonly checkoutKey: Buffer;
    /** those that this process shares */
    readonly addresses: AddressSource;
  } & ChargeMemory;

/** What accepts an order, and announces it, is handed. */
export type AcceptingContext = EventsApiContext & ContextOf;

/** What ends charges, and announces it, is handed. */
export type WatcherContext = EventsContext &
  ContextOf<{ readonly charges: ConfigOf<typeof chargeSettings, "watcher"> }>;
