import { integerOr, setting } from "../runtime/setting.ts";

/** Rate limits of payers. */
export const checkoutSettings = {
  readsPerMinute: setting({
    env: "RATE_LIMIT_CHECKOUT_PER_MINUTE",
    ...integerOr(120, 1, 1_000_000),
    roles: ["api"],
    meaning: "Reads per minute of one valid checkout token.",
  }),
  requotesPerMinute: setting({
    env: "RATE_LIMIT_REQUOTE_PER_MINUTE",
    ...integerOr(6, 1, 1_000_000),
    roles: ["api"],
    meaning: "Requotes per minute of one valid checkout token.",
  }),
};
