import type { Currency } from "@daric/domain/asset";
import type { ApiKeyId, ChargeId, MerchantId, PersonId, RefundId } from "@daric/domain/ids";
import type { Metadata } from "@daric/domain/metadata";
import type { Amount } from "@daric/domain/money";
import type { RefundAddressSource, RefundDoubt, RefundStatus } from "@daric/domain/refund";
import { isSameMac, macOf } from "@daric/runtime/mac";

export type RefundRef = { readonly merchantId: MerchantId; readonly id: RefundId };

/** The key of the MACs of refunds. */
export type SealingContext = { readonly config: { readonly integrity: { readonly key: Buffer } } };

/** The columns of a refund that change, beside its reason. */
export type RefundState = {
  readonly status: RefundStatus;
  /** the payer's wallet; null until a claim */
  readonly address: string | null;
  readonly namedBy: RefundAddressSource | null;
  /** why a person must confirm it; null where nothing is in doubt */
  readonly needsConfirmation: RefundDoubt | null;
  readonly confirmedBy: PersonId | null;
  /** the number of the claim link that holds */
  readonly claimNumber: number;
  readonly claimUntil: Date;
  readonly refusedAddresses: number;
  /** how often it became READY */
  readonly readyCount: number;
  /** the newest block that was read when it became READY */
  readonly headNumber: number | null;
  /** *Pay* was opened: until then its address stays */
  readonly frozenUntil: Date | null;
  readonly txId: string | null;
  /** what the chain moved, once it is COMPLETED */
  readonly paidUnits: Amount | null;
  readonly readyAt: Date | null;
  readonly sentAt: Date | null;
  readonly completedAt: Date | null;
  readonly canceledAt: Date | null;
};

export type Refund = RefundRef &
  RefundState & {
    readonly chargeId: ChargeId;
    readonly orderRef: string | null;
    readonly metadata: Metadata | null;
    readonly currency: Currency;
    readonly units: Amount;
    /** the part of a price in fiat that was asked for, as sent */
    readonly fiatAmount: string | null;
    readonly refundRef: string | null;
    readonly reason: string | null;
    /** the sender of a large surplus: another address needs a confirmation */
    readonly defaultAddress: string | null;
    readonly askedBy: PersonId | null;
    readonly apiKeyId: ApiKeyId | null;
    readonly requestedAt: Date;
    readonly updatedAt: Date;
    /** the payer of its order left an e-mail address */
    readonly hasCustomerEmail: boolean;
    /** a person made its order */
    readonly isByPerson: boolean;
    readonly mac: Buffer;
  };

/** The columns under the MAC of a refund: all that decides whether, where and how much is paid. */
export type SealedRefund = RefundRef &
  Pick<
    Refund,
    | "chargeId"
    | "currency"
    | "units"
    | "address"
    | "defaultAddress"
    | "status"
    | "needsConfirmation"
    | "claimNumber"
    | "askedBy"
    | "txId"
    | "paidUnits"
  >;

export function refundMac({ config }: SealingContext, refund: SealedRefund): Buffer {
  const { merchantId, id, chargeId, currency, units, status, claimNumber } = refund;
  const { address, defaultAddress, needsConfirmation, askedBy } = refund;
  const where = [address ?? "", defaultAddress ?? "", needsConfirmation ?? "", askedBy ?? ""];
  const paid = [refund.txId ?? "", String(refund.paidUnits ?? "")];
  const parts = [merchantId, id, chargeId, currency, String(units), status, claimNumber, ...where, ...paid];
  return macOf(config.integrity.key, "refund", parts);
}

/** Whether the service wrote the row as it is. */
export function isRefundOurs(context: SealingContext, refund: Refund): boolean {
  return isSameMac(refund.mac, refundMac(context, refund));
}

/** An address that a refund was READY with. A transfer to it in a block above `headNumber` may be the refund. */
export type RefundAddress = {
  readonly merchantId: MerchantId;
  readonly refundId: RefundId;
  readonly address: string;
  readonly currency: Currency;
  readonly units: Amount;
  readonly headNumber: number;
};

export function refundAddressMac({ config }: SealingContext, row: RefundAddress): Buffer {
  const { merchantId, refundId, address, currency, units, headNumber } = row;
  const parts = [merchantId, refundId, address, currency, String(units), headNumber];
  return macOf(config.integrity.key, "refund address", parts);
}
