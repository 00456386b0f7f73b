import { currencies } from "@daric/domain/asset";
import type { MerchantId } from "@daric/domain/ids";
import { type Amount, add, formatAmount, parseAmount, zero } from "@daric/domain/money";
import type { OrderEventData } from "@daric/domain/webhook-event";
import { localTime } from "@daric/messages/local-time";
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

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

/** The first and the last moment of a calendar day of a time zone. A day of a change of clocks has 23 or 25 hours. */
export function dayBounds(day: string, timeZone: string): { readonly from: Date; readonly until: Date } {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return { from: startOfDay(day, timeZone), until: startOfDay(next, timeZone) };
}

/** No zone is further from UTC than 14 hours, and every zone begins its days at a quarter of an hour. */
function startOfDay(day: string, timeZone: string): Date {
  const first = Date.parse(`${day}T00:00:00Z`) - 14 * 60 * MINUTE_MS;
  for (let quarter = 0; quarter <= 28 * 4; quarter += 1) {
    const at = new Date(first + quarter * 15 * MINUTE_MS);
    if (localTime(at, timeZone).day >= day) return at;
  }
  return new Date(first);
}
