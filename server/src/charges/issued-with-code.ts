import type { IssuedAddress } from "../addresses/issued-address.ts";
import type { MerchantId } from "../domain/ids.ts";
import type { ChargeDraft } from "./charge-draft-store.ts";
import { newCheckoutToken } from "./checkout-token.ts";
import type { IssuingContext } from "./context.ts";

/** An address for a charge of this merchant, the token that names the charge, and the code that binds the two. */
export function issuedWithCode(
  { addresses, checkoutKey }: Pick<IssuingContext, "addresses" | "checkoutKey">,
  merchantId: MerchantId,
  issued: IssuedAddress,
): Pick<ChargeDraft, "issued" | "addressMac" | "checkoutToken"> {
  const checkoutToken = newCheckoutToken(checkoutKey);
  return {
    issued,
    checkoutToken,
    addressMac: addresses.macOf({ merchantId, checkoutToken, address: issued.address, index: issued.index }),
  };
}
