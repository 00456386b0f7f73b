import { durationMs, integerOr, setting } from "../runtime/setting.ts";

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
};
