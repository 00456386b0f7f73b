import { reasonNotToDeliver, type WebhookEvent } from "@daric/sdk";

// The orders that you created, by orderRef, with the id of the answer; a real shop reads its own table.
const orders = new Map([
  ["A-1042", { depositAddressId: "01a1c0de-0000-7000-8000-000000001042", amount: "25.50", currency: "USDT" }],
  ["A-2001", { depositAddressId: "01a1c0de-0000-7000-8000-000000002001", amount: "19.99", currency: "USD" }],
]);
const fulfilled = new Set<string>();
const cancelled = new Set<string>();
const handled = new Set<string>(); // ids of events: in real life a unique column, written in one transaction with the order

/** Fulfils an order once: it must be known, its charge and its price must match, and all of its money must have arrived. */
export async function fulfil(event: WebhookEvent): Promise<void> {
  const orderRef = orderRefOf(event);
  if (event.event === "order.expired") return cancel(orderRef, event);
  // An ordinary order.paid comes beside its deposit.confirmed.
  if (event.event === "order.paid" && !event.data.restCompletes)
    return console.log("received", event.event, orderRef);
  const reason = reasonToWait(event);
  handled.add(event.id);
  if (reason !== undefined) return console.log(`not delivered ${orderRef}: ${reason}`);
  fulfilled.add(orderRef);
  console.log("paid", orderRef, orders.get(orderRef)?.amount, orders.get(orderRef)?.currency);
}

/** An event speaks of one charge: only that of your order cancels it, and nothing cancels a delivered or a paid order. */
function cancel(orderRef: string, { data }: Extract<WebhookEvent, { event: "order.expired" }>): void {
  const isOwn = orders.get(orderRef)?.depositAddressId === data.depositAddressId;
  const isCancelled = isOwn && !data.orderRefPaid && !fulfilled.has(orderRef);
  if (isCancelled) cancelled.add(orderRef);
  console.log(isCancelled ? "cancelled" : "not cancelled", orderRef);
}

function reasonToWait(event: WebhookEvent): string | undefined {
  if (handled.has(event.id)) return "the event was handled before";
  const orderRef = orderRefOf(event);
  const order = orders.get(orderRef);
  if (order === undefined) return "no order has this reference";
  if (fulfilled.has(orderRef)) return "it is delivered already";
  if (cancelled.has(orderRef)) return "it is cancelled: return the money, or deliver by hand";
  return reasonNotToDeliver(event, { orderRef, ...order });
}

function orderRefOf({ data }: WebhookEvent): string {
  return ("orderRef" in data && data.orderRef) || "";
}
