import type { ContextOf } from "@daric/runtime/context";
import { type ConfigOf, integerOr, setting } from "@daric/runtime/setting";
import type { Context as SendingContext } from "../sending/context.ts";

export const endpointSettings = {
  endpointsPerMerchant: setting({
    env: "WEBHOOK_ENDPOINTS_PER_MERCHANT",
    ...integerOr(20, 1, 10_000),
    roles: ["api"],
    meaning: "Webhook endpoints that one merchant may have. Deleted ones do not count.",
  }),
};

export type ApiContext = SendingContext &
  ContextOf<{ readonly webhooks: ConfigOf<typeof endpointSettings, "api"> }>;
