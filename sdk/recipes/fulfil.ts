import type { WebhookEvent } from "@daric/sdk";

// What you asked for, by orderRef: in real life your own table. Coins as Daric answers them: "25.5", not "25.50"; USD as sent.
const orders = new Map([
  ["A-1042", { amount: "25.5", currency: "USDT", isFulfilled: false }],
  ["A-2001", { amount: "19.99", currency: "USD", isFulfilled: false }],
]);
const handled = new Set<string>(); // ids of events: in real life a unique column, written in one transaction with the order

/** Fulfils once, and only what you know, at the price that you asked for, when all of it has arrived. */
export async function fulfil(event: WebhookEvent): Promise<void> {
  if (handled.has(event.id)) return;
  handled.add(event.id);
  if (event.event !== "deposit.confirmed") return;
  const { orderRef, orderAmount, currency, fiatAmount, fiatCurrency, paymentState } = event.data;
  const order = orders.get(orderRef ?? "");
  if (order === undefined || order.isFulfilled) return;
  // Of an order in USD the price is in fiatAmount: its orderAmount is in coins and moves with the rate.
  if ((fiatAmount ?? orderAmount) !== order.amount || (fiatCurrency ?? currency) !== order.currency) return;
  if (paymentState !== "exact" && paymentState !== "over") return; // a part of it: more may follow
  order.isFulfilled = true;
  console.log("paid", orderRef, order.amount, order.currency);
}
