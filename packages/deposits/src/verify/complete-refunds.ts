import { type Charge, loadCharges } from "@daric/charges/charge";
import { refKey } from "@daric/domain/ids";
import { type Amount, add, smaller, subtract, zero } from "@daric/domain/money";
import { feeToReturn, surplusOf } from "@daric/domain/refund";
import { bookReturnedFees, type ReturnedFee } from "@daric/ledger/book-returned-fees";
import type { Transaction } from "@daric/postgres/sql";
import { endRefundTransfers } from "@daric/refunds/end-transfers";
import type { Refund } from "@daric/refunds/refund";
import { refundEvent } from "@daric/refunds/refund-event";
import { listRefundsOf, listSenders } from "@daric/refunds/store";
import { findNamedByPerson } from "@daric/refunds/transfer-store";
import type { NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import { chargesOf } from "../charge-refs.ts";
import type { WatcherContext } from "../context.ts";

type Completed = { readonly events: NewWebhookEvent[]; readonly isMoreWaiting: boolean };

/**
 * Completes the refunds whose transfers are final at a verified block, and books the fee shares that go back with them. Returns their events; the caller
 * enqueues them at the end of its transaction.
 */
export async function completeRefunds(
  context: WatcherContext,
  tx: Transaction,
  input: Parameters<typeof endRefundTransfers>[2],
): Promise<Completed> {
  const { completed, ready, isMoreWaiting } = await endRefundTransfers(context, tx, input);
  const charges = await loadCharges(tx, chargesOf(completed));
  const returned: ReturnedFee[] = [];
  for (const charge of charges.values()) returned.push(...(await feesToReturn(tx, charge, completed)));
  await bookReturnedFees(tx, returned);
  const events = [
    ...completed.map((refund) => refundEvent(refund, "refund.completed")),
    ...ready.map((refund) => refundEvent(refund, "refund.ready")),
  ];
  return { events, isMoreWaiting };
}

/**
 * The fee shares of a charge's surplus, as far as these refunds paid it to the very addresses that sent it. The earliest refunds are of the surplus, wherever
 * they went. A transfer that a person named brings nothing back: any transfer to a sender could be named.
 */
async function feesToReturn(
  tx: Transaction,
  charge: Charge,
  completed: readonly Refund[],
): Promise<ReturnedFee[]> {
  const { merchantId, id: chargeId, currency } = charge;
  const surplus = surplusOf(charge);
  if (surplus === zero || charge.fee.basisPoints === 0) return [];
  const sent = new Map((await listSenders(tx, charge)).map(({ address, units }) => [address, units]));
  const isNew = new Set(completed.map(refKey));
  const byPerson = await findNamedByPerson(tx, merchantId, completed);
  const paid = (await listRefundsOf(tx, charge))
    .filter((refund) => refund.status === "COMPLETED" && refund.currency === currency)
    .toSorted((one, other) => timeOf(one) - timeOf(other));
  let [surplusLeft, returnedBefore]: [Amount, Amount] = [surplus, zero];
  return paid.flatMap((refund) => {
    const ofSurplus = smaller(refund.paidUnits ?? zero, surplusLeft);
    surplusLeft = subtract(surplusLeft, ofSurplus);
    const address = refund.address ?? "";
    const left = sent.get(address) ?? zero;
    const amount = smaller(ofSurplus, left);
    sent.set(address, subtract(left, amount));
    const { basisPoints } = charge.fee;
    const units = feeToReturn(amount, { surplus, returnedBefore, basisPoints });
    returnedBefore = add(returnedBefore, amount);
    if (!isNew.has(refKey(refund)) || byPerson.has(refund.id) || units === zero) return [];
    return [{ merchantId, chargeId, refundId: refund.id, txId: refund.txId, currency, units }];
  });
}

function timeOf({ completedAt }: Refund): number {
  return completedAt?.getTime() ?? 0;
}
