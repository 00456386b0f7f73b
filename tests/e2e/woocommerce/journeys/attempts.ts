import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@daric/testing/until";
import { hasTask, orderWhen, readOrder, whenNoted } from "../orders.ts";
import { type Purchase, payAgain, purchase, withLifetime } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";
import { sendWebhook, webhookDoor } from "../signed-event.ts";

const EXPIRY_LIMIT_MS = 150_000;
const EVENT_MS = 8_000;
const HELD_S = 20;

/** The order forgets what Daric answered to its create, as after a time-out. */
const loseAnswer = ({ site }: Rig, { orderId }: Purchase) =>
  site.php(
    `$order = wc_get_order($args['id']); $all = json_decode($order->get_meta('_daric_attempts'), true);
     $all[0] = ['chargeId' => '', 'checkoutUrl' => '', 'state' => 'planned'] + $all[0];
     $order->update_meta_data('_daric_attempts', json_encode($all)); $order->save(); return true;`,
    { id: orderId },
  );

async function withSetting<T>({ site }: Rig, name: string, run: () => Promise<T>): Promise<T> {
  const set = (value: string) =>
    site.php(
      "update_option('woocommerce_daric_settings', [$args['name'] => $args['value']] + (array) get_option('woocommerce_daric_settings', [])); return true;",
      { name, value },
    );
  await set("yes");
  try {
    return await run();
  } finally {
    await set("no");
  }
}

async function purchaseThatExpired(rig: Rig): Promise<Purchase> {
  const bought = await withLifetime(rig, 30, () => purchase(rig));
  await until(
    "Daric's order has expired",
    async () =>
      (await rig.daric.call("GET", `/v1/deposit-addresses/${bought.chargeId}`)).status === "EXPIRED",
    EXPIRY_LIMIT_MS,
  );
  return bought;
}

export const attempts = [
  journey("a charge whose create got no answer is taken up by its event", async (rig) => {
    const bought = await purchase(rig);
    await loseAnswer(rig, bought);
    await rig.daric.pay(bought.chargeId, "exact");
    const order = await orderWhen(rig.site, bought.orderId, "processing");
    assert.deepEqual(
      order.attempts.map(({ chargeId }) => chargeId),
      [bought.chargeId],
    );
  }),
  journey("a charge whose create got no answer is found by the next click", async (rig) => {
    const bought = await purchase(rig);
    await loseAnswer(rig, bought);
    assert.equal((await bought.shopper.orderClassic()).orderId, bought.orderId);
    const order = await readOrder(rig.site, bought.orderId);
    assert.deepEqual(
      order.attempts.map(({ chargeId }) => chargeId),
      [bought.chargeId],
    );
  }),
  journey("a charge of an order that had the same number before is not taken up", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId, shopper } = await purchase(rig);
    await site.php(
      "$order = wc_get_order($args['id']); $order->set_order_key('wc_order_another'); $order->delete_meta_data('_daric_attempts'); $order->save(); return true;",
      { id: orderId },
    );
    await daric.pay(chargeId, "exact");
    await sleep(EVENT_MS);
    assert.equal((await readOrder(site, orderId)).status, "pending");
    assert.equal((await shopper.orderClassic()).orderId, orderId);
    assert.notEqual((await readOrder(site, orderId)).attempts.at(-1)?.chargeId, chargeId);
  }),
  journey("a webhook of an order that another process works on gets 503, and comes again", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchase(rig);
    const held = site.php(
      `global $wpdb; $key = 'daric_' . md5(DB_NAME . '|' . $wpdb->prefix . '|order ' . $args['id']);
       $taken = $wpdb->get_var("select get_lock('$key', 5)"); touch(WP_CONTENT_DIR . '/held'); sleep($args['seconds']); return $taken;`,
      { id: orderId, seconds: HELD_S },
    );
    await until("the lock is held", () =>
      site.php<boolean>("return file_exists(WP_CONTENT_DIR . '/held') && unlink(WP_CONTENT_DIR . '/held');"),
    );
    const data = {
      orderRef: (await readOrder(site, orderId)).attempts[0]?.orderRef,
      depositAddressId: chargeId,
    };
    const id = "01a1c0de-0000-7000-8000-000000005403";
    const event = { id, event: "order.paid", apiVersion: "v1", environment: "test", data };
    assert.equal(await sendWebhook(await webhookDoor(rig), { event, id }), 503);
    assert.equal(await held, "1");
    await daric.pay(chargeId, "exact");
    await orderWhen(site, orderId, "processing");
  }),
  journey("an order that a person called paid by mistake, and set back, can be paid", async (rig) => {
    const bought = await purchase(rig);
    for (const status of ["processing", "pending"]) {
      await rig.site.php("wc_get_order($args['id'])->update_status($args['status']); return true;", {
        id: bought.orderId,
        status,
      });
    }
    const second = await payAgain(rig, bought);
    assert.notEqual(second, bought.chargeId);
    await rig.daric.pay(second, "exact");
    const order = await orderWhen(rig.site, bought.orderId, "processing");
    assert.deepEqual([order.meta._daric_paid_by, hasTask(order)], [second, false]);
  }),
  journey("late money is accepted where the setting says so", async (rig) => {
    await withSetting(rig, "accept_late", async () => {
      const { orderId, chargeId } = await purchaseThatExpired(rig);
      await rig.daric.pay(chargeId, "late");
      await orderWhen(rig.site, orderId, "processing");
    });
  }),
  journey("a status that a person sets ends the task of late money", async (rig) => {
    const { site, daric } = rig;
    const { orderId, chargeId } = await purchaseThatExpired(rig);
    await daric.pay(chargeId, "late");
    assert.ok(hasTask(await whenNoted(site, orderId, /too late/i)));
    await site.php("wc_get_order($args['id'])->update_status('processing'); return true;", { id: orderId });
    assert.ok(!hasTask(await readOrder(site, orderId)));
  }),
  journey("an order that expires with nothing is cancelled where the setting says so", async (rig) => {
    await withSetting(rig, "cancel_on_expiry", async () => {
      const { orderId } = await purchaseThatExpired(rig);
      await orderWhen(rig.site, orderId, "cancelled");
    });
  }),
];
