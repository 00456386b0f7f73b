import { type PersonId, parseId, type RefundId } from "@daric/domain/ids";
import { type AnnouncingContext, isMailConfigured, sealed } from "@daric/messages/announce";
import { insertMessages } from "@daric/messages/store";
import type { Transaction } from "@daric/postgres/sql";
import type { LockedRefund } from "./store.ts";

/** The cause of a mail with a claim link. Each link has one. */
export type ClaimCause = {
  readonly id: RefundId;
  readonly claimNumber: number;
  /** the person that says that the order's e-mail address is the payer's; null if none did */
  readonly confirmedBy: PersonId | null;
};

const NAME = "refund_claim";

/**
 * Writes the mail with a refund's claim link to the payer of its order, in the transaction that makes the link. The message has a MAC over the person that
 * confirmed the address. The sender drops it where the merchant's program did not give the address, and no person confirmed it.
 */
export async function announceClaim(
  context: AnnouncingContext,
  tx: Transaction,
  { refund, confirmedBy }: { readonly refund: LockedRefund; readonly confirmedBy: PersonId | null },
): Promise<void> {
  const { merchantId, id, chargeId, claimNumber, address, hasCustomerEmail, now: createdAt } = refund;
  if (address !== null || !hasCustomerEmail || !isMailConfigured(context)) return;
  const cause = [NAME, id, claimNumber, ...(confirmedBy === null ? [] : [confirmedBy])].join(" ");
  const receiver = { of: "payer", chargeId } as const;
  await insertMessages(
    tx,
    sealed(context, [{ merchantId, kind: "payer_claim", cause, receiver, createdAt }]),
  );
}

/** The inverse of what {@link announceClaim} writes; undefined for any other text. */
export function readClaimCause(text: string): ClaimCause | undefined {
  const [name, first = "", number = "", person] = text.split(" ");
  const id = parseId("refund", first);
  const confirmedBy = person === undefined ? null : parseId("person", person);
  if (name !== NAME || id === undefined || confirmedBy === undefined || !/^\d+$/.test(number))
    return undefined;
  return { id, claimNumber: Number(number), confirmedBy };
}
