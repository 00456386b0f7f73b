import { setTimeout as sleep } from "node:timers/promises";
import type { Row, Stack, StackMerchant } from "@daric/testing/stack";

const EVERY_MS = 50;
/** One in this many orders is paid. */
const PAID_EVERY = 8;
const AMOUNT = "2";

/** A merchant that sells twenty times a second. */
export type StackShop = {
  readonly orders: readonly Row[];
  /** the ids of the orders that were paid */
  readonly paid: ReadonlySet<string>;
  sell(): Promise<void>;
  sellFor(ms: number): Promise<void>;
  pay(order: Row): Promise<void>;
};

export function openStackShop(stack: Stack, merchant: StackMerchant): StackShop {
  const orders: Row[] = [];
  const paid = new Set<string>();

  async function sell(): Promise<void> {
    const order = await merchant.call("POST", "/v1/deposit-addresses", {
      amount: AMOUNT,
      orderRef: `shop-${orders.length}-${Date.now()}`,
    });
    orders.push(order);
    if (orders.length % PAID_EVERY === 0) await pay(order);
  }

  async function pay({ id, address }: Row): Promise<void> {
    await stack.control("faucet", { address, usdt: AMOUNT });
    paid.add(id);
  }

  return {
    orders,
    paid,
    pay,
    sell,
    sellFor: async (ms) => {
      const sales: Promise<void>[] = [];
      for (const endMs = performance.now() + ms; performance.now() < endMs; ) {
        const sale = sell();
        // The drill awaits the sale later, and fails with it.
        sale.catch(() => {});
        sales.push(sale);
        await sleep(EVERY_MS);
      }
      await Promise.all(sales);
    },
  };
}
