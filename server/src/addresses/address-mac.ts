import type { NetworkName } from "../chain/nodes/networks.ts";
import type { MerchantId } from "../domain/ids.ts";
import { macOf } from "../runtime/mac.ts";

/**
 * What an address was issued as. A charge is named by its checkout token: its id has the database's time in it and is made by
 * the statement that stores it, and the token is of one charge for ever all the same.
 */
export type IssuedAs = {
  readonly merchantId: MerchantId;
  readonly checkoutToken: string;
  readonly address: string;
  readonly index: number;
};

/** Whose key makes the code, and of which network the address is. */
export type MacContext = {
  readonly config: {
    readonly integrity: { readonly key: Buffer };
    readonly chain: { readonly network: NetworkName };
  };
};

/** The code of an address that was issued: another one for another network, index, address, merchant or charge. */
export function addressMac(
  { config: { integrity, chain } }: MacContext,
  { merchantId, checkoutToken, address, index }: IssuedAs,
): Buffer {
  return macOf(integrity.key, "address", [chain.network, index, address, merchantId, checkoutToken]);
}
