import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@daric/testing/until";
import { hasTask, orderWhen, readOrder } from "../orders.ts";
import { purchase, withLifetime } from "../purchases.ts";
import { journey, type Rig } from "../rig.ts";

const EVENT_MS = 6_000;

/** Moves an order into the past, and lets WooCommerce cancel what waits longer than an hour. */
async function runHoldStock({ site }: Rig, orderId: number): Promise<void> {
  await site.sql(
    "update wp_wc_orders set date_created_gmt = date_created_gmt - interval 3 hour, date_updated_gmt = date_updated_gmt - interval 3 hour where id = ?",
    [orderId],
  );
  await site.php("do_action('woocommerce_cancel_unpaid_orders'); return true;");
}

const cancel = ({ site }: Rig, id: number) =>
  site.php("wc_get_order($args['id'])->update_status('cancelled'); return true;", { id });

const statusInDaric = async ({ daric }: Rig, chargeId: string): Promise<string> =>
  (await daric.call("GET", `/v1/deposit-addresses/${chargeId}`)).status;

export const stock = [
  journey("WooCommerce does not cancel an order for its stock while its charge is open", async (rig) => {
    const { orderId } = await purchase(rig, "last");
    await runHoldStock(rig, orderId);
    assert.equal((await readOrder(rig.site, orderId)).status, "pending");
  }),
  journey("WooCommerce does not cancel an order for its stock while its money is not final", async (rig) => {
    const { orderId, chargeId } = await purchase(rig, "last");
    await rig.daric.pay(chargeId, "exact", { isFinal: false });
    await orderWhen(rig.site, orderId, "on-hold");
    await runHoldStock(rig, orderId);
    assert.equal((await readOrder(rig.site, orderId)).status, "on-hold");
    await rig.daric.mine();
    await orderWhen(rig.site, orderId, "processing");
  }),
  journey(
    "WooCommerce does not cancel a paid order for its stock that a fault of another plugin kept unpaid",
    async (rig) => {
      const { site } = rig;
      const { orderId, chargeId } = await purchase(rig, "last");
      await rig.daric.pay(chargeId, "exact");
      await orderWhen(site, orderId, "processing");
      await site.sql("update wp_wc_orders set status = 'wc-pending' where id = ?", [orderId]);
      await site.php(
        `$order = wc_get_order($args['id']); $all = json_decode($order->get_meta('_daric_attempts'), true);
         $all[0]['expiresAt'] = time() - 60; $order->update_meta_data('_daric_attempts', json_encode($all));
         $order->delete_meta_data('_daric_paid_by'); $order->set_date_paid(null); $order->save(); return true;`,
        { id: orderId },
      );
      await runHoldStock(rig, orderId);
      assert.equal((await readOrder(site, orderId)).status, "processing");
    },
  ),
  journey("WooCommerce cancels an order once its charge has expired with nothing", async (rig) => {
    const { orderId, chargeId } = await withLifetime(rig, 30, () => purchase(rig, "last"));
    await until("it has expired", async () => (await statusInDaric(rig, chargeId)) === "EXPIRED", 150_000);
    await until(
      "the shop knows",
      async () => {
        const { notes } = await readOrder(rig.site, orderId);
        return notes.some((note) => /nothing came/i.test(note));
      },
      40_000,
    );
    await runHoldStock(rig, orderId);
    assert.equal((await readOrder(rig.site, orderId)).status, "cancelled");
  }),
  journey("an order that is cancelled in the shop closes its unpaid charge", async (rig) => {
    const { orderId, chargeId } = await purchase(rig, "last");
    await cancel(rig, orderId);
    await until("it is closed", async () => (await statusInDaric(rig, chargeId)) === "ARCHIVED");
  }),
  journey(
    "money for a cancelled order puts it on hold with a task, and never into processing",
    async (rig) => {
      const { orderId, chargeId } = await purchase(rig, "last");
      await cancel(rig, orderId);
      await until("it is closed", async () => (await statusInDaric(rig, chargeId)) === "ARCHIVED");
      await rig.daric.pay(chargeId, "exact");
      const order = await orderWhen(rig.site, orderId, "on-hold");
      assert.ok(hasTask(order), "no task");
      await sleep(EVENT_MS);
      const after = await readOrder(rig.site, orderId);
      assert.deepEqual([after.status, after.isPaid], ["on-hold", false]);
    },
  ),
];
