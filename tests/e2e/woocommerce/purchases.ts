import { strict as assert } from "node:assert";
import { chargeOf } from "./orders.ts";
import { newShopper, type Rig } from "./rig.ts";
import type { OrderOptions, Shopper } from "./shopper.ts";
import type { ShopIds } from "./wordpress.ts";

/** An order that a customer has placed and not paid yet. */
export type Purchase = {
  readonly orderId: number;
  readonly chargeId: string;
  readonly redirect: string;
  readonly shopper: Shopper;
};

/** Places an order as a new guest, by the classic checkout. */
export async function purchase(
  rig: Rig,
  product: keyof ShopIds["products"] = "mug",
  options: OrderOptions = {},
): Promise<Purchase> {
  const shopper = newShopper(rig);
  await shopper.add(product);
  const { orderId, redirect } = await shopper.orderClassic(options);
  return { orderId, redirect, shopper, chargeId: await chargeOf(rig.site, orderId) };
}

/** Runs with orders that expire after so many seconds; Daric needs up to a minute more to see it. */
export async function withLifetime<T>({ daric }: Rig, seconds: number, run: () => Promise<T>): Promise<T> {
  const update = (lifetime: string) =>
    daric.command("merchant", "update", daric.merchantId, "--order-lifetime", lifetime);
  await update(`${seconds}s`);
  try {
    return await run();
  } finally {
    await update("1h");
  }
}

/** Runs the shop's scheduled tasks that are due, as its cron does. */
export async function runCron({ site }: Rig): Promise<void> {
  await site.php(`
    ActionScheduler_QueueRunner::instance()->run('WP CLI');
    return true;`);
}

/** Pays the order by WooCommerce's own page for that, and returns the newest charge. */
export async function payAgain(rig: Rig, { orderId, shopper }: Purchase): Promise<string> {
  const url = await rig.site.php<string>("return wc_get_order($args['id'])->get_checkout_payment_url();", {
    id: orderId,
  });
  const page = await shopper.get(url);
  const [, nonce = ""] = /name="woocommerce-pay-nonce" value="(\w+)"/.exec(page.text) ?? [];
  assert.notEqual(nonce, "", `no form to pay at ${page.url}`);
  const form = { woocommerce_pay: "1", payment_method: "daric", "woocommerce-pay-nonce": nonce };
  const answer = await shopper.post(page.url, form);
  assert.equal(answer.status, 302, answer.text.slice(0, 500));
  return chargeOf(rig.site, orderId);
}
