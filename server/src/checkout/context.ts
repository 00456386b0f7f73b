import type { NetworkSettings } from "../chain/nodes/networks.ts";
import type { QuotingContext } from "../charges/context.ts";
import type { IssuingContext } from "../charges/create/write-charge.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { WakeUps } from "../runtime/wake-ups.ts";
import type { LookupContext } from "./lookup/look-up-payment.ts";
import type { CheckoutMetrics } from "./metrics.ts";
import type { checkoutSettings } from "./settings.ts";

export type ApiContext = ContextOf<
  { readonly chain: NetworkSettings; readonly checkout: ConfigOf<typeof checkoutSettings, "api"> },
  CheckoutMetrics
> &
  QuotingContext & {
    /** the key of the checksum in every checkout token */
    readonly checkoutKey: Buffer;
    /** verifies that an address was issued for its charge */
    readonly addresses: IssuingContext["addresses"];
    /** of a payment; a setting of deposits, which this folder does not import */
    readonly requiredConfirmations: number;
    readonly currentChain: LookupContext["currentChain"];
    /** commits in this process that may change a checkout */
    readonly wakeUps?: Pick<WakeUps, "onWakeUp"> | undefined;
  };
