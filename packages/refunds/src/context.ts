import type { Database } from "@daric/postgres/sql";
import { type ConfigOf, integerOr, setting } from "@daric/runtime/setting";
import type { ApiContext } from "@daric/webhooks/events/context";
import type { RefundContext } from "./change-refund.ts";

export const refundSettings = {
  claimDays: setting({
    env: "REFUND_CLAIM_DAYS",
    ...integerOr(30, 1, 3_650),
    roles: ["api"],
    meaning: "The link by which a payer names the address of a refund holds for so many days.",
  }),
};

/** The context that announces refunds. */
export type EventContext = Pick<ApiContext, "config">;

/** The context of the merchant's acts on refunds. */
export type ActingContext = EventContext &
  RefundContext & {
    readonly db: Database;
    readonly config: { readonly refunds: ConfigOf<typeof refundSettings, "api"> };
  };
