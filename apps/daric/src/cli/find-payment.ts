import { addressBytes } from "@daric/addresses/address-bytes";
import { findOwners } from "@daric/addresses/directory-store";
import { type Charge, findCharge } from "@daric/charges/charge";
import { listCharges } from "@daric/charges/list-charges";
import { type ListedCheck, listChecks } from "@daric/deposits/check-store";
import { findDeposit, type ListedDeposit, listDeposits } from "@daric/deposits/list-store";
import { findArrivals } from "@daric/deposits/lookup/arrival-store";
import { type ListedUnsupported, listUnsupported } from "@daric/deposits/record/unsupported-store";
import { type ChargeRef, idOf, isId, type MerchantId, type RefundId, refKey } from "@daric/domain/ids";
import { readNamedTransaction } from "@daric/domain/lookup";
import { listMerchants } from "@daric/merchants/store";
import type { Queryable } from "@daric/postgres/sql";
import type { Refund } from "@daric/refunds/refund";
import { findRefund, listRefundsOf } from "@daric/refunds/store";
import { listRefundsPaidBy } from "@daric/refunds/transfer-store";
import { type AuditEntry, listAuditEntries } from "@daric/runtime/audit-store";
import { isAddress } from "@daric/tron/address";
import {
  type DeliveryLogRow,
  findReferences,
  listDeliveries,
  listEventsWithoutDelivery,
} from "@daric/webhooks/deliveries/delivery-log-store";

/** The most charges of a result: a reference can be on many. */
const MAX_CHARGES = 10;
/** The most deposits of a charge. A receive address can have many more; the newest are shown. */
const MAX_DEPOSITS = 20;
const MAX_DELIVERIES = 20;
const MAX_REFUNDS = 20;
const MAX_UNSUPPORTED = 20;

/** A charge with everything about it. */
export type FoundPayment = {
  readonly charge: Charge;
  /** the newest ones, and the number of all */
  readonly deposits: readonly ListedDeposit[];
  readonly depositCount: number;
  /** the results of these deposits' checks */
  readonly checks: readonly ListedCheck[];
  /** the newest tokens at its address that Daric does not accept */
  readonly unsupported: readonly ListedUnsupported[];
  /** the newest ones of its refunds */
  readonly refunds: readonly Refund[];
  /** the webhooks of the charge, of its deposits and of its refunds */
  readonly deliveries: readonly DeliveryLogRow[];
  /** their events without an endpoint */
  readonly eventsWithoutDelivery: Awaited<ReturnType<typeof listEventsWithoutDelivery>>;
  /** operators' decisions about its deposits, the oldest first */
  readonly decisions: readonly (AuditEntry & { readonly at: Date })[];
};

/**
 * Finds by order reference, address, transaction, or id, among all merchants. The id is of a charge, a deposit, a refund, an event, a delivery
 * or an endpoint. Returns at most 10 charges, the newest first; of an endpoint, those of its newest deliveries.
 */
export async function findPayments(db: Queryable, text: string): Promise<FoundPayment[]> {
  const refs = new Map((await findRefs(db, text)).map((ref) => [refKey(ref), ref]));
  const found: FoundPayment[] = [];
  for (const ref of [...refs.values()].slice(0, MAX_CHARGES)) {
    const charge = await findCharge(db, ref);
    if (charge !== undefined) found.push(await complete(db, charge));
  }
  return found;
}

async function findRefs(db: Queryable, text: string): Promise<ChargeRef[]> {
  if (isAddress(text)) {
    const owners = await findOwners(db, [addressBytes(text)]);
    // After a restore the directory may hold an address without a charge.
    return owners.flatMap(({ merchantId, chargeId: id }) => (merchantId && id ? [{ merchantId, id }] : []));
  }
  const refs: ChargeRef[] = [];
  for (const { id: merchantId } of await listMerchants(db))
    refs.push(...(await refsOf(db, merchantId, text)));
  return refs;
}

async function refsOf(db: Queryable, merchantId: MerchantId, text: string): Promise<ChargeRef[]> {
  const page = { limit: MAX_CHARGES, offset: 0 };
  const transaction = readNamedTransaction(text);
  if (typeof transaction === "object") {
    const arrivals = await findArrivals(db, { merchantId, ...transaction });
    if (arrivals.length > 0) return arrivals.map(({ chargeId: id }) => ({ merchantId, id }));
    const paid = await listRefundsPaidBy(db, { merchantId, ...transaction });
    if (paid.length > 0) return chargesOfRefunds(db, merchantId, paid);
  }
  if (isId(text)) {
    const id = text.toLowerCase();
    const refs: ChargeRef[] = [];
    for (const subject of [id, ...(await findReferences(db, { merchantId, id }))]) {
      const deposit = await findDeposit(db, { merchantId, id: idOf("deposit", subject) });
      const [refunded] = deposit ? [] : await chargesOfRefunds(db, merchantId, [idOf("refund", subject)]);
      const ref = { merchantId, id: deposit?.chargeId ?? refunded?.id ?? idOf("charge", subject) };
      if ((await findCharge(db, ref)) !== undefined) refs.push(ref);
    }
    if (refs.length > 0) return refs;
  }
  return (await listCharges(db, { merchantId, orderRef: text }, page)).rows;
}

async function chargesOfRefunds(
  db: Queryable,
  merchantId: MerchantId,
  ids: readonly RefundId[],
): Promise<ChargeRef[]> {
  const refs: ChargeRef[] = [];
  for (const id of ids) {
    const refund = await findRefund(db, { merchantId, id });
    if (refund !== undefined) refs.push({ merchantId, id: refund.chargeId });
  }
  return refs;
}

async function complete(db: Queryable, charge: Charge): Promise<FoundPayment> {
  const { merchantId, id: chargeId } = charge;
  const chargeFilter = { merchantId, chargeId };
  const { rows: deposits, total } = await listDeposits(db, chargeFilter, { limit: MAX_DEPOSITS, offset: 0 });
  const checks = await listChecks(db, { merchantId, depositIds: deposits.map(({ id }) => id) });
  const deliveries: DeliveryLogRow[] = [];
  const decisions: (AuditEntry & { at: Date })[] = [];
  const refunds = (await listRefundsOf(db, charge)).slice(-MAX_REFUNDS);
  const referenceIds = [chargeId, ...deposits.map(({ id }) => id), ...refunds.map(({ id }) => id)];
  for (const referenceId of referenceIds) {
    const filter = { merchantId, status: undefined, referenceId };
    deliveries.push(...(await listDeliveries(db, filter, { limit: MAX_DELIVERIES, offset: 0 })).rows);
  }
  for (const { id } of deposits) decisions.push(...(await listAuditEntries(db, `deposit ${id}`)));
  const byTime = (left: DeliveryLogRow, right: DeliveryLogRow) =>
    left.createdAt.getTime() - right.createdAt.getTime();
  return {
    charge,
    deposits,
    depositCount: total,
    checks,
    refunds,
    unsupported: await listUnsupported(db, { ...chargeFilter, limit: MAX_UNSUPPORTED }),
    deliveries: deliveries.toSorted(byTime),
    eventsWithoutDelivery: await listEventsWithoutDelivery(db, { merchantId, referenceIds }),
    decisions,
  };
}
