import type { Transaction } from "@daric/postgres/sql";
import { loadCharges } from "@daric/server/charges/charge";
import { lockOrdersOf, settleOrders } from "@daric/server/charges/settle-orders";
import type { ChargeRef } from "@daric/server/domain/ids";
import type { TestContext } from "./context.ts";

/** Updates these charges as a transaction does that has just confirmed deposits. */
export async function settleCharges(
  context: Pick<TestContext, "config">,
  tx: Transaction,
  refs: readonly ChargeRef[],
): Promise<void> {
  const orders = await lockOrdersOf(tx, refs);
  const charges = await loadCharges(tx, refs);
  await settleOrders(context, tx, { orders, charges });
}
