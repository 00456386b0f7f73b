import { ApiError } from "@daric/domain/errors";
import { MAX_REFUSED_ADDRESSES } from "@daric/domain/refund";
import type { Database, Transaction } from "@daric/postgres/sql";
import { enqueueEvents } from "@daric/webhooks/events/enqueue-events";
import {
  changeRefund,
  lockOurRefund,
  makeReadyIfSure,
  type RefundContext,
  requireOurs,
} from "./change-refund.ts";
import { type ClaimLink, readClaimToken } from "./claim-token.ts";
import type { EventContext } from "./context.ts";
import type { Refund } from "./refund.ts";
import { refundEvent } from "./refund-event.ts";
import { findRefund, type LockedRefund } from "./store.ts";
import type { PayeeFault } from "./vet-address.ts";

/** Why an address takes no refund; undefined where it does. @throws an ApiError while that cannot be known */
export type VetAddress = (refund: Refund, address: string) => Promise<PayeeFault | undefined>;

/** Why a claim link takes no address. `replaced`: a newer link holds. `refused`: too many addresses were refused. */
export type ClaimEnd = "canceled" | "paid" | "taken" | "expired" | "refused" | "replaced";

/** A refund, as its claim link shows it. The holder of a `replaced` link sees nothing of it. */
export type Claim = {
  readonly refund: Refund;
  /** undefined while the link takes an address */
  readonly closed: ClaimEnd | undefined;
};

/** An address that was sent to a claim link, and what became of it: without a fault it can be taken, or was. */
export type NamedClaim = Claim & { readonly fault: PayeeFault | undefined };

type ClaimContext = EventContext & RefundContext & { readonly db: Database };
type Naming = { readonly token: string; readonly address: string; readonly vet: VetAddress };

/** The refund behind a claim link. Reading changes nothing. @throws NOT_FOUND for a token that we did not make, without a query. */
export async function readClaim(
  context: RefundContext & { readonly db: Pick<Database, "forTenant"> },
  token: string,
): Promise<Claim> {
  const link = linkOf(context, token);
  const refund = await findRefund(context.db.forTenant(link.merchantId), link);
  if (refund === undefined || !requireOurs(context, refund)) throw new ApiError("NOT_FOUND");
  return claimOf(refund, link);
}

/**
 * Checks the payer's address, and takes it not yet. A refused one is counted: ten close the link. The address that the link took is
 * answered without a check.
 *
 * @throws NOT_FOUND; REFUND_CLOSED if the link takes no address any more; what `vet` throws.
 */
export async function checkClaim(context: ClaimContext, naming: Naming): Promise<NamedClaim> {
  const claim = await readClaim(context, naming.token);
  if (isTaken(claim, naming)) return { ...claim, fault: undefined };
  requireOpenClaim(claim);
  const fault = await naming.vet(claim.refund, naming.address);
  if (fault === undefined) return { ...claim, fault };
  const counted = await change(context, naming, (tx, refund) =>
    changeRefund(context, tx, { refund, refusedAddresses: refund.refusedAddresses + 1 }),
  );
  return { ...counted, fault };
}

/**
 * Names the payer's address. A link takes one address, once; the same address again answers the same. The refund is READY by it, unless a person must
 * confirm it.
 *
 * @throws as {@link checkClaim}.
 */
export async function claimRefund(context: ClaimContext, naming: Naming): Promise<NamedClaim> {
  const checked = await checkClaim(context, naming);
  if (checked.fault !== undefined || isTaken(checked, naming)) return checked;
  const { address } = naming;
  const claim = await change(context, naming, (tx, refund) => take(context, tx, { refund, address }));
  return { ...claim, fault: undefined };
}

/** Changes the refund of a link that takes an address, under its lock. One that took this address meanwhile stays as it is. */
async function change(
  context: ClaimContext,
  naming: Naming,
  write: (tx: Transaction, refund: LockedRefund) => Promise<Refund>,
): Promise<Claim> {
  const link = linkOf(context, naming.token);
  return context.db.forTenant(link.merchantId).transaction(async (tx) => {
    const refund = await lockOurRefund(context, tx, link);
    const now = claimOf(refund, link);
    if (isTaken(now, naming)) return now;
    requireOpenClaim(now);
    return claimOf(await write(tx, refund), link);
  });
}

/** A large surplus goes back to its sender; another address needs the merchant's word. */
async function take(
  context: EventContext & RefundContext,
  tx: Transaction,
  { refund, address }: { readonly refund: LockedRefund; readonly address: string },
): Promise<Refund> {
  const isOther = refund.defaultAddress !== null && refund.defaultAddress !== address;
  const needsConfirmation = refund.needsConfirmation ?? (isOther ? "other_address" : null);
  const named = await changeRefund(context, tx, { refund, address, namedBy: "payer", needsConfirmation });
  const after = await makeReadyIfSure(context, tx, named);
  if (after.status === "READY") await enqueueEvents(context, tx, [refundEvent(after, "refund.ready")]);
  return after;
}

function linkOf(context: RefundContext, token: string): ClaimLink {
  const link = readClaimToken(context, token);
  if (link === undefined) throw new ApiError("NOT_FOUND");
  return link;
}

function claimOf(refund: Refund, { claimNumber }: ClaimLink): Claim {
  return { refund, closed: refund.claimNumber === claimNumber ? closedBy(refund) : "replaced" };
}

/** Whether the link took this very address. */
function isTaken({ refund, closed }: Claim, { address }: Naming): boolean {
  return closed !== "replaced" && refund.address === address;
}

/** Why the newest claim link of a refund takes no address; undefined while it takes one. */
export function closedBy({ status, address, claimUntil, refusedAddresses }: Refund): ClaimEnd | undefined {
  if (status === "CANCELED") return "canceled";
  if (status === "COMPLETED" || status === "SENT") return "paid";
  if (address !== null) return "taken";
  if (claimUntil <= new Date()) return "expired";
  return refusedAddresses >= MAX_REFUSED_ADDRESSES ? "refused" : undefined;
}

const endTexts: Readonly<Record<ClaimEnd, string>> = {
  canceled: "The shop canceled this refund.",
  paid: "This refund is paid.",
  taken: "This link took an address already. Ask the shop for a new link to change it.",
  expired: "This link has expired. Ask the shop for a new one.",
  refused: "Too many addresses were refused. Ask the shop for a new link.",
  replaced: "The shop sent a newer link for this refund: this one does not hold any more.",
};

/** @throws REFUND_CLOSED with the reason if the link takes no address */
export function requireOpenClaim({ closed }: Claim): void {
  if (closed !== undefined) throw new ApiError("REFUND_CLOSED", { message: endTexts[closed] });
}
