import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { WatcherContext as EventsContext } from "../webhooks/events/context.ts";
import type { ReceiveAddresses } from "./receive-addresses.ts";
import type { chargeSettings } from "./settings.ts";

/** What issues addresses is handed. */
export type IssuingContext = ContextOf<{ readonly charges: ConfigOf<typeof chargeSettings, "api"> }> & {
  /** the key of the check in every checkout token */
  readonly checkoutKey: Buffer;
  /** those that this process shares */
  readonly addresses: ReceiveAddresses;
};

/** What ends charges, and announces it, is handed. */
export type WatcherContext = EventsContext &
  ContextOf<{ readonly charges: ConfigOf<typeof chargeSettings, "watcher"> }>;
