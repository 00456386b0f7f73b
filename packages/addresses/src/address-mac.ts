import type { NetworkName } from "@daric/chain/nodes/networks";
import type { MerchantId } from "@daric/domain/ids";
import { macOf } from "@daric/runtime/mac";

/** `checkoutToken` stands for the charge, because the charge's id is made by the statement that stores the MAC. */
export type IssuedAs = {
  readonly merchantId: MerchantId;
  readonly checkoutToken: string;
  readonly address: string;
  readonly index: number;
};

export type MacContext = {
  readonly config: {
    readonly integrity: { readonly key: Buffer };
    readonly chain: { readonly network: NetworkName };
  };
};

/** The row MAC of an issued address. It covers network, index, address, merchant and charge. */
export function addressMac(
  { config: { integrity, chain } }: MacContext,
  { merchantId, checkoutToken, address, index }: IssuedAs,
): Buffer {
  return macOf(integrity.key, "address", [chain.network, index, address, merchantId, checkoutToken]);
}
