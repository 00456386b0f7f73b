import { formatAmount } from "@daric/domain/money";
import type { SettlementEnd } from "@daric/domain/sweep";
import { enqueueEvents, type NewWebhookEvent } from "@daric/webhooks/events/enqueue-events";
import type { SettlementContext, Settling } from "../context.ts";
import { writeUnderLease } from "../write-under-lease.ts";
import {
  type EndedSettlement,
  endSettlement,
  type LandedTransfer,
  listEndable,
  listLanded,
  lockSettlement,
} from "./end-store.ts";

/**
 * Ends each settlement whose sweeps are all over or frozen, with its event. It is completed if every sweep that was
 * not dropped has landed. It has failed if a sweep is frozen or none has landed.
 */
export async function endSettlements(context: SettlementContext, settling: Settling): Promise<void> {
  for (const ref of await listEndable(context.db))
    await writeUnderLease(context, settling, async (tx) => {
      const settlement = await lockSettlement(tx, ref);
      if (settlement === undefined) return;
      const { landed, frozen } = settlement;
      const failureReason = frozen ?? (landed === 0 ? "nothing of it was sent" : null);
      const event = failureReason === null ? "completed" : "failed";
      await endSettlement(tx, ref, { event, failureReason });
      const transfers = await listLanded(tx, ref);
      // A settlement that was dropped before anything was sent has no event.
      if (frozen === null && landed === 0) return;
      await enqueueEvents(context, tx, [eventOf(settlement, { event, failureReason, transfers })]);
    });
}

function eventOf(
  settlement: EndedSettlement,
  {
    event,
    failureReason,
    transfers,
  }: {
    event: SettlementEnd;
    failureReason: string | null;
    transfers: readonly LandedTransfer[];
  },
): NewWebhookEvent {
  const {
    id,
    merchantId,
    settlementAccountId,
    currency,
    address,
    paid,
    feesPaid,
    landed,
    createdAt,
    endedAt,
  } = settlement;
  return {
    type: `settlement.${event}`,
    merchantId,
    resourceId: id,
    data: {
      settlementId: id,
      settlementAccountId,
      chain: "tron",
      currency,
      address,
      amount: formatAmount(paid),
      feesPaid: formatAmount(feesPaid),
      sweepCount: landed,
      failureReason,
      createdAt: createdAt.toISOString(),
      endedAt: endedAt.toISOString(),
      transfers: transfers.map(({ txId, units, recipient }) => ({
        txHash: txId,
        amount: formatAmount(units),
        recipient,
      })),
    },
  };
}
