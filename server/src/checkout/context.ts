import type { NetworkSettings } from "../chain/nodes/networks.ts";
import type { IssuingContext, QuotingContext } from "../charges/context.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { WakeUps } from "../runtime/wake-ups.ts";
import type { LookupContext } from "./lookup/look-up-payment.ts";
import type { CheckoutMetrics } from "./metrics.ts";
import type { checkoutSettings } from "./settings.ts";

/** What the payer's page is made with. */
export type ApiContext = ContextOf<
  { readonly chain: NetworkSettings; readonly checkout: ConfigOf<typeof checkoutSettings, "api"> },
  CheckoutMetrics
> &
  QuotingContext & {
    /** the key of the check in every checkout token */
    readonly checkoutKey: Buffer;
    /** what says that an address was issued for its charge */
    readonly addresses: IssuingContext["addresses"];
    /** of a payment; the setting is that of deposits, which this room does not import */
    readonly requiredConfirmations: number;
    readonly currentChain: LookupContext["currentChain"];
    /** that something was committed which a payer may be shown; only of what runs in this process */
    readonly wakeUps?: Pick<WakeUps, "onWakeUp"> | undefined;
  };
