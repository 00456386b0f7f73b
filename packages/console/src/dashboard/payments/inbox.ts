import { type Charge, findCharge, loadCharges, valuesOfCharge } from "@daric/charges/charge";
import { acceptCharge } from "@daric/charges/close/accept-charge";
import { archiveCharge } from "@daric/charges/close/archive-charge";
import type { AcceptingContext } from "@daric/charges/context";
import { extendCharge } from "@daric/charges/extend-charge";
import { familyIn, loadFamilies, type OrderFamily } from "@daric/charges/order-family";
import type { Seen } from "@daric/domain/caller";
import { chargeStateOf, chargeStates, type OrderTask } from "@daric/domain/charge-state";
import { ApiError } from "@daric/domain/errors";
import { type ChargeRef, idOf, refKey } from "@daric/domain/ids";
import { amountFromUnits, zero } from "@daric/domain/money";
import { isPaidLate, isSettled } from "@daric/domain/order";
import { differenceOf } from "@daric/domain/rest";
import type { Database } from "@daric/postgres/sql";
import { withinTransaction } from "@daric/postgres/within-transaction";
import { uuidv7 } from "uuidv7";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";
import {
  type CoinAmount,
  type InboxPayment,
  type InboxReason,
  isRefunded,
  readRefunding,
  refundsFor,
} from "./inbox-refunds.ts";
import {
  type Decision,
  type InboxCandidate,
  insertNote,
  isFullOfNotes,
  listInboxCandidates,
  MAX_NOTES,
  type PaymentNote,
} from "./payment-note-store.ts";

/** A payment that needs a decision, and why. `at` is when its newest deposit came. */
export type InboxRow = {
  readonly charge: Charge;
  readonly family: OrderFamily;
  readonly reasons: readonly InboxReason[];
  readonly at: Date;
  /** confirmed money that no sum counts, because the charge has another currency */
  readonly unmatched: CoinAmount | undefined;
  /** the refunds that these reasons suggest, at most one of each coin */
  readonly refunds: readonly CoinAmount[];
};

/** Payments that may be seen and need a decision, newest first. */
export async function readInbox(db: Database, seen: Seen): Promise<InboxRow[]> {
  const { merchantId } = seen;
  const tenant = db.forTenant(merchantId);
  const candidates = await listInboxCandidates(tenant, seen);
  const charges = await loadCharges(
    tenant,
    candidates.map(({ id }) => ({ merchantId, id })),
  );
  const families = await loadFamilies(
    tenant,
    [...charges.values()].filter(({ kind }) => kind === "order"),
  );
  const refunding = await readRefunding(db, merchantId, [
    ...charges.values(),
    ...[...families.values()].flatMap(({ first, rests }) => [first, ...rests]),
  ]);
  return candidates.flatMap((candidate) => {
    const charge = charges.get(refKey({ merchantId, id: candidate.id }));
    if (charge === undefined) return [];
    const family = familyIn(families, charge);
    const unmatched = unmatchedOf(candidate);
    const task = { charge, family, unmatched };
    const reasons = reasonsOf(task, candidate).filter((reason) => !isRefunded(task, reason, refunding));
    const refunds = refundsFor(task, reasons, refunding);
    return reasons.length === 0 ? [] : [{ ...task, reasons, at: candidate.at, refunds }];
  });
}

function unmatchedOf({
  unmatchedUnits: units,
  unmatchedCurrency: currency,
}: InboxCandidate): InboxRow["unmatched"] {
  return units === null || currency === null ? undefined : { amount: amountFromUnits(units), currency };
}

/**
 * A deposit that is stuck or of another coin, and the task of the state and of the order's rest. Late money may pay an order of a payment
 * link whose place was sold again.
 */
function reasonsOf({ charge, family }: InboxPayment, candidate: InboxCandidate): InboxReason[] {
  const { isStuck, unmatchedUnits, isOversold } = candidate;
  const reasons: InboxReason[] = [];
  if (isStuck) reasons.push("stuck");
  if (unmatchedUnits !== null) reasons.push("unmatched");
  const task = taskOf(charge, family, candidate);
  if (task !== null) reasons.push(task);
  if (isOversold && isPaidLate(charge.terms, charge.confirmed)) reasons.push("oversold");
  return reasons;
}

/** The newest rest takes over the task of a short order. CoinAmount beside it is late, or too much if the first order is settled without it. */
function taskOf(charge: Charge, family: OrderFamily, { isBesideRest }: InboxCandidate): OrderTask | null {
  const { task } = chargeStates[chargeStateOf(charge)];
  if (family.rests.length > 0 && isSettled(family.first) && (isBesideRest === true || !isSettled(charge)))
    return differenceOf(family) > zero ? "overpaid" : null;
  if (isBesideRest === true) return "late";
  return isBesideRest === false && task === "underpaid" ? null : task;
}

export type DecisionInput = ChargeRef & {
  readonly decision: Decision;
  readonly note: string;
  /** how much longer the order lives; for `extend` alone */
  readonly seconds?: number | undefined;
};
type Context = Pick<AcceptingContext, "config" | "db">;

/**
 * Decides about a payment by the use case of `/v1`, and keeps the note, in one transaction.
 * @throws NOT_FOUND when the merchant has no such charge; what the use case throws.
 */
export async function decide(
  { db, config }: Context,
  actor: Actor,
  { decision, note, seconds = 0, ...ref }: DecisionInput,
): Promise<PaymentNote> {
  return db.transaction(async (tx) => {
    const before = await findCharge(tx, ref);
    if (before === undefined) throw new ApiError("NOT_FOUND");
    const context = { config, db: withinTransaction(tx) };
    if (decision === "accept") await acceptCharge(context, { reason: note, ...ref });
    if (decision === "extend") await extendCharge(context, { seconds, ...ref });
    if (decision === "archive") await archiveCharge(context, ref);
    const after = await findCharge(tx, ref);
    const kept = await addNoteWithin(tx, actor, { ...ref, decision, text: note });
    await auditAct(tx, actor, {
      action: `${decision} payment`,
      subject: `deposit address ${ref.id}`,
      before: valuesOfCharge(before),
      after: after === undefined ? null : valuesOfCharge(after),
      reason: note,
      merchantId: ref.merchantId,
    });
    return kept;
  });
}

/** @throws NOT_FOUND when the merchant has no such charge; CAP_REACHED. */
export async function addNote(
  { db }: Pick<Context, "db">,
  actor: Actor,
  { text, ...ref }: ChargeRef & { readonly text: string },
): Promise<PaymentNote> {
  return db.transaction(async (tx) => {
    if ((await findCharge(tx, ref)) === undefined) throw new ApiError("NOT_FOUND");
    if (await isFullOfNotes(tx, ref))
      throw new ApiError("CAP_REACHED", { message: `A payment can have ${MAX_NOTES} notes.` });
    await auditAct(tx, actor, {
      action: "write note",
      subject: `deposit address ${ref.id}`,
      after: { text },
      merchantId: ref.merchantId,
    });
    return addNoteWithin(tx, actor, { ...ref, decision: null, text });
  });
}

function addNoteWithin(
  tx: Parameters<typeof insertNote>[0],
  { session }: Actor,
  note: ChargeRef & { readonly decision: Decision | null; readonly text: string },
): Promise<PaymentNote> {
  const { merchantId, id: chargeId, decision, text } = note;
  const id = idOf("note", uuidv7());
  return insertNote(tx, { id, merchantId, chargeId, personId: session.personId, decision, text });
}
