import { strict as assert } from "node:assert";
import { chargeOf, hasTask, orderWhen, readOrder } from "../orders.ts";
import { payAgain, purchase } from "../purchases.ts";
import { journey, newShopper, type Rig } from "../rig.ts";

const statusOf = async ({ daric }: Rig, chargeId: string): Promise<string> =>
  (await daric.call("GET", `/v1/deposit-addresses/${chargeId}`)).status;

/** The shop's people make three of one. */
const edit = ({ site }: Rig, id: number) =>
  site.php(
    `$order = wc_get_order($args['id']);
     foreach ($order->get_items() as $item) { $item->set_quantity(3); $item->set_subtotal('37.02'); $item->set_total('37.02'); $item->save(); }
     $order->calculate_totals(); $order->save(); return true;`,
    { id },
  );

export const carts = [
  journey("two tabs that send the same cart make one charge of each order", async (rig) => {
    const shopper = newShopper(rig);
    await shopper.add("mug");
    const placed = await Promise.allSettled([shopper.orderClassic(), shopper.orderClassic()]);
    const orders = placed.flatMap((one) => (one.status === "fulfilled" ? [one.value.orderId] : []));
    assert.ok(orders.length > 0, "no tab made an order");
    for (const id of new Set(orders)) assert.equal((await readOrder(rig.site, id)).attempts.length, 1);
  }),
  journey("the back button and a second click find the same charge again", async (rig) => {
    const first = await purchase(rig);
    const again = await first.shopper.orderClassic();
    assert.equal(again.orderId, first.orderId, "WooCommerce made a second order");
    assert.equal(await chargeOf(rig.site, again.orderId), first.chargeId);
    assert.equal((await readOrder(rig.site, again.orderId)).attempts.length, 1);
  }),
  journey(
    "a changed cart makes a new order, and the charge of the old one pays the old one alone",
    async (rig) => {
      const { site, daric } = rig;
      const first = await purchase(rig);
      await first.shopper.add("book");
      const second = await first.shopper.orderClassic();
      const { total, attempts } = await readOrder(site, second.orderId);
      assert.notEqual(attempts.at(-1)?.chargeId, first.chargeId);
      assert.equal(Number(attempts.at(-1)?.amount), Number(total));
      await daric.pay(first.chargeId, "exact");
      await orderWhen(site, first.orderId, "processing");
      assert.equal((await readOrder(site, second.orderId)).status, "pending");
      await daric.pay(await chargeOf(site, second.orderId), "exact");
      await orderWhen(site, second.orderId, "processing");
    },
  ),
  journey("a changed total closes the old charge, and money for it pays nothing", async (rig) => {
    const { site, daric } = rig;
    const first = await purchase(rig);
    await edit(rig, first.orderId);
    const second = await payAgain(rig, first);
    assert.notEqual(second, first.chargeId);
    assert.equal(await statusOf(rig, first.chargeId), "ARCHIVED");
    const { total, attempts } = await readOrder(site, first.orderId);
    assert.equal(Number(attempts.at(-1)?.amount), Number(total));
    await daric.pay(first.chargeId, "exact").catch(() => daric.pay(first.chargeId, "late"));
    const held = await orderWhen(site, first.orderId, "on-hold");
    assert.equal(held.isPaid, false, held.notes.join(" | "));
    assert.ok(hasTask(held), "no task");
    await daric.pay(second, "exact");
    await orderWhen(site, first.orderId, "processing");
  }),
  journey(
    "an order that changed to another method is not paid by money for its charge; the money is a task",
    async (rig) => {
      const { site, daric } = rig;
      const first = await purchase(rig);
      const second = await first.shopper.orderClassic({ method: "bacs" });
      assert.equal(second.orderId, first.orderId);
      await daric.pay(first.chargeId, "exact").catch(() => daric.pay(first.chargeId, "late"));
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      const order = await readOrder(site, first.orderId);
      assert.equal(order.status, "on-hold");
      assert.equal(order.isPaid, false, order.notes.join(" | "));
      assert.notEqual(order.meta._daric_task ?? "", "", `no task: ${order.notes.join(" | ")}`);
    },
  ),
  journey(
    "an order that goes to another method and comes back takes its own charge up again or a new one, and is paid",
    async (rig) => {
      const first = await purchase(rig);
      // An order that waits for a bank transfer is on hold, and a new checkout makes a new order.
      await first.shopper.orderClassic({ method: "bacs" });
      await first.shopper.add("mug");
      const back = await first.shopper.orderClassic();
      await rig.daric.pay(await chargeOf(rig.site, back.orderId), "exact");
      await orderWhen(rig.site, back.orderId, "processing");
    },
  ),
  journey("an order that the shop edits after its charge is not paid by the old price", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchase(rig);
    await edit(rig, orderId);
    await daric.pay(chargeId, "exact").catch(() => daric.pay(chargeId, "late"));
    const order = await orderWhen(site, orderId, "on-hold");
    assert.equal(order.isPaid, false);
    assert.notEqual(order.meta._daric_task ?? "", "");
  }),
  journey("money for an order that was deleted changes nothing and breaks nothing", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchase(rig);
    await site.php("wc_get_order($args['id'])->delete(true); return true;", { id: orderId });
    await daric.pay(chargeId, "exact").catch(() => daric.pay(chargeId, "late"));
    const { orderId: next, chargeId: nextCharge } = await purchase(rig);
    await daric.pay(nextCharge, "exact");
    await orderWhen(site, next, "processing");
    assert.equal((await site.sql("select id from wp_wc_orders where id = ?", [orderId])).length, 0);
  }),
  journey("an order keeps its own currency when the shop switches to another one", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchase(rig);
    const setCurrency = (currency: string) =>
      site.php("update_option('woocommerce_currency', $args['currency']); return true;", { currency });
    await setCurrency("USD");
    try {
      await daric.pay(chargeId, "exact");
      const paid = await orderWhen(site, orderId, "processing");
      assert.equal(paid.currency, "EUR");
      const inDollars = await purchase(rig);
      const { currency, attempts } = await readOrder(site, inDollars.orderId);
      assert.deepEqual([currency, attempts.at(-1)?.currency], ["USD", "USD"]);
    } finally {
      await setCurrency("EUR");
    }
  }),
  journey("a shop whose currency Daric does not price hides the gateway", async (rig) => {
    const { site } = rig;
    await site.php("update_option('woocommerce_currency', 'VND'); return true;");
    try {
      const shopper = newShopper(rig);
      await shopper.add("mug");
      await assert.rejects(shopper.orderClassic(), /payment method/i);
    } finally {
      await site.php("update_option('woocommerce_currency', 'EUR'); return true;");
    }
  }),
];
