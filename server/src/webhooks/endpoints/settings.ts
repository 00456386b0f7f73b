import { integerOr, setting } from "../../runtime/setting.ts";

export const endpointSettings = {
  endpointsPerMerchant: setting({
    env: "WEBHOOK_ENDPOINTS_PER_MERCHANT",
    ...integerOr(20, 1, 10_000),
    roles: ["api"],
    meaning: "Webhook endpoints that one merchant may have. Deleted ones do not count.",
  }),
};
