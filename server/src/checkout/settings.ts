import { z } from "zod";
import { httpUrl, integerOr, setting } from "../runtime/setting.ts";

const baseUrl = z
  .string()
  .refine(httpUrl, "must be an http or https URL")
  .transform((text) => text.replace(/\/+$/, ""));

/** Where payers find the checkout page, and how often they may ask. */
export const checkoutSettings = {
  publicBaseUrl: setting({
    env: "PUBLIC_BASE_URL",
    read: baseUrl.optional(),
    default: "none",
    roles: ["api"],
    meaning: "The base address of checkout links. Without it checkout_url is null.",
  }),
  readsPerMinute: setting({
    env: "RATE_LIMIT_CHECKOUT_PER_MINUTE",
    ...integerOr(120, 1, 1_000_000),
    roles: ["api"],
    meaning: "Reads per minute of one valid checkout token.",
  }),
};
