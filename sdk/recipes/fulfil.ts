import { reasonNotToDeliver, type WebhookEvent } from "@daric/sdk";

// The orders that you created, by orderRef; a real shop reads its own table.
const orders = new Map([
  ["A-1042", { amount: "25.50", currency: "USDT", isFulfilled: false }],
  ["A-2001", { amount: "19.99", currency: "USD", isFulfilled: false }],
]);
const handled = new Set<string>(); // ids of events: in real life a unique column, written in one transaction with the order

/** Fulfils an order once: it must be known, its price must match, and all of its money must have arrived. */
export async function fulfil(event: WebhookEvent): Promise<void> {
  const reason = reasonToWait(event);
  handled.add(event.id);
  const orderRef = orderRefOf(event);
  const order = orders.get(orderRef);
  if (reason !== undefined || order === undefined) return console.log(`not delivered ${orderRef}: ${reason}`);
  order.isFulfilled = true;
  console.log("paid", orderRef, order.amount, order.currency);
}

function reasonToWait(event: WebhookEvent): string | undefined {
  if (handled.has(event.id)) return "the event was handled before";
  const orderRef = orderRefOf(event);
  const order = orders.get(orderRef);
  if (order === undefined) return "no order has this reference";
  if (order.isFulfilled) return "it is delivered already";
  return reasonNotToDeliver(event, { orderRef, ...order });
}

function orderRefOf({ data }: WebhookEvent): string {
  return ("orderRef" in data && data.orderRef) || "";
}
