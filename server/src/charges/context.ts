import type { AddressSource } from "../addresses/address-source.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { WatcherContext as EventsContext } from "../webhooks/events/context.ts";
import type { chargeSettings } from "./settings.ts";
import type { ChargeMemory } from "./write-charge.ts";

/** What issues addresses is handed. */
export type IssuingContext = ContextOf & {
  /** the key of the check in every checkout token */
  readonly checkoutKey: Buffer;
  /** those that this process shares */
  readonly addresses: AddressSource;
} & ChargeMemory;

/** What ends charges, and announces it, is handed. */
export type WatcherContext = EventsContext &
  ContextOf<{ readonly charges: ConfigOf<typeof chargeSettings, "watcher"> }>;
