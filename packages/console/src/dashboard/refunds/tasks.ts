import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { isRefundOurs, type Refund, type SealingContext } from "@daric/refunds/refund";
import { findRefunds } from "@daric/refunds/store";
import { listRefundTasks, type RefundTask } from "@daric/refunds/task-store";

/** More tasks are not looked at. */
const MAX_TASKS = 200;

/** A refund that needs a person, since when, and why. */
export type RefundDuty = { readonly refund: Refund; readonly task: RefundTask; readonly at: Date };

/** The refunds of a merchant that need a person, the newest first. One whose row another program wrote is no task: it cannot be paid. */
export async function readRefundTasks(
  context: SealingContext & { readonly db: Queryable },
  merchantId: MerchantId,
): Promise<RefundDuty[]> {
  const tasks = await listRefundTasks(context.db, merchantId, MAX_TASKS);
  const refunds = await findRefunds(context.db, tasks);
  const byId = new Map(refunds.map((refund) => [refund.id, refund]));
  return tasks.flatMap(({ id, task, at }) => {
    const refund = byId.get(id);
    return refund === undefined || !isRefundOurs(context, refund) ? [] : [{ refund, task, at }];
  });
}
