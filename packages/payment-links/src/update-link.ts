import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { Database } from "@daric/postgres/sql";
import { lockLinks } from "./click-store.ts";
import { type LinkChange, type PaymentLink, type PaymentLinkRef, requireFuture } from "./payment-link.ts";
import { changeLink, findLink } from "./store.ts";

/**
 * Changes a link. Orders that exist stay as they are.
 *
 * @throws NOT_FOUND if the merchant has no such link; VALIDATION_ERROR for an end in the past, and for a stock below the paid orders.
 * LINK_CLOSED for a link that the operator closed, which the merchant cannot resume.
 */
export async function updateLink(
  { db, now }: { readonly db: Database; readonly now: Date },
  ref: PaymentLinkRef,
  change: LinkChange,
): Promise<PaymentLink> {
  const { expiresAt, maxPayments } = change;
  requireFuture(expiresAt ?? null, now);
  return db.transaction(async (tx) => {
    // No click takes a place between the count and the change.
    await lockLinks(tx, ref.merchantId, [ref.id]);
    const link = await findLink(tx, ref);
    if (link === undefined) throw new ApiError("NOT_FOUND");
    if (change.isActive === true && link.closedAt !== null)
      throw new ApiError("LINK_CLOSED", {
        message: "The operator has closed this payment link: ask the operator.",
      });
    const { paid } = link.places;
    if (maxPayments && maxPayments < paid)
      throw new ApiError("VALIDATION_ERROR", {
        details: [
          {
            path: "maxPayments",
            message: `must be at least ${paid}, the number of paid orders`,
            rule: fieldRule("atLeast", paid),
          },
        ],
      });
    const changed = await changeLink(tx, ref, change);
    if (changed === undefined) throw new ApiError("NOT_FOUND");
    return changed;
  });
}
