import type { NetworkSettings } from "@daric/chain/nodes/networks";
import type { QuotingContext } from "@daric/charges/context";
import type { IssuingContext } from "@daric/charges/create/write-charge";
import type { keepCustomerEmail } from "@daric/charges/keep-customer-email";
import type { LookUp, LookupChain } from "@daric/deposits/lookup/look-up";
import type { MailContext } from "@daric/messages/announce";
import type { ContextOf } from "@daric/runtime/context";
import type { AlarmMetrics } from "@daric/runtime/metrics";
import { type ConfigOf, integerOr, setting } from "@daric/runtime/setting";
import type { WakeUps } from "@daric/runtime/wake-ups";
import { Gauge, type Registry } from "prom-client";
import { z } from "zod";
import type { ReadNetwork } from "./page/view.ts";

/** Rate limits of payers, and where they report a page. */
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
  reportContact: setting({
    env: "REPORT_CONTACT",
    read: z
      .string()
      .regex(/^(https:\/\/\S+|[^\s@/]+@[^\s@/]+)$/, "must be an e-mail address or an https URL")
      .optional(),
    default: "abuse@ the host of PUBLIC_BASE_URL",
    roles: ["api"],
    meaning:
      "Where payers report a shop's page to the operator: an e-mail address or an https URL. Pages show it once there are several merchants.",
  }),
};

export type ApiContext = ContextOf<
  { readonly chain: NetworkSettings; readonly checkout: ConfigOf<typeof checkoutSettings, "api"> },
  CheckoutMetrics & Pick<AlarmMetrics, "alarms">
> &
  QuotingContext &
  MailContext &
  Parameters<typeof keepCustomerEmail>[0] & {
    /** the key of the checksum in every checkout token */
    readonly checkoutKey: Buffer;
    /** verifies that an address was issued for its charge */
    readonly addresses: IssuingContext["addresses"];
    /** of a payment; a setting of deposits, which this folder does not import */
    readonly requiredConfirmations: number;
    readonly currentChain: () => (LookupChain & { readonly network: ReadNetwork }) | undefined;
    /** of this process */
    readonly lookUp: LookUp;
    /** commits in this process that may change a checkout */
    readonly wakeUps?: Pick<WakeUps, "onWakeUp"> | undefined;
  };

type CheckoutMetrics = ReturnType<typeof createCheckoutMetrics>;

export function createCheckoutMetrics(registers: Registry[]) {
  return {
    checkoutSockets: new Gauge({
      name: "daric_checkout_sockets",
      help: "Checkout pages that are connected by a websocket",
      registers,
    }),
  };
}
