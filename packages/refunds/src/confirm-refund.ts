import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { PersonId } from "@daric/domain/ids";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import { changeRefund, lockOurRefund, makeReadyIfSure } from "./change-refund.ts";
import type { ActingContext } from "./context.ts";
import type { Refund, RefundRef } from "./refund.ts";
import { refundEvent } from "./refund-event.ts";
import { countOtherDeciders } from "./store.ts";

type Confirmation = RefundRef & {
  readonly personId: PersonId;
  readonly reason: string | null;
  /** the address that the person saw; null for none, undefined where the person saw no row */
  readonly address?: string | null | undefined;
};

/**
 * A person confirms what is in doubt about a refund. It is READY then, or once the payer names an address. Where the merchant has two owners or admins, the
 * one that asked for the refund cannot confirm it.
 *
 * @throws NOT_FOUND; REFUND_CLOSED if nothing is in doubt; CHANGED_MEANWHILE if its address is another one than the person saw; INSUFFICIENT_SCOPE for the person that asked; VALIDATION_ERROR without a reason for another
 * address than the sender's.
 */
export async function confirmRefund(
  context: ActingContext,
  { personId, reason, address, ...ref }: Confirmation,
): Promise<Refund> {
  return context.db.transaction(async (tx) => {
    const refund = await lockOurRefund(context, tx, ref);
    if (refund.status !== "REQUESTED" || refund.needsConfirmation === null)
      throw new ApiError("REFUND_CLOSED", { message: "Nothing about this refund waits for a confirmation." });
    if (address !== undefined && address !== refund.address)
      throw new ApiError("CHANGED_MEANWHILE", {
        message: "The address of this refund changed since you looked: look at it again.",
      });
    const isOwn = refund.askedBy === personId;
    if (isOwn && (await countOtherDeciders(tx, { merchantId: ref.merchantId, personId })) > 0)
      throw new ApiError("INSUFFICIENT_SCOPE", {
        message: "You asked for this refund: another owner or admin must confirm it.",
      });
    if (isElsewhere(refund) && reason === null)
      throw new ApiError("VALIDATION_ERROR", {
        details: [
          {
            path: "reason",
            message: "must say why another address than the sender's is paid",
            rule: fieldRule("required"),
          },
        ],
      });
    const sure = { refund, needsConfirmation: null, confirmedBy: personId, reason: reason ?? refund.reason };
    const after = await makeReadyIfSure(context, tx, await changeRefund(context, tx, sure));
    if (after.status === "READY") await enqueueEvents(context, tx, [refundEvent(after, "refund.ready")]);
    return after;
  });
}

/** Whether a large surplus is to go to another address than the one that sent it, whatever else is in doubt. */
function isElsewhere({ address, defaultAddress }: Refund): boolean {
  return address !== null && defaultAddress !== null && address !== defaultAddress;
}
