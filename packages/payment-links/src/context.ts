import type { NetworkSettings } from "@daric/chain/nodes/networks";
import type { IssuingContext } from "@daric/charges/create/write-charge";
import type { checkoutSettings } from "@daric/hosted-checkout/context";
import type { ReadNetwork } from "@daric/hosted-checkout/page/view";
import type { httpSettings } from "@daric/http/settings";
import type { ContextOf } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import type { sendingSettings } from "@daric/webhooks/sending/context";

/** The context of the merchant's routes. */
export type LinkContext = ContextOf<{ readonly http: ConfigOf<typeof httpSettings, "api"> }> & {
  /** the key of the checksum in every token */
  readonly checkoutKey: Buffer;
};

/** The context of the public routes, which create orders. */
export type PublicContext = IssuingContext &
  LinkContext &
  ContextOf<{
    readonly chain: NetworkSettings;
    readonly checkout: ConfigOf<typeof checkoutSettings, "api">;
    readonly webhooks: ConfigOf<typeof sendingSettings, "api">;
  }> & {
    /** the chain, once it is verified */
    readonly currentChain: () => { readonly network: ReadNetwork } | undefined;
  };
