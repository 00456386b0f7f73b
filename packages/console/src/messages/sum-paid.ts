import { currencies } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import { type Amount, add, formatAmount, parseAmount, zero } from "@daric/domain/money";
import type { OrderEventData } from "@daric/domain/webhook-event";
import { openEvent } from "@daric/webhooks/events/event-mac";
import type { MessageContext } from "./context.ts";
import { listPaidEvents } from "./fact-store.ts";
import type { CoinSum } from "./member-facts.ts";

const PAGE = 1_000;

const PAID = ["order.paid"] as const;
/** An acceptance takes an order as paid. */
export const PAID_OR_ACCEPTED = ["order.paid", "order.accepted"] as const;

/** How many orders were paid in a time, and the money that they received. Only events that the service wrote count. */
export async function sumPaid(
  context: MessageContext,
  merchantId: MerchantId,
  {
    from,
    until,
    types = PAID,
  }: { readonly from: Date; readonly until: Date; readonly types?: readonly string[] },
): Promise<{ readonly orders: number; readonly sums: readonly CoinSum[] }> {
  const db = context.db.forTenant(merchantId);
  const sums = new Map<string, Amount>();
  let [orders, after] = [0, 0n];
  for (;;) {
    const events = await listPaidEvents(db, merchantId, { from, until, after, limit: PAGE, types });
    for (const { id, body, mac } of events) {
      const opened = openEvent(context, { merchantId, id, body }, mac);
      if (opened === undefined) continue;
      const { currency, amountReceived } = opened.data as unknown as OrderEventData;
      orders += 1;
      sums.set(currency, add(sums.get(currency) ?? zero, parseAmount(amountReceived) ?? zero));
    }
    after = events.at(-1)?.position ?? after;
    if (events.length < PAGE) break;
  }
  const came = currencies.filter((currency) => sums.has(currency));
  return {
    orders,
    sums: came.map((currency) => ({ currency, amount: formatAmount(sums.get(currency) ?? zero) })),
  };
}
