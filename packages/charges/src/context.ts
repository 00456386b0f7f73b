import type { FindRate } from "@daric/domain/rate";
import type { ContextOf } from "@daric/runtime/context";
import { type ConfigOf, durationMs, integerOr, setting } from "@daric/runtime/setting";
import type {
  ApiContext as EventsApiContext,
  WatcherContext as EventsContext,
} from "@daric/webhooks/events/context";
import { Gauge, type Registry } from "prom-client";

/** The lifetime of charges, and the limit of permanent ones. */
export const chargeSettings = {
  archiveAfterMs: setting({
    env: "ARCHIVE_AFTER",
    read: durationMs.prefault("30d"),
    default: "30d",
    roles: ["watcher"],
    meaning: "An expired charge without deposits for this long is archived. Its address stays watched.",
  }),
  maxCustomerAddresses: setting({
    env: "MAX_CUSTOMER_ADDRESSES",
    ...integerOr(100_000, 1, 100_000_000),
    roles: ["api"],
    meaning:
      "Standing receive addresses of one merchant: beyond them no new customerRef gets one. Each is watched for ever.",
  }),
  customerEmailDays: setting({
    env: "CUSTOMER_EMAIL_DAYS",
    ...integerOr(90, 1, 36_500),
    roles: ["webhooks"],
    meaning: "A payer's e-mail address is forgotten so many days after the last change of its order.",
  }),
};

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

export type ChargeMetrics = ReturnType<typeof createChargeMetrics>;

/** How many standing addresses a merchant has, to compare with MAX_CUSTOMER_ADDRESSES. */
export function createChargeMetrics(registers: Registry[]) {
  return {
    customerAddresses: new Gauge({
      name: "daric_customer_addresses",
      help: "Standing receive addresses of the merchant that last requested one for a new customerRef",
      registers,
    }),
  };
}
