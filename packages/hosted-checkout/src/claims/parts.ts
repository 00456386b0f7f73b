import type { NetworkSettings } from "@daric/chain/nodes/networks";
import { ApiError } from "@daric/domain/errors";
import type { RefundContext } from "@daric/refunds/change-refund";
import { type Claim, checkClaim, claimRefund, type NamedClaim } from "@daric/refunds/claim-refund";
import type { EventContext } from "@daric/refunds/context";
import type { Refund } from "@daric/refunds/refund";
import { listSenders } from "@daric/refunds/store";
import type { ContextOf } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import type { checkoutSettings } from "../context.ts";
import type { createOperatorOf } from "../find-operator.ts";
import type { ReadNetwork } from "../page/view.ts";
import type { ShownClaim } from "./schema.ts";
import { findPayersShop } from "./shop-store.ts";
import { type AccountChain, createAddressVetting } from "./vet-claimed-address.ts";

/** The context of the payer's side of refunds. */
export type ClaimingContext = ContextOf<{
  readonly chain: NetworkSettings;
  readonly http: { readonly publicBaseUrl: string | undefined; readonly failuresPerMinute: number };
  readonly checkout: ConfigOf<typeof checkoutSettings, "api">;
}> &
  EventContext &
  RefundContext &
  Parameters<typeof createOperatorOf>[0] & {
    readonly currentChain: () => (AccountChain & { readonly network: ReadNetwork }) | undefined;
  };

/** An address that was sent to a link, with facts for its page. */
export type NamedAddress = NamedClaim & {
  /** the chain has no account of it yet */
  readonly isNew: boolean;
};

export type AddressNaming = {
  readonly token: string;
  readonly address: string;
  /** takes the address, where without it the address is only checked */
  readonly isSure: boolean;
  /** of the payer, in the form of rate limits */
  readonly clientAddress: string;
};

/** The functions behind the page and the JSON of claims. */
export type ClaimParts = {
  /** Completes a claim by its shop, and by whether its address paid the order. */
  readonly shown: (claim: Claim) => Promise<ShownClaim>;
  /** Whether an address sent money of the refund's order, in its coin. */
  readonly hasPaid: (refund: Refund, address: string) => Promise<boolean>;
  /**
   * Checks an address, or takes it.
   *
   * @throws the errors of `claimRefund`; SERVICE_UNAVAILABLE while it cannot be checked.
   */
  readonly name: (naming: AddressNaming) => Promise<NamedAddress>;
};

/** Creates the parts that the page and the JSON of claims share. */
export function createClaimParts(context: ClaimingContext): ClaimParts {
  const { db } = context;
  const vetting = createAddressVetting(context);
  const hasPaid: ClaimParts["hasPaid"] = async ({ merchantId, chargeId: id, currency }, address) => {
    const senders = await listSenders(db.forTenant(merchantId), { merchantId, id, currency });
    return senders.some((sender) => sender.address === address);
  };
  return {
    hasPaid,
    shown: async (claim) => {
      const { merchantId, address } = claim.refund;
      const merchant = await findPayersShop(db.forTenant(merchantId), merchantId);
      if (merchant === undefined) throw new ApiError("NOT_FOUND");
      const hasPaidOrder = address === null ? null : await hasPaid(claim.refund, address);
      return { ...claim, merchant, hasPaidOrder };
    },
    name: async ({ token, address, isSure, clientAddress }) => {
      let isNew = false;
      const vet = async (refund: Refund, named: string) => {
        const vetted = await vetting({ refund, address: named, clientAddress });
        isNew = vetted.isNew;
        return vetted.fault;
      };
      const named = await (isSure ? claimRefund : checkClaim)(context, { token, address, vet });
      return { ...named, isNew };
    },
  };
}
