import type { WebhookEvent } from "@daric/sdk";

// What you asked for, by orderRef: in real life your own table. Amounts as Daric answers them: "25.5", not "25.50".
const orders = new Map([["A-1042", { amount: "25.5", currency: "USDT", isFulfilled: false }]]);
const handled = new Set<string>(); // ids of events: in real life a unique column, written in one transaction with the order

/** Fulfils once, and only what you know, at the price that you asked for, when all of it has arrived. */
export async function fulfil(event: WebhookEvent): Promise<void> {
  if (handled.has(event.id)) return;
  handled.add(event.id);
  if (event.event !== "deposit.confirmed") return;
  const { orderRef, orderAmount, currency, paymentState } = event.data;
  const order = orders.get(orderRef ?? "");
  if (order === undefined || order.isFulfilled) return;
  if (orderAmount !== order.amount || currency !== order.currency) return;
  if (paymentState !== "exact" && paymentState !== "over") return; // a part of it: more may follow
  order.isFulfilled = true;
  console.log("paid", orderRef, orderAmount, currency);
}
