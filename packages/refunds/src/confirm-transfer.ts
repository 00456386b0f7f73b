import { ApiError } from "@daric/domain/errors";
import type { PersonId } from "@daric/domain/ids";
import type { Transaction } from "@daric/postgres/sql";
import { listAddressesOf } from "./address-store.ts";
import { lockOurRefund } from "./change-refund.ts";
import type { ActingContext } from "./context.ts";
import { takeTransfer } from "./record-transfers.ts";
import type { Refund, RefundRef } from "./refund.ts";
import type { LockedRefund } from "./store.ts";
import {
  findGiven,
  giveTransfer,
  listTransfersOf,
  type RefundTransfer,
  transferMac,
} from "./transfer-store.ts";

/** The transfers of a transaction in a block of our chain, as nodes show it. */
export type FindTransfers = (txId: string) => Promise<readonly RefundTransfer[]>;

/**
 * A person says that a transaction paid the refund. Its sender is a paying wallet of the merchant from then on. The refund is SENT by it, and COMPLETED with what
 * it moved once it is final.
 *
 * @throws NOT_FOUND; REFUND_CLOSED if the refund never was READY, or another transaction paid it; VALIDATION_ERROR if the transaction moved none of
 * the coin to an address of the refund, or is of another refund.
 */
export async function confirmTransfer(
  context: ActingContext,
  { txId, personId, ...ref }: RefundRef & { readonly txId: string; readonly personId: PersonId },
  findTransfers: FindTransfers,
): Promise<Refund> {
  const proposed = (await listTransfersOf(context.db, ref)).filter(
    (transfer) => transfer.txId === txId && transfer.isInChain,
  );
  const found = proposed.length > 0 ? proposed : await findTransfers(txId);
  return context.db.transaction(async (tx) => {
    const refund = await lockOurRefund(context, tx, ref);
    if (refund.txId === txId && refund.status !== "CANCELED") return refund;
    if (refund.readyCount === 0 || refund.txId !== null)
      throw new ApiError("REFUND_CLOSED", {
        message:
          refund.txId === null
            ? "The refund never was ready to be paid."
            : "Another transaction paid this refund.",
      });
    const transfer = await chooseTransfer(tx, { refund, found });
    const { network, source, eventIndex, fromAddress, toAddress, currency, units } = transfer;
    const { blockNumber, blockId, blockTime, txExpiresAt } = transfer;
    const row = {
      ...{ network, txId, source, eventIndex, fromAddress, toAddress, currency, units },
      ...{ blockNumber, blockId, blockTime, txExpiresAt },
      ...{ merchantId: ref.merchantId, refundId: ref.id, status: "TAKEN" as const, confirmedBy: personId },
    };
    if (!(await giveTransfer(tx, { ...row, mac: transferMac(context, row) })))
      throw wrongTransaction("is the payment of another refund");
    return takeTransfer(context, tx, { refund, txId });
  });
}

/** The largest of the transfers that moved the coin to an address of the refund. */
async function chooseTransfer(
  tx: Transaction,
  { refund, found }: { readonly refund: LockedRefund; readonly found: readonly RefundTransfer[] },
): Promise<RefundTransfer> {
  const [first] = found;
  if (first === undefined) throw wrongTransaction("is not in a block that this service has read");
  const addresses = new Set((await listAddressesOf(tx, refund)).map(({ address }) => address));
  const toPayer = found.filter(({ toAddress }) => addresses.has(toAddress));
  if (toPayer.length === 0) throw wrongTransaction("moved nothing to an address of this refund");
  const inCoin = toPayer.filter(({ currency }) => currency === refund.currency);
  const given = await findGiven(tx, first.network, [first.txId]);
  const isFree = ({ source, eventIndex }: RefundTransfer) =>
    given.every(
      (row) =>
        row.status === "PROPOSED" ||
        row.refundId === refund.id ||
        row.source !== source ||
        row.eventIndex !== eventIndex,
    );
  if (inCoin.length === 0) throw wrongTransaction(`moved another coin than ${refund.currency}`);
  const chosen = inCoin.filter(isFree).toSorted((one, other) => (one.units < other.units ? 1 : -1))[0];
  if (chosen === undefined) throw wrongTransaction("is the payment of another refund");
  return chosen;
}

function wrongTransaction(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", { details: [{ path: "txHash", message }] });
}
