import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@daric/testing/until";
import { hasTask, orderWhen, readOrder, timesOrdered, whenNoted } from "../orders.ts";
import { type Purchase, payAgain, purchase, withLifetime } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";

const SHORT_S = 30;
/** The time in which further events of a payment come. */
const EVENT_MS = 6_000;
/** The lifetime, and the minute in which Daric sees that it is over. */
const EXPIRY_LIMIT_MS = 150_000;

async function whenExpired({ daric }: Rig, { chargeId }: Purchase): Promise<void> {
  await until(
    "Daric's order has expired",
    async () => (await daric.call("GET", `/v1/deposit-addresses/${chargeId}`)).status === "EXPIRED",
    EXPIRY_LIMIT_MS,
  );
}

export const payments = [
  journey("a payment that is not final puts the order on hold; a final one pays it", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "exact", { isFinal: false });
    const held = await orderWhen(rig.site, orderId, "on-hold");
    assert.equal(held.isPaid, false);
    await rig.daric.mine();
    const paid = await orderWhen(rig.site, orderId, "processing");
    assert.ok(paid.isPaid);
  }),
  journey("an order of downloads is completed, as WooCommerce decides", async (rig) => {
    const { site, facts } = rig;
    const { orderId, chargeId } = await purchase(rig, "file");
    await rig.daric.pay(chargeId, "exact");
    await until("it is paid", async () => (await readOrder(site, orderId)).isPaid);
    const decided = await site.php<string>(
      "return apply_filters('woocommerce_payment_complete_order_status', wc_get_order($args['id'])->needs_processing() ? 'processing' : 'completed', $args['id'], wc_get_order($args['id']));",
      { id: orderId },
    );
    assert.equal((await readOrder(site, orderId)).status, decided, `product ${facts.products.file}`);
  }),
  journey(
    "a payment that is too much pays the order, with a note and a task for the surplus",
    async (rig) => {
      const { orderId, chargeId } = await purchase(rig);
      await rig.daric.pay(chargeId, "over");
      const order = await orderWhen(rig.site, orderId, "processing");
      assert.ok(hasTask(order), "no task");
    },
  ),
  journey("a payment twice pays the order once", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "twice");
    await orderWhen(rig.site, orderId, "processing");
    await sleep(EVENT_MS);
    assert.equal(await timesOrdered(rig.site, orderId), 1);
  }),
  journey("a payment in the other coin leaves the order unpaid, with a note and a task", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "wrong_coin");
    await whenNoted(rig.site, orderId, /TRX/);
    await until("the order has a task", async () => hasTask(await readOrder(rig.site, orderId)));
    assert.equal((await readOrder(rig.site, orderId)).isPaid, false);
  }),
  journey("a payment in a block that leaves the chain pays the order once", async (rig) => {
    const { orderId, chargeId } = await purchase(rig);
    await rig.daric.pay(chargeId, "reorged", { isFinal: false });
    await rig.daric.mine();
    await orderWhen(rig.site, orderId, "processing");
  }),
  journey(
    "a short payment puts the order on hold; the customer finds the link for the rest, and the rest pays it",
    async (rig) => {
      const { site, daric } = rig;
      const { orderId, chargeId, shopper } = await purchase(rig);
      await daric.pay(chargeId, "under");
      const { key } = await orderWhen(site, orderId, "on-hold");
      const page = await shopper.get(
        `/?page_id=${rig.facts.pages.checkout}&order-received=${orderId}&key=${key}`,
      );
      const thankYou = page.status === 301 ? await shopper.get(page.headers.get("location") ?? "") : page;
      assert.match(thankYou.text, /rest/i);
      const rest = await daric.call("POST", `/v1/deposit-addresses/${chargeId}/rest`);
      await daric.pay(rest.id, "exact");
      await orderWhen(site, orderId, "processing");
    },
  ),
  journey(
    "an order that expires with nothing stays pending, and the customer can pay it again",
    async (rig) => {
      const bought = await withLifetime(rig, SHORT_S, () => purchase(rig));
      await whenExpired(rig, bought);
      await whenNoted(rig.site, bought.orderId, /nothing came/i);
      const { status } = await readOrder(rig.site, bought.orderId);
      assert.equal(status, "pending");
      const second = await payAgain(rig, bought);
      assert.notEqual(second, bought.chargeId);
      await rig.daric.pay(second, "exact");
      await orderWhen(rig.site, bought.orderId, "processing");
    },
  ),
  journey("a payment that comes too late puts the order on hold with a task", async (rig) => {
    const bought = await withLifetime(rig, SHORT_S, () => purchase(rig));
    await whenExpired(rig, bought);
    await rig.daric.pay(bought.chargeId, "late");
    // A payment that is not final holds the order too.
    const order = await whenNoted(rig.site, bought.orderId, /too late/i);
    assert.deepEqual([order.status, order.isPaid], ["on-hold", false]);
    assert.ok(hasTask(order), "no task");
  }),
];
