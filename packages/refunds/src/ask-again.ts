import { ApiError } from "@daric/domain/errors";
import type { PersonId } from "@daric/domain/ids";
import type { RefundDoubt } from "@daric/domain/refund";
import type { Transaction } from "@daric/postgres/sql";
import { announceClaim } from "./announce-claim.ts";
import { changeRefund, lockOurRefund, moveRefund } from "./change-refund.ts";
import type { ActingContext } from "./context.ts";
import type { Refund, RefundRef } from "./refund.ts";
import type { LockedRefund } from "./store.ts";

const DAY_MS = 86_400_000;

/**
 * Asks the payer for an address again: a new link holds, and the old one is dead. A refund that was READY waits for the new address; the old one must not be
 * paid, and a transfer to it is recognised all the same. The payer is mailed, if the merchant's program gave the address or the person `confirmedBy` says that it is
 * the payer's.
 *
 * @throws NOT_FOUND; REFUND_CLOSED once it is on the chain or canceled, and for half an hour after *Pay* was opened.
 */
export async function askAgain(
  context: ActingContext,
  { confirmedBy = null, ...ref }: RefundRef & { readonly confirmedBy?: PersonId | null },
): Promise<Refund> {
  return context.db.transaction(async (tx) => {
    const refund = await lockOurRefund(context, tx, ref);
    requireThawed(refund);
    const asked = {
      address: null,
      namedBy: null,
      needsConfirmation: doubtAbout(refund),
      claimNumber: refund.claimNumber + 1,
      claimUntil: claimEnd(context, refund.now),
      refusedAddresses: 0,
      frozenUntil: null,
    } as const;
    const after = await write(context, tx, { refund, ...asked });
    await announceClaim(context, tx, { refund: after, confirmedBy });
    return after;
  });
}

/** A person confirmed the refund with its old address: the next one needs it anew. */
function doubtAbout({ needsConfirmation, confirmedBy }: LockedRefund): RefundDoubt | null {
  if (needsConfirmation !== null && needsConfirmation !== "other_address") return needsConfirmation;
  return confirmedBy === null ? null : "address";
}

/** The end of a claim link that is made now. */
export function claimEnd({ config }: Pick<ActingContext, "config">, now: Date): Date {
  return new Date(now.getTime() + config.refunds.claimDays * DAY_MS);
}

/** @throws REFUND_CLOSED while a person may be paying the refund */
export function requireThawed({ frozenUntil, now }: LockedRefund): void {
  if (frozenUntil !== null && frozenUntil > now)
    throw new ApiError("REFUND_CLOSED", {
      message: `A person opened Pay, so the address stays until ${frozenUntil.toISOString()}.`,
    });
}

async function write(
  context: ActingContext,
  tx: Transaction,
  change: Parameters<typeof changeRefund<LockedRefund>>[2],
): Promise<LockedRefund> {
  return change.refund.status === "REQUESTED"
    ? changeRefund(context, tx, change)
    : moveRefund(context, tx, { ...change, event: "put_back" });
}
