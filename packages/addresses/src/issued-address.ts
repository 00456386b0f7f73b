import type { AccountKeyId, ChargeId, MerchantId } from "@daric/domain/ids";

export type IssuedAddress = {
  readonly accountKeyId: AccountKeyId;
  readonly index: number;
  readonly address: string;
  /** its 20 bytes */
  readonly bytes: Buffer;
};

/**
 * An address of the directory with the place of its key. Merchant and charge are null for an address in an index gap, and
 * the charge alone for one that is reserved for its merchant.
 */
export type AddressOwner = {
  /** the 20 bytes of the address */
  readonly bytes: Buffer;
  readonly merchantId: MerchantId | null;
  readonly chargeId: ChargeId | null;
  readonly accountKeyId: AccountKeyId;
  readonly index: bigint;
};
