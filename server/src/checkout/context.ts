import type { NetworkName } from "../chain/networks.ts";
import type { QuotingContext } from "../charges/context.ts";
import type { ContextOf } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { checkoutSettings } from "./settings.ts";

/** What the payer's page is made with. */
export type ApiContext = ContextOf<{
  readonly chain: { readonly network: NetworkName };
  readonly checkout: ConfigOf<typeof checkoutSettings, "api">;
}> &
  QuotingContext & {
    /** the key of the check in every checkout token */
    readonly checkoutKey: Buffer;
    /** of a payment; the setting is that of deposits, which this room does not import */
    readonly requiredConfirmations: number;
  };
